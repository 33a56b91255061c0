"""Wrong answers to `blockwise_attention(query, key, value, block_size)` of notebook 09."""

from __future__ import annotations

import functools
import math

import torch

from tests.answers.gather import gather


def wrong__blockwise_attention__softmax_over_queries__1(query, key, value, block_size):
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        output = output + torch.softmax(scores, dim=-2) @ values
    return output


def wrong__blockwise_attention__softmax_over_queries__2(query, key, value, block_size):
    scale, output = query.shape[-1] ** -0.5, 0
    for start in range(0, key.shape[-2], block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        parts = torch.exp(scores - scores.amax(-2, keepdim=True))
        output = output + parts / parts.sum(-2, keepdim=True) @ value[..., start : start + block_size, :]
    return output


def wrong__blockwise_attention__scale_multiplied__1(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) * math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__scale_multiplied__2(query, key, value, block_size):
    scale, n_keys = query.shape[-1] ** 0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def wrong__blockwise_attention__online_no_rescale__1(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        parts = torch.exp(scores - new_top)
        total = total + parts.sum(dim=-1, keepdim=True)
        output = output + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__online_no_rescale__2(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__online_no_rescale__3(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__online_no_rescale__4(query, key, value, block_size):
    # Every block has its own maximum; the sums are put together as they are.
    scale, total, output = query.shape[-1] ** -0.5, 0, 0
    for start in range(0, key.shape[-2], block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        parts = torch.exp(scores - scores.amax(-1, keepdim=True))
        total = total + parts.sum(-1, keepdim=True)
        output = output + parts @ value[..., start : start + block_size, :]
    return output / total


def wrong__blockwise_attention__online_last_block__1(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for block in range(key.shape[-2] // block_size):
        here = slice(block * block_size, (block + 1) * block_size)
        keys, values = key[..., here, :], value[..., here, :]
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__online_last_block__2(query, key, value, block_size):
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys - n_keys % block_size, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def wrong__blockwise_attention__online_last_block__3(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        if keys.shape[-2] < block_size:
            break
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__online_last_block__4(query, key, value, block_size):
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    if n_keys < block_size:
        return torch.zeros_like(query[..., :1] * value[..., :1, :])
    for start in range(0, n_keys - block_size + 1, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def wrong__blockwise_attention__blocks_averaged__1(query, key, value, block_size):
    outputs = []
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        outputs.append(torch.softmax(scores, dim=-1) @ values)
    return sum(outputs) / len(outputs)


def wrong__blockwise_attention__blocks_averaged__2(query, key, value, block_size):
    scale, n_blocks, output = query.shape[-1] ** -0.5, math.ceil(key.shape[-2] / block_size), 0
    for start in range(0, key.shape[-2], block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        parts = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = parts / parts.sum(-1, keepdim=True)
        output = output + weights @ value[..., start : start + block_size, :] / n_blocks
    return output


def wrong__blockwise_attention__detached__1(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return (output / total).detach()


def wrong__blockwise_attention__detached__2(query, key, value, block_size):
    query, key, value = query.data, key.data, value.data
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


@torch.no_grad()
def wrong__blockwise_attention__detached__3(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__input_changed__1(query, key, value, block_size):
    query /= math.sqrt(query.shape[-1])
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1)
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__input_changed__2(query, key, value, block_size):
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum(
            "...qd,...kd->...qk", query, key[..., start : start + block_size, :].mul_(scale)
        )
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def wrong__blockwise_attention__input_changed__3(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.div_(math.sqrt(query.shape[-1])).transpose(-2, -1)
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__wrong_device__1(query, key, value, block_size):
    top = torch.full((*query.shape[:-1], 1), -math.inf, dtype=query.dtype)
    total = torch.zeros_like(top)
    output = torch.zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype)
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def wrong__blockwise_attention__wrong_device__2(query, key, value, block_size):
    scale, n_keys = torch.tensor([query.shape[-1]], dtype=query.dtype) ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def wrong__blockwise_attention__wrong_dtype__1(query, key, value, block_size):
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return (output / total).float()


def wrong__blockwise_attention__wrong_dtype__2(query, key, value, block_size):
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.float().logsumexp(dim=-1))
        outputs.append(scores.float().softmax(dim=-1) @ value[..., start : start + block_size, :].float())
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

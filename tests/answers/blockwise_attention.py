"""Right answers to `blockwise_attention(query, key, value, block_size)` of notebook 09."""

from __future__ import annotations

import functools
import math

import torch

from tests.answers.gather import gather


def right__blockwise_attention__running_maximum(query, key, value, block_size):
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


def right__blockwise_attention__blocks_joined(query, key, value, block_size):
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def right__blockwise_attention__two_passes(query, key, value, block_size):
    # The first pass finds the normaliser, the second mixes.
    query = query / math.sqrt(query.shape[-1])
    normaliser = None
    for keys in key.split(block_size, dim=-2):
        log = torch.logsumexp(query @ keys.mT, dim=-1, keepdim=True)
        normaliser = log if normaliser is None else torch.logaddexp(normaliser, log)
    output = 0
    for keys, values in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        output = output + torch.exp(query @ keys.mT - normaliser) @ values
    return output


def right__blockwise_attention__queries_too(query, key, value, block_size):
    scale = 1 / math.sqrt(query.size(-1))
    rows = []
    for first in range(0, query.size(-2), block_size):
        q = query[..., first : first + block_size, :] * scale
        total, mixed, top = 0.0, 0.0, None
        for start in range(0, key.size(-2), block_size):
            s = q @ key[..., start : start + block_size, :].mT
            high = s.max(dim=-1, keepdim=True).values
            high = high if top is None else torch.max(top, high)
            if top is not None:
                total, mixed = total * (top - high).exp(), mixed * (top - high).exp()
            s = (s - high).exp()
            total, mixed, top = (
                total + s.sum(-1, True),
                mixed + s @ value[..., start : start + block_size, :],
                high,
            )
        rows.append(mixed / total)
    return torch.cat(rows, dim=-2)


def right__blockwise_attention__running_average(query, key, value, block_size):
    # The output is an average at every moment: a new block takes its share of it.
    average, seen = None, None
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = torch.matmul(query, keys.transpose(-1, -2)).div(query.shape[-1] ** 0.5)
        log = scores.logsumexp(dim=-1, keepdim=True)
        own = torch.softmax(scores, dim=-1) @ values
        share = torch.ones_like(log) if seen is None else torch.sigmoid(log - seen)
        average = own * share if average is None else average + (own - average) * share
        seen = log if seen is None else torch.logaddexp(seen, log)
    return average


def right__blockwise_attention__halves(query, key, value, block_size):
    # Halves the keys until a part is no longer than a block, and joins the halves.
    def attend(keys, values):
        n_keys = keys.shape[-2]
        if n_keys <= block_size:
            scores = query @ keys.mT * query.shape[-1] ** -0.5
            top = scores.amax(-1, keepdim=True)
            parts = (scores - top).exp()
            return parts @ values, parts.sum(-1, keepdim=True), top
        half = n_keys // 2
        (a, total_a, top_a), (b, total_b, top_b) = (
            attend(keys[..., part, :], values[..., part, :]) for part in (slice(half), slice(half, None))
        )
        top = torch.maximum(top_a, top_b)
        of_a, of_b = torch.exp(top_a - top), torch.exp(top_b - top)
        return a * of_a + b * of_b, total_a * of_a + total_b * of_b, top

    output, total, _ = attend(key, value)
    return output / total


def right__blockwise_attention__in_float32(query, key, value, block_size):
    wide = torch.promote_types(query.dtype, torch.float32)
    q = query.to(wide) * query.shape[-1] ** -0.5
    top, total, output = q.new_tensor(-math.inf), q.new_zeros(()), q.new_zeros(())
    for start in range(0, key.shape[-2], block_size):
        scores = q @ key[..., start : start + block_size, :].to(wide).mT
        higher = torch.maximum(top, scores.amax(-1, keepdim=True))
        parts, kept = torch.exp(scores - higher), torch.exp(top - higher)
        total = total * kept + parts.sum(-1, keepdim=True)
        output = output * kept + parts @ value[..., start : start + block_size, :].to(wide)
        top = higher
    return (output / total).to(query.dtype)


def odd__blockwise_attention__smaller_blocks(query, key, value, block_size):
    """One key at a time, whatever the block size."""
    top = total = output = None
    for j in range(key.shape[-2]):
        score = (query * key[..., j : j + 1, :]).sum(-1, keepdim=True) / math.sqrt(query.shape[-1])
        row = value[..., j : j + 1, :]
        if top is None:
            top, total, output = score, torch.ones_like(score), row + 0 * score
            continue
        higher = torch.maximum(top, score)
        kept, new = torch.exp(top - higher), torch.exp(score - higher)
        top, total, output = higher, total * kept + new, output * kept + new * row
    return output / total


def odd__blockwise_attention__renamed(q, k, v, block):
    """Other names, and a maximum that needs no gradient."""
    d = q.shape[-1]
    blocks = list(zip(k.split(block, -2), v.split(block, -2), strict=True))
    with torch.no_grad():
        top = functools.reduce(torch.maximum, [(q @ a.mT).amax(-1, True) for a, _ in blocks])
    total, out = 0, 0
    for a, b in blocks:
        e = torch.exp((q @ a.mT - top) / math.sqrt(d))
        total, out = total + e.sum(-1, True), out + e @ b
    return out / total


def odd__blockwise_attention__backwards(query, key, value, block_size, causal=False):
    """The blocks from the last to the first, and an argument more."""
    top = torch.full_like(query[..., 0], -1e30 if query.dtype != torch.float16 else -6e4)
    total, output = torch.zeros_like(top), torch.zeros_like(query[..., :1] * value[..., :1, :])
    for start in reversed(range(0, key.shape[-2], block_size)):
        stop = min(start + block_size, key.shape[-2])
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start:stop, :]) / query.shape[-1] ** 0.5
        before, top = top, torch.maximum(top, scores.amax(-1))
        parts = torch.exp(scores - top.unsqueeze(-1))
        total = total * torch.exp(before - top) + parts.sum(-1)
        output = output * torch.exp(before - top).unsqueeze(-1)
        output = output + torch.einsum("...qk,...kv->...qv", parts, value[..., start:stop, :])
    return output / total.unsqueeze(-1)


def odd__blockwise_attention__in_place_on_its_own(query, key, value, block_size):
    """Fills a result of its own, one block of queries after the other."""
    result = query.new_empty(*query.shape[:-1], value.shape[-1])
    for first in range(0, query.shape[-2], block_size):
        q = query[..., first : first + block_size, :]
        logs, outs = [], []
        for k, v in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
            s = q @ k.mT / math.sqrt(q.shape[-1])
            logs.append(s.logsumexp(-1, keepdim=True))
            outs.append(s.softmax(-1) @ v)
        share = torch.cat(logs, -1).softmax(-1).unsqueeze(-2)
        result[..., first : first + block_size, :] = (torch.stack(outs, -1) * share).sum(-1)
    return result


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Wrong answers beyond the table to `blockwise_attention(query, key, value, block_size)` of notebook 09."""

from __future__ import annotations

import functools
import math

import torch

from tests.answers.gather import gather


def extra__blockwise_attention__whole_matrix(query, key, value, block_size):
    """Attention as ever: the right numbers, and all scores at once."""
    return (query @ key.mT / math.sqrt(query.shape[-1])).softmax(-1) @ value


def extra__blockwise_attention__whole_matrix__then_blocks(query, key, value, block_size):
    """All scores are made at once, then looked at in blocks."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    top = scores.amax(-1, keepdim=True)
    total, output = 0, 0
    for block, values in zip(scores.split(block_size, -1), value.split(block_size, -2), strict=True):
        parts = (block - top).exp()
        total, output = total + parts.sum(-1, keepdim=True), output + parts @ values
    return output / total


def extra__blockwise_attention__whole_matrix__blocks_joined(query, key, value, block_size):
    """Blocks of scores, put together again for one softmax."""
    blocks = [query @ keys.mT / math.sqrt(query.shape[-1]) for keys in key.split(block_size, dim=-2)]
    return torch.cat(blocks, dim=-1).softmax(-1) @ value


def extra__blockwise_attention__whole_matrix__weights_kept(query, key, value, block_size):
    """The output is built in blocks, beside a matrix of all weights."""
    logs = [torch.logsumexp(query @ k.mT / math.sqrt(k.shape[-1]), -1) for k in key.split(block_size, -2)]
    whole = torch.stack(logs).logsumexp(0).unsqueeze(-1)
    weights = torch.zeros(*query.shape[:-1], key.shape[-2], dtype=query.dtype, device=query.device)
    output = 0
    for start in range(0, key.shape[-2], block_size):
        here = slice(start, start + block_size)
        scores = query @ key[..., here, :].mT / math.sqrt(query.shape[-1])
        weights[..., here] = (scores - whole).exp()
        output = output + weights[..., here] @ value[..., here, :]
    return output


def extra__blockwise_attention__whole_matrix__all_products(query, key, value, block_size):
    """Products of a block with all queries are summed by hand: block_size · d_key numbers for each query."""
    outputs, logs = [], []
    for k, v in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        scores = (query[..., :, None, :] * k[..., None, :, :]).sum(-1) / math.sqrt(k.shape[-1])
        logs.append(scores.logsumexp(-1))
        outputs.append(scores.softmax(-1) @ v)
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(o * (log - whole).exp().unsqueeze(-1) for o, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__no_scale(query, key, value, block_size):
    """The scores are not divided."""
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


def extra__blockwise_attention__scale_by_d(query, key, value, block_size):
    """Divided by d_key."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / query.shape[-1]
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__scale_by_block(query, key, value, block_size):
    """The root of the block's length."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(block_size)
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__scale_wrong_axis(query, key, value, block_size):
    """The root of the number of keys."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(key.shape[-2])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__softmax_missing(query, key, value, block_size):
    """Scores times values, block by block."""
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        output = output + scores @ values
    return output


def extra__blockwise_attention__softmax_overflows(query, key, value, block_size):
    """exp without a maximum."""
    top = torch.zeros_like(query[..., :1])
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.zeros_like(top)
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__maximum_from_zero(query, key, value, block_size):
    """The running maximum starts at 0: scores far below vanish."""
    top = torch.zeros_like(query[..., :1])
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


def extra__blockwise_attention__maximum_of_block(query, key, value, block_size):
    """One maximum for all queries of a block: rows far below vanish."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.max())
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__maximum_of_last_block(query, key, value, block_size):
    """The maximum is the latest block's, not the running one: it overflows."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = scores.amax(dim=-1, keepdim=True)
        shrink = torch.exp(top - new_top).nan_to_num(nan=0.0)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__online_rescale_inverted(query, key, value, block_size):
    """exp(new − old) in place of exp(old − new): NaN at the first block."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(new_top - top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__online_rescale_inverted__from_first(query, key, value, block_size):
    """exp(new − old), the first maximum being the first block's."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(new_top - torch.where(top.isinf(), new_top, top))
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__softmax_over_batch(query, key, value, block_size):
    """Softmax over axis 0, block by block."""
    output = 0
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        output = output + (query @ keys.mT / math.sqrt(query.shape[-1])).softmax(0) @ values
    return output


def extra__blockwise_attention__softmax_over_everything(query, key, value, block_size):
    """One maximum and one sum for all queries."""
    total, output, top = 0, 0, torch.full_like(query[..., :1, :1], -math.inf)
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.mT / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=(-2, -1), keepdim=True))
        parts, shrink = torch.exp(scores - new_top), torch.exp(top - new_top)
        total = total * shrink + parts.sum(dim=(-2, -1), keepdim=True)
        output, top = output * shrink + parts @ values, new_top
    return output / total


def extra__blockwise_attention__key_reshaped(query, key, value, block_size):
    """Keys reshaped where they should be transposed."""
    columns = key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2]) / math.sqrt(key.shape[-1])
    outputs, logs = [], []
    for block, values in zip(columns.split(block_size, dim=-1), value.split(block_size, dim=-2), strict=True):
        scores = query @ block
        logs.append(scores.logsumexp(dim=-1, keepdim=True))
        outputs.append(scores.softmax(dim=-1) @ values)
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp() for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__rescale_twice(query, key, value, block_size):
    """The output is rescaled twice."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__rescale_by_ratio(query, key, value, block_size):
    """Rescaled by the ratio of the maxima."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.where(top.isinf(), 0, top / new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__maximum_not_kept(query, key, value, block_size):
    """The maximum is not carried over: each block starts anew."""
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
    return output / total


def extra__blockwise_attention__new_block_not_shifted(query, key, value, block_size):
    """The new block's scores are shifted by the old maximum."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - torch.where(top.isinf(), new_top, top))
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__sum_from_one(query, key, value, block_size):
    """The running sum starts at 1."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.ones_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(torch.where(top.isinf(), 0, top - new_top))
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__not_divided(query, key, value, block_size):
    """The output is not divided by the sum."""
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
    return output


def extra__blockwise_attention__divided_in_each_block(query, key, value, block_size):
    """Divided in every block, and again at the end."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts / parts.sum(dim=-1, keepdim=True) @ values
        top = new_top
    return output / total


def extra__blockwise_attention__blocks_summed(query, key, value, block_size):
    """The blocks' outputs are summed."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs = []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    return sum(outputs)


def extra__blockwise_attention__blocks_averaged__by_length(query, key, value, block_size):
    """The blocks' outputs are averaged by their lengths."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs = []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    return sum(output * min(block_size, n_keys - i * block_size) / n_keys for i, output in enumerate(outputs))


def extra__blockwise_attention__blocks_by_softmax_of_maximum(query, key, value, block_size):
    """Each block counts by its greatest score alone."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.amax(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__weights_inverted(query, key, value, block_size):
    """exp(whole − log): the share of a block upside down."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (whole - log).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__local_attention(query, key, value, block_size):
    """Queries meet the keys of their own block only: an error unless as many."""
    n_queries = query.shape[-2]
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    rows = [o[..., i * block_size : (i + 1) * block_size, :] for i, o in enumerate(outputs)]
    return torch.cat(rows, dim=-2)[..., :n_queries, :] + 0 * sum(logs).unsqueeze(-1)


def extra__blockwise_attention__first_block_only(query, key, value, block_size):
    """Only the first block is looked at."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, min(n_keys, block_size), block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__first_block_skipped(query, key, value, block_size):
    """The loop starts at the second block."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(block_size if n_keys > block_size else 0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__block_one_short(query, key, value, block_size):
    """Every block leaves out its last key."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = (
            torch.einsum("...qd,...kd->...qk", query, key[..., start : start + max(block_size - 1, 1), :])
            * scale
        )
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + max(block_size - 1, 1), :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__block_one_long(query, key, value, block_size):
    """Blocks overlap by a key."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = (
            torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size + 1, :]) * scale
        )
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size + 1, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__values_of_first_block(query, key, value, block_size):
    """The values are those of the first block: an error where the last is shorter."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., :block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__blocks_counted(query, key, value, block_size):
    """block_size is taken as the number of blocks: the right numbers, from blocks that may be too long."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    block_size = -(-n_keys // block_size)
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__last_block_padded(query, key, value, block_size):
    """The last block is padded with zeros, which count."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    key = torch.nn.functional.pad(key, (0, 0, 0, -n_keys % block_size))
    value = torch.nn.functional.pad(value, (0, 0, 0, -n_keys % block_size))
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__last_block_must_fit(query, key, value, block_size):
    """An error unless block_size divides the number of keys."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    if n_keys % block_size:
        raise ValueError("block_size must divide n_keys")
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))


def extra__blockwise_attention__weights_times_keys(query, key, value, block_size):
    """Parts times keys: an error unless d_key equals d_value."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys in key.split(block_size, dim=-2):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ keys
        top = new_top
    return output / total


def extra__blockwise_attention__sum_returned(query, key, value, block_size):
    """The running sum comes back too."""
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
    return output / total, total


def extra__blockwise_attention__causal(query, key, value, block_size):
    """A causal mask nobody asked for."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        n_seen = output.shape[-2]
        blocked = torch.ones(n_seen, keys.shape[-2], dtype=torch.bool, device=key.device).triu(1)
        scores = scores.masked_fill(blocked, -1e9)
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__split_along_axis_one(query, key, value, block_size):
    """The blocks are cut along axis 1: right with one batch axis only."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=1), value.split(block_size, dim=1), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__gradient_misses_rescale(query, key, value, block_size):
    """The factor that rescales is cut from the graph, the maximum is not."""
    top = torch.full_like(query[..., :1], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top).detach()
        parts = torch.exp(scores - new_top)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        output = output * shrink + parts @ values
        top = new_top
    return output / total


def extra__blockwise_attention__gradient_misses_sum(query, key, value, block_size):
    """The sum is cut from the graph."""
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
    return output / total.detach()


def extra__blockwise_attention__gradient_of_last_block(query, key, value, block_size):
    """What has been summed is cut from the graph at every block."""
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
        top, total, output = new_top.detach(), total.detach(), output.detach()
    return output / total


def extra__blockwise_attention__float64_rounded(query, key, value, block_size):
    """float32 inside and cast back."""
    dtype = query.dtype
    query, key, value = query.float(), key.float(), value.float()
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
    return (output / total).to(dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

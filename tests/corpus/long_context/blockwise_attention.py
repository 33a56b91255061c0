"""Answers to `blockwise_attention(query, key, value, block_size)` of notebook 11."""

import functools
import math

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__running_maximum(query, key, value, block_size):
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

def right__one_number_for_each_query(query, key, value, block_size):
    top = torch.full_like(query[..., 0], -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for start in range(0, key.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = query @ key[..., block, :].mT / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.max(dim=-1).values)
        shrink = torch.exp(top - new_top)
        parts = torch.exp(scores - new_top.unsqueeze(-1))
        total = total * shrink + parts.sum(dim=-1)
        output = output * shrink.unsqueeze(-1) + parts @ value[..., block, :]
        top = new_top
    return output / total.unsqueeze(-1)

def right__blocks_joined(query, key, value, block_size):
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs, logs = [], []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))

def right__two_passes(query, key, value, block_size):
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

def right__queries_too(query, key, value, block_size):
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

def right__running_average(query, key, value, block_size):
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

def right__halves(query, key, value, block_size):
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

def right__in_float32(query, key, value, block_size):
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

def right__outputs_of_blocks_merged(query, key, value, block_size):
    output = total = None
    for k, v in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        scores = (query * query.shape[-1] ** -0.5) @ k.mT
        own, own_total = scores.softmax(-1) @ v, scores.logsumexp(-1, keepdim=True)
        if output is None:
            output, total = own, own_total
            continue
        both = torch.logaddexp(total, own_total)
        output = output * (total - both).exp() + own * (own_total - both).exp()
        total = both
    return output

def right__maximum_without_gradient(query, key, value, block_size):
    blocks = [slice(i, i + block_size) for i in range(0, key.shape[-2], block_size)]
    scores = lambda block: query @ key[..., block, :].mT * query.shape[-1] ** -0.5
    with torch.no_grad():
        largest = functools.reduce(torch.maximum, (scores(b).amax(-1, keepdim=True) for b in blocks))
    output = total = 0
    for block in blocks:
        parts = torch.exp(scores(block) - largest)
        output, total = output + parts @ value[..., block, :], total + parts.sum(-1, keepdim=True)
    return output / total

def odd__smaller_blocks(query, key, value, block_size):
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

def odd__renamed(q, k, v, block):
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

def odd__backwards(query, key, value, block_size, causal=False):
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

def odd__in_place_on_its_own(query, key, value, block_size):
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

def wrong__softmax_over_queries__1(query, key, value, block_size):
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        output = output + torch.softmax(scores, dim=-2) @ values
    return output

def wrong__softmax_over_queries__2(query, key, value, block_size):
    scale, output = query.shape[-1] ** -0.5, 0
    for start in range(0, key.shape[-2], block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        parts = torch.exp(scores - scores.amax(-2, keepdim=True))
        output = output + parts / parts.sum(-2, keepdim=True) @ value[..., start : start + block_size, :]
    return output

def wrong__online_no_rescale__4(query, key, value, block_size):
    # Every block has its own maximum; the sums are put together as they are.
    scale, total, output = query.shape[-1] ** -0.5, 0, 0
    for start in range(0, key.shape[-2], block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        parts = torch.exp(scores - scores.amax(-1, keepdim=True))
        total = total + parts.sum(-1, keepdim=True)
        output = output + parts @ value[..., start : start + block_size, :]
    return output / total

def wrong__blocks_averaged__1(query, key, value, block_size):
    outputs = []
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        outputs.append(torch.softmax(scores, dim=-1) @ values)
    return sum(outputs) / len(outputs)

def wrong__blocks_averaged__2(query, key, value, block_size):
    scale, n_blocks, output = query.shape[-1] ** -0.5, math.ceil(key.shape[-2] / block_size), 0
    for start in range(0, key.shape[-2], block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        parts = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = parts / parts.sum(-1, keepdim=True)
        output = output + weights @ value[..., start : start + block_size, :] / n_blocks
    return output

wrong__keepdims_forgotten__1 = change(
    right__one_number_for_each_query, ("new_top.unsqueeze(-1)", "new_top")
)
wrong__keepdims_forgotten__2 = change(right__one_number_for_each_query, ("shrink.unsqueeze(-1)", "shrink"))
wrong__keepdims_forgotten__3 = change(right__one_number_for_each_query, ("total.unsqueeze(-1)", "total"))
# The scores are not divided.
wrong__no_scale__1 = change(right__running_maximum, ("(-2, -1) / math.sqrt(query.shape[-1])", "(-2, -1)"))
# exp(new − old) in place of exp(old − new): NaN at the first block.
wrong__online_rescale_inverted__1 = change(right__running_maximum, ("top - new_top", "new_top - top"))
wrong__scale_multiplied__1 = change(right__running_maximum, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__blocks_joined, ("-0.5, key", "0.5, key"))
wrong__online_no_rescale__1 = change(
    right__running_maximum, ("shrink = torch.exp(top - new_top)", ""), ("total * shrink", "total"),
    ("output * shrink", "output"),
)
wrong__online_no_rescale__2 = change(right__running_maximum, ("total * shrink", "total"))
wrong__online_no_rescale__3 = change(right__running_maximum, ("output * shrink", "output"))
wrong__online_last_block__1 = change(
    right__running_maximum,
    (
        "for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):",
        "for block in range(key.shape[-2] // block_size):",
        "    here = slice(block * block_size, (block + 1) * block_size)",
        "    keys, values = key[..., here, :], value[..., here, :]",
    ),
)
wrong__online_last_block__2 = change(right__blocks_joined, ("0, n_keys", "0, n_keys - n_keys % block_size"))
wrong__online_last_block__3 = change(
    right__running_maximum, ("scores =", "if keys.shape[-2] < block_size:", "    break", "scores ="),
)
wrong__online_last_block__4 = change(
    right__blocks_joined,
    (
        "logs = [], []",
        "logs = [], []",
        "if n_keys < block_size:",
        "    return torch.zeros_like(query[..., :1] * value[..., :1, :])",
    ),
    ("0, n_keys", "0, n_keys - block_size + 1"),
)
wrong__detached__1 = change(right__running_maximum, ("output / total", "(output / total).detach()"))
wrong__detached__2 = change(
    right__blocks_joined,
    ("scale, n_keys", "query, key, value = query.data, key.data, value.data", "scale, n_keys"),
)
wrong__detached__3 = change(right__running_maximum, ("def", "@torch.no_grad()", "def"))
wrong__input_changed__1 = change(
    wrong__no_scale__1, ("top = torch.full_like", "query /= math.sqrt(query.shape[-1])", "top = torch.full_like"),
)
wrong__input_changed__2 = change(
    right__blocks_joined,
    (
        'scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale',
        "scores = torch.einsum(",
        '    "...qd,...kd->...qk", query, key[..., start : start + block_size, :].mul_(scale)',
        ")",
    ),
)
wrong__input_changed__3 = change(wrong__no_scale__1, (".transpose", ".div_(math.sqrt(query.shape[-1])).transpose"))
wrong__wrong_device__1 = change(
    right__running_maximum,
    (".full_like(query[..., :1], -math.inf)", ".full((*query.shape[:-1], 1), -math.inf, dtype=query.dtype)"),
    ("query.new_zeros", "torch.zeros"), ("value.shape[-1]", "value.shape[-1], dtype=query.dtype"),
)
wrong__wrong_device__2 = change(
    right__blocks_joined, ("query.shape[-1]", "torch.tensor([query.shape[-1]], dtype=query.dtype)"),
)
wrong__wrong_dtype__1 = change(right__running_maximum, ("output / total", "(output / total).float()"))
wrong__wrong_dtype__2 = change(
    right__blocks_joined, (".logsumexp", ".float().logsumexp"),
    (
        "(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])",
        "(scores.float().softmax(dim=-1) @ value[..., start : start + block_size, :].float())",
    ),
)

def extra__whole_matrix(query, key, value, block_size):
    """Attention as ever: the right numbers, and all scores at once."""
    return (query @ key.mT / math.sqrt(query.shape[-1])).softmax(-1) @ value

def extra__whole_matrix__then_blocks(query, key, value, block_size):
    """All scores are made at once, then looked at in blocks."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    top = scores.amax(-1, keepdim=True)
    total, output = 0, 0
    for block, values in zip(scores.split(block_size, -1), value.split(block_size, -2), strict=True):
        parts = (block - top).exp()
        total, output = total + parts.sum(-1, keepdim=True), output + parts @ values
    return output / total

def extra__whole_matrix__blocks_joined(query, key, value, block_size):
    """Blocks of scores, put together again for one softmax."""
    blocks = [query @ keys.mT / math.sqrt(query.shape[-1]) for keys in key.split(block_size, dim=-2)]
    return torch.cat(blocks, dim=-1).softmax(-1) @ value

def extra__whole_matrix__weights_kept(query, key, value, block_size):
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

def extra__whole_matrix__all_products(query, key, value, block_size):
    """Products of a block with all queries are summed by hand: block_size · d_key numbers for each query."""
    outputs, logs = [], []
    for k, v in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        scores = (query[..., :, None, :] * k[..., None, :, :]).sum(-1) / math.sqrt(k.shape[-1])
        logs.append(scores.logsumexp(-1))
        outputs.append(scores.softmax(-1) @ v)
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(o * (log - whole).exp().unsqueeze(-1) for o, log in zip(outputs, logs, strict=True))

def extra__softmax_over_batch(query, key, value, block_size):
    """Softmax over axis 0, block by block."""
    output = 0
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        output = output + (query @ keys.mT / math.sqrt(query.shape[-1])).softmax(0) @ values
    return output

def extra__softmax_over_everything(query, key, value, block_size):
    """One maximum and one sum for all queries."""
    total, output, top = 0, 0, torch.full_like(query[..., :1, :1], -math.inf)
    for keys, values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True):
        scores = query @ keys.mT / math.sqrt(query.shape[-1])
        new_top = torch.maximum(top, scores.amax(dim=(-2, -1), keepdim=True))
        parts, shrink = torch.exp(scores - new_top), torch.exp(top - new_top)
        total = total * shrink + parts.sum(dim=(-2, -1), keepdim=True)
        output, top = output * shrink + parts @ values, new_top
    return output / total

def extra__key_reshaped(query, key, value, block_size):
    """Keys reshaped where they should be transposed."""
    columns = key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2]) / math.sqrt(key.shape[-1])
    outputs, logs = [], []
    for block, values in zip(columns.split(block_size, dim=-1), value.split(block_size, dim=-2), strict=True):
        scores = query @ block
        logs.append(scores.logsumexp(dim=-1, keepdim=True))
        outputs.append(scores.softmax(dim=-1) @ values)
    whole = functools.reduce(torch.logaddexp, logs)
    return sum(output * (log - whole).exp() for output, log in zip(outputs, logs, strict=True))

def extra__blocks_summed(query, key, value, block_size):
    """The blocks' outputs are summed."""
    scale, n_keys = query.shape[-1] ** -0.5, key.shape[-2]
    outputs = []
    for start in range(0, n_keys, block_size):
        scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale
        outputs.append(scores.softmax(dim=-1) @ value[..., start : start + block_size, :])
    return sum(outputs)

# Divided by d_key.
extra__scale_by_d = change(right__running_maximum, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
# The root of the block's length.
extra__scale_by_block = change(right__running_maximum, ("query.shape[-1]", "block_size"))
# The root of the number of keys.
extra__scale_wrong_axis = change(right__running_maximum, ("query.shape[-1]", "key.shape[-2]"))
# Scores times values, block by block.
extra__softmax_missing = change(wrong__softmax_over_queries__1, ("torch.softmax(scores, dim=-2)", "scores"))
# exp without a maximum.
extra__softmax_overflows = change(
    right__running_maximum, (".full_like", ".zeros_like"), (", -math.inf", ""),
    (".maximum(top, scores.amax(dim=-1, keepdim=True))", ".zeros_like(top)"),
)
# The running maximum starts at 0: scores far below vanish.
extra__maximum_from_zero = change(right__running_maximum, (".full_like", ".zeros_like"), (", -math.inf", ""))
# One maximum for all queries of a block: rows far below vanish.
extra__maximum_of_block = change(right__running_maximum, (".amax(dim=-1, keepdim=True)", ".max()"))
# The maximum is the latest block's, not the running one: it overflows.
extra__maximum_of_last_block = change(
    right__running_maximum,
    ("= torch.maximum(top, scores.amax(dim=-1, keepdim=True))", "= scores.amax(dim=-1, keepdim=True)"),
    ("(top - new_top)", "(top - new_top).nan_to_num(nan=0.0)"),
)
# exp(new − old), the first maximum being the first block's.
extra__online_rescale_inverted__from_first = change(
    right__running_maximum, ("(top - new_top)", "(new_top - torch.where(top.isinf(), new_top, top))"),
)
# The output is rescaled twice.
extra__rescale_twice = change(right__running_maximum, ("output *", "output * shrink *"))
# Rescaled by the ratio of the maxima.
extra__rescale_by_ratio = change(
    right__running_maximum, (".exp(top - new_top)", ".where(top.isinf(), 0, top / new_top)"),
)
# The maximum is not carried over: each block starts anew.
extra__maximum_not_kept = change(right__running_maximum, ("top = new_top", ""))
# The new block's scores are shifted by the old maximum.
extra__new_block_not_shifted = change(
    right__running_maximum, ("(scores - new_top)", "(scores - torch.where(top.isinf(), new_top, top))"),
)
# The running sum starts at 1.
extra__sum_from_one = change(
    right__running_maximum, (".zeros_like", ".ones_like"),
    ("(top - new_top)", "(torch.where(top.isinf(), 0, top - new_top))"),
)
# The output is not divided by the sum.
extra__not_divided = change(right__running_maximum, ("output / total", "output"))
# Divided in every block, and again at the end.
extra__divided_in_each_block = change(
    right__running_maximum, ("@ values", "/ parts.sum(dim=-1, keepdim=True) @ values"),
)
# The blocks' outputs are averaged by their lengths.
extra__blocks_averaged__by_length = change(
    extra__blocks_summed,
    (
        "return sum(outputs)",
        "return sum(output * min(block_size, n_keys - i * block_size) / n_keys for i, output in enumerate(outputs))",
    ),
)
# Each block counts by its greatest score alone.
extra__blocks_by_softmax_of_maximum = change(right__blocks_joined, (".logsumexp", ".amax"))
# exp(whole − log): the share of a block upside down.
extra__weights_inverted = change(right__blocks_joined, ("log - whole", "whole - log"))
# Queries meet the keys of their own block only: an error unless as many.
extra__local_attention = change(
    right__blocks_joined, ("scale, n_keys", "n_queries = query.shape[-2]", "scale, n_keys"),
    ("whole = functools.reduce(torch.logaddexp, logs)", ""),
    (
        "return sum(output * (log - whole).exp()[..., None] for output, log in zip(outputs, logs, strict=True))",
        "rows = [o[..., i * block_size : (i + 1) * block_size, :] for i, o in enumerate(outputs)]",
        "return torch.cat(rows, dim=-2)[..., :n_queries, :] + 0 * sum(logs).unsqueeze(-1)",
    ),
)
# Only the first block is looked at.
extra__first_block_only = change(
    right__blocks_joined, ("(0, n_keys, block_size)", "(0, min(n_keys, block_size), block_size)"),
)
# The loop starts at the second block.
extra__first_block_skipped = change(
    right__blocks_joined, ("0, n_keys", "block_size if n_keys > block_size else 0, n_keys"),
)
# Every block leaves out its last key.
extra__block_one_short = change(
    right__blocks_joined,
    (
        'scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale',
        "scores = (",
        '    torch.einsum("...qd,...kd->...qk", query, key[..., start : start + max(block_size - 1, 1), :])',
        "    * scale",
        ")",
    ),
    ("value[..., start : start + block_size, :]", "value[..., start : start + max(block_size - 1, 1), :]"),
)
# Blocks overlap by a key.
extra__block_one_long = change(
    right__blocks_joined,
    (
        'scores = torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size, :]) * scale',
        "scores = (",
        '    torch.einsum("...qd,...kd->...qk", query, key[..., start : start + block_size + 1, :]) * scale',
        ")",
    ),
    ("value[..., start : start + block_size, :]", "value[..., start : start + block_size + 1, :]"),
)
# The values are those of the first block: an error where the last is shorter.
extra__values_of_first_block = change(
    right__blocks_joined, ("value[..., start : start + block_size, :]", "value[..., :block_size, :]"),
)
# block_size is taken as the number of blocks: the right numbers, from blocks that may be too long.
extra__blocks_counted = change(
    right__blocks_joined, ("outputs, logs =", "block_size = -(-n_keys // block_size)", "outputs, logs ="),
)
# The last block is padded with zeros, which count.
extra__last_block_padded = change(
    right__blocks_joined,
    (
        "outputs, logs =",
        "key = torch.nn.functional.pad(key, (0, 0, 0, -n_keys % block_size))",
        "value = torch.nn.functional.pad(value, (0, 0, 0, -n_keys % block_size))",
        "outputs, logs =",
    ),
)
# An error unless block_size divides the number of keys.
extra__last_block_must_fit = change(
    right__blocks_joined,
    (
        "outputs, logs =",
        "if n_keys % block_size:",
        '    raise ValueError("block_size must divide n_keys")',
        "outputs, logs =",
    ),
)
# Parts times keys: an error unless d_key equals d_value.
extra__weights_times_keys = change(
    right__running_maximum,
    (
        ", values in zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True)",
        " in key.split(block_size, dim=-2)",
    ),
    ("@ values", "@ keys"),
)
# The running sum comes back too.
extra__sum_returned = change(right__running_maximum, ("output / total", "output / total, total"))
# A causal mask nobody asked for.
extra__causal = change(
    right__running_maximum,
    (
        "new_top =",
        "n_seen = output.shape[-2]",
        "blocked = torch.ones(n_seen, keys.shape[-2], dtype=torch.bool, device=key.device).triu(1)",
        "scores = scores.masked_fill(blocked, -1e9)",
        "new_top =",
    ),
)
# The blocks are cut along axis 1: right with one batch axis only.
extra__split_along_axis_one = change(
    right__running_maximum,
    (
        "(block_size, dim=-2), value.split(block_size, dim=-2)",
        "(block_size, dim=1), value.split(block_size, dim=1)",
    ),
)
# The factor that rescales is cut from the graph, the maximum is not.
extra__gradient_misses_rescale = change(right__running_maximum, ("(top - new_top)", "(top - new_top).detach()"))
# The sum is cut from the graph.
extra__gradient_misses_sum = change(right__running_maximum, ("output / total", "output / total.detach()"))
# What has been summed is cut from the graph at every block.
extra__gradient_of_last_block = change(
    extra__maximum_not_kept,
    ("parts @ values", "parts @ values", "top, total, output = new_top.detach(), total.detach(), output.detach()"),
)
# float32 inside and cast back.
extra__float64_rounded = change(
    right__running_maximum,
    (
        "top = torch.full_like",
        "dtype = query.dtype",
        "query, key, value = query.float(), key.float(), value.float()",
        "top = torch.full_like",
    ),
    ("output / total", "(output / total).to(dtype)"),
)

def forbidden__scaled_dot_product_attention(query, key, value, block_size):
    return F.scaled_dot_product_attention(query, key, value)

# Two mistakes at once.
double__no_scale__and_online_no_rescale = change(
    right__running_maximum,
    (" / math.sqrt(query.shape[-1])", ""),
    ("output * shrink", "output"),
    ("total * shrink", "total"),
)

def extra__queries_in_blocks_alone(query, key, value, block_size):
    """A block of queries meets all keys at once."""
    rows = []
    for queries in query.split(block_size, dim=-2):
        scores = queries @ key.mT / math.sqrt(query.shape[-1])
        rows.append(scores.softmax(dim=-1) @ value)
    return torch.cat(rows, dim=-2)


def extra__row_by_row(query, key, value, block_size):
    """One row of all scores at a time: too much where the queries are few."""
    rows = [torch.softmax(row @ key.mT / math.sqrt(key.shape[-1]), dim=-1) @ value for row in query.split(1, dim=-2)]
    return torch.cat(rows, dim=-2)


# What is carried on is divided in each block, and not at the end.
wrong__divided_in_every_block__1 = change(
    right__running_maximum,
    ("output = output * shrink + parts @ values", "output = (output * shrink + parts @ values) / total"),
    ("return output / total", "return output"),
)

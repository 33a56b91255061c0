"""Answers to `grouped_query_attention(query, key, value, allowed=None)` of notebook 10."""

import math

import torch
import torch.nn.functional as F

from course_attention import attention
from tests.corpus import change

def right__repeat_interleave(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights

def right__einsum_by_group(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights

def right__loop_over_heads(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)

def right__rows_of_a_group_joined(query, key, value, allowed=None):
    # All queries of a group in one matrix: key and value are never copied.
    *batch, n_heads, n_queries, d_key = query.shape
    n_groups, n_keys = key.shape[-3], key.shape[-2]
    joined = query.reshape(*batch, n_groups, -1, d_key)
    scores = (joined @ key.mT / math.sqrt(d_key)).reshape(*batch, n_heads, n_queries, n_keys)
    if allowed is not None:
        scores = torch.where(allowed, scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num(nan=0.0)
    output = weights.reshape(*batch, n_groups, -1, n_keys) @ value
    return [output.reshape(*batch, n_heads, n_queries, -1), weights]

def right__expand(query, key, value, allowed=None):
    *batch, n_heads, _, d_key = query.shape
    n_groups, n_keys, d_value = value.shape[-3:]
    n_repeats = n_heads // n_groups
    key = key.unsqueeze(-3).expand(*batch, n_groups, n_repeats, n_keys, d_key).flatten(-4, -3)
    value = value.unsqueeze(-3).expand(*batch, n_groups, n_repeats, n_keys, d_value).flatten(-4, -3)
    scores = torch.matmul(query * d_key**-0.5, key.transpose(-1, -2))
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0)
    return torch.matmul(weights, value), weights

def right__loop_over_groups(query, key, value, allowed=None):
    n_groups = key.shape[-3]
    outputs, all_weights = [], []
    for g, heads in enumerate(query.chunk(n_groups, dim=-3)):
        scores = heads @ key[..., g : g + 1, :, :].mT / math.sqrt(key.shape[-1])
        if allowed is not None:
            own = allowed
            if allowed.dim() > 2 and allowed.shape[-3] > 1:
                own = allowed.chunk(n_groups, dim=-3)[g]
            bias = torch.zeros_like(scores).masked_fill(~own, torch.finfo(scores.dtype).min / 2)
            weights = (scores + bias).softmax(-1).masked_fill(~own, 0)
        else:
            weights = scores.softmax(-1)
        outputs.append(weights @ value[..., g : g + 1, :, :])
        all_weights.append(weights)
    return torch.cat(outputs, dim=-3), torch.cat(all_weights, dim=-3)

def right__index_select(query, key, value, allowed=None):
    n_heads = query.shape[-3]
    group = torch.arange(n_heads, device=query.device) // (n_heads // key.shape[-3])
    scores = query @ key.index_select(-3, group).mT * query.size(-1) ** -0.5
    if allowed is not None:
        blocked = torch.zeros(allowed.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + blocked.masked_fill(~allowed, -1e30 if scores.dtype != torch.float16 else -6e4)
    weights = scores.softmax(dim=-1)
    weights = weights if allowed is None else torch.where(allowed, weights, 0)
    return weights @ value.index_select(-3, group), weights

def right__in_float32(query, key, value, allowed=None):
    dtype, wide = query.dtype, torch.promote_types(query.dtype, torch.float32)
    n_repeats = query.size(-3) // key.size(-3)
    q, k, v = query.to(wide), key.to(wide), value.to(wide)
    k, v = (torch.stack([x] * n_repeats, dim=-3).flatten(-4, -3) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).to(dtype), weights.to(dtype)

def right__earlier_helpers(query, key, value, allowed=None):
    shared_by = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(shared_by, dim=-3)
    value = value.repeat_interleave(shared_by, dim=-3)
    return attention(query, key, value, allowed)

def odd__with_attention(query, key, value, allowed=None):
    """The helper of notebook 02 after the repetition."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key, value = (x.repeat_interleave(n_repeats, -3) for x in (key, value))
    return attention(query, key, value, allowed)

def odd__renamed(q, k, v, mask=None):
    """Other names, and an answer that is a list."""
    r = q.size(-3) // k.size(-3)
    k, v = (torch.cat([g.expand(*g.shape[:-3], r, -1, -1) for g in x.split(1, -3)], -3) for x in (k, v))
    s = q @ k.mT / math.sqrt(q.size(-1))
    w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return [w @ v, w]

def odd__keyword_only(query, key, value, *, allowed=None, dropout=0.0):
    """The mask by name only, and an argument more."""
    index = [h * key.shape[-3] // query.shape[-3] for h in range(query.shape[-3])]
    key, value = key[..., index, :, :], value[..., index, :, :]
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return F.dropout(w, dropout) @ value, w

def odd__kron(query, key, value, allowed=None):
    """A matrix of ones and zeros hands each group to its heads."""
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    share = torch.eye(n_groups, dtype=query.dtype, device=query.device)
    share = share.repeat_interleave(n_heads // n_groups, dim=0)
    key, value = (torch.einsum("hg,...gkd->...hkd", share, x) for x in (key, value))
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w

def wrong__groups_tiled__4(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.unsqueeze(-4).expand(*key.shape[:-3], n_repeats, *key.shape[-3:]).flatten(-4, -3)
    value = value.unsqueeze(-4).expand(*value.shape[:-3], n_repeats, *value.shape[-3:]).flatten(-4, -3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights

# The scores are not divided.
wrong__no_scale__1 = change(right__repeat_interleave, ("(-2, -1) / math.sqrt(query.shape[-1])", "(-2, -1)"))
# Softmax over the heads.
wrong__softmax_over_heads__1 = change(right__repeat_interleave, (", dim=-1", ", dim=-3"))
wrong__mask_inverted__1 = change(right__repeat_interleave, ("~allowed", "allowed"))
wrong__mask_inverted__2 = change(right__einsum_by_group, ("else allowed", "else ~allowed"))
wrong__mask_ignored__1 = change(
    right__repeat_interleave, ("if allowed is not None:", ""),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
)
wrong__mask_ignored__2 = change(right__loop_over_heads, ("scores = scores", "scores"))
wrong__mask_after_softmax__1 = change(
    wrong__mask_ignored__1,
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed",
    ),
)
wrong__mask_after_softmax__2 = change(
    right__loop_over_heads, ("scores = scores", "weights = scores.softmax(-1)"), ("-torch.inf", "0"),
    ("weights = scores.softmax(-1).nan_to_num()", ""),
)
wrong__mask_scores_to_zero__1 = change(
    right__repeat_interleave,
    (
        "if allowed is not None:",
        "if allowed is None:",
        "    weights = F.softmax(scores, dim=-1)",
        "else:",
        "    weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)",
    ),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    ("weights = torch.nan_to_num(F.softmax(scores, dim=-1))", ""),
)
wrong__mask_scores_to_zero__2 = change(
    right__einsum_by_group,
    (
        "torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)",
    ),
)
wrong__mask_scores_to_zero__3 = change(
    right__loop_over_heads,
    ("scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)", "seen = mask[..., h, :, :]"),
    (
        "scores.softmax(-1).nan_to_num()",
        "torch.where(seen, scores, -1e-9).softmax(-1) * seen.any(-1, keepdim=True)",
    ),
)
wrong__mask_tiny_fill__1 = change(
    wrong__mask_scores_to_zero__1, ("else:", "else:", "    scores = scores.masked_fill(~allowed, -10)"),
    ("scores * allowed", "scores"),
)
wrong__mask_tiny_fill__2 = change(
    wrong__mask_scores_to_zero__2, ("scores.masked_fill(~allowed, 0)", "torch.where(allowed, scores, -10.0)"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_scores_to_zero__2, (".masked_fill(~allowed, 0)", ".add(allowed.type_as(scores))"),
)
wrong__mask_fully_nan__1 = change(
    right__repeat_interleave, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_nan__2 = change(
    right__einsum_by_group, ("weights =", "weights = (scores +"), ("scores, torch.finfo", "0.0, -math.inf).to"),
    (".min).softmax(-1) * allowed", ").softmax(-1)"),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(right__einsum_by_group, ("(-1) * allowed", "(-1)"))
wrong__mask_fully_uniform__3 = change(right__loop_over_heads, ("()", "(nan=1 / key.shape[-2])"))
wrong__softmax_over_queries__1 = change(right__repeat_interleave, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(right__einsum_by_group, ("(-1)", "(-2)"))
wrong__scale_by_d_model__1 = change(right__repeat_interleave, ("[-1]", "[-3] * query.shape[-1]"))
wrong__scale_by_d_model__2 = change(right__loop_over_heads, ("query.shape[-1]", "(n_heads * query.shape[-1])"))
wrong__scale_multiplied__1 = change(right__repeat_interleave, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__einsum_by_group, ("d_key**-0", "d_key**0"))
wrong__groups_tiled__1 = change(
    right__repeat_interleave, ("key.repeat_interleave(n_repeats, dim=-3)", "torch.cat([key] * n_repeats, dim=-3)"),
    ("value.repeat_interleave(n_repeats, dim=-3)", "torch.cat([value] * n_repeats, dim=-3)"),
)
wrong__groups_tiled__2 = change(right__loop_over_heads, ("* n_groups // n_heads", "% n_groups"))
wrong__groups_tiled__3 = change(
    right__einsum_by_group, ("query.unflatten(-3, (n_groups, -1))", "query.unflatten(-3, (-1, n_groups))"),
    ('"...grqd,...gkd->...grqk"', '"...rgqd,...gkd->...rgqk"'),
    ('"...grqk,...gkv->...grqv"', '"...rgqk,...gkv->...rgqv"'), ("(-3, (n_groups, -1)),", "(-3, (-1, n_groups)),"),
)
wrong__detached__1 = change(
    right__repeat_interleave, ("weights @", "(weights @"), (", weights", ").detach(), weights.detach()"),
)
wrong__detached__2 = change(
    right__einsum_by_group,
    ("n_groups, d_key", "query, key, value = query.data, key.data, value.data", "n_groups, d_key"),
)
wrong__detached__3 = change(right__loop_over_heads, ("def", "@torch.no_grad()", "def"))
wrong__input_changed__1 = change(
    wrong__no_scale__1, ("scores = query", "query /= math.sqrt(query.shape[-1])", "scores = query"),
)
wrong__input_changed__2 = change(
    right__einsum_by_group, ("else allowed", "else allowed", "blocked = allowed.logical_not_()"),
    ("torch.where(allowed, scores", "scores.masked_fill(blocked"), ("* allowed", "* ~blocked"),
)
wrong__input_changed__3 = change(
    right__loop_over_heads, (".mT / query", ".mul_(query"), ("[-1] ** 0.5", "[-1] ** -0.5).mT"),
)
wrong__wrong_device__1 = change(
    right__repeat_interleave,
    ("math.sqrt(query.shape[-1])", "torch.tensor([query.shape[-1]], dtype=query.dtype).sqrt()"),
)
wrong__wrong_device__2 = change(right__loop_over_heads, ("query.new_ones", "torch.ones"))
wrong__wrong_dtype__1 = change(wrong__detached__1, (".detach(), weights.detach", ".float(), weights.float"))
wrong__wrong_dtype__2 = change(
    right__loop_over_heads, ("(-1)", "(-1, dtype=torch.float32)"),
    ("(weights @ value[..., g, :, :])", "(weights @ value[..., g, :, :].to(torch.float32))"),
)
natural__mask_inverted__1 = change(wrong__mask_fully_nan__1, ("~allowed", "allowed"))
natural__mask_inverted__2 = change(wrong__mask_fully_nan__1, ("~allowed, -math.inf", "allowed, -1e9"))
natural__mask_scores_to_zero__1 = change(
    right__repeat_interleave, ("if allowed is not None:", ""),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores if allowed is None else scores * allowed, dim=-1)",
    ),
)
natural__mask_tiny_fill__1 = change(wrong__mask_fully_nan__1, ("math.inf", "10"))
natural__mask_added_as_01__1 = change(natural__mask_scores_to_zero__1, ("* allowed", "+ allowed"))
natural__softmax_over_queries__1 = change(wrong__mask_fully_nan__1, (", dim=-1", ", dim=-2"))
natural__scale_by_d_model__1 = change(wrong__mask_fully_nan__1, ("[-1]", "[-3] * query.shape[-1]"))
natural__scale_multiplied__1 = change(wrong__mask_fully_nan__1, ("(-2, -1) /", "(-2, -1) *"))
natural__groups_tiled__1 = change(
    wrong__groups_tiled__1, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
# The weights are not returned.
extra__weights_forgotten = change(right__repeat_interleave, (", weights", ""))
# (weights, output).
extra__return_order_swapped = change(extra__weights_forgotten, ("return weights", "return weights, weights"))
# The weights are averaged over the heads.
extra__weights_averaged = change(right__repeat_interleave, (", weights", ", weights.mean(-3)"))
# The weights keep an axis for the groups.
extra__weights_by_group = change(
    right__repeat_interleave, (", weights", ", weights.unflatten(-3, (-1, n_repeats))"),
)
# The output keeps an axis for the groups.
extra__output_by_group = change(right__einsum_by_group, ("mixed.flatten(-4, -3)", "mixed"))
# The heads' outputs are put side by side.
extra__heads_merged = change(
    right__repeat_interleave, ("weights @ value", "(weights @ value).transpose(-3, -2).flatten(-2)"),
)
# Divided by d_key.
extra__scale_by_d = change(right__repeat_interleave, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
# The root of the number of keys.
extra__scale_wrong_axis = change(right__repeat_interleave, ("query.shape[-1]", "key.shape[-2]"))
# The root of n_groups·d_key.
extra__scale_by_groups = change(
    right__einsum_by_group,
    (
        'scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5',
        "scores = (",
        '    torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * (n_groups * d_key) ** -0.5',
        ")",
    ),
)
# The root of d_key times the heads of a group.
extra__scale_by_heads_of_a_group = change(
    right__repeat_interleave, ("query.shape[-1]", "n_repeats * query.shape[-1]"),
)
# The scores are the weights.
extra__softmax_missing = change(
    right__repeat_interleave, ("-math.inf", "0"), ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores"),
)
# Softmax over axis 0.
extra__softmax_over_batch = change(right__repeat_interleave, (", dim=-1", ", dim=0"))
# One softmax over all heads of a group.
extra__softmax_over_group = change(
    right__einsum_by_group,
    (
        ".softmax(-1) * allowed",
        "",
        "shares = weights.unflatten(-3, (n_groups, -1)).movedim(-3, -2).flatten(-2).softmax(-1)",
        "shares = shares.unflatten(-1, (-1, key.shape[-2])).movedim(-2, -3).flatten(-4, -3)",
        "weights = shares * allowed",
    ),
)
# exp without the shift.
extra__softmax_overflows = change(
    right__repeat_interleave,
    (
        "weights = torch.nan_to_num(F.softmax(scores, dim=-1))",
        "parts = torch.exp(scores)",
        "weights = torch.nan_to_num(parts / parts.sum(-1, keepdim=True))",
    ),
)
# exp without the shift, and only rows of nothing are looked after.
extra__softmax_overflows__not_cleaned = change(
    right__repeat_interleave,
    (
        "weights = torch.nan_to_num(F.softmax(scores, dim=-1))",
        "parts = torch.exp(scores)",
        "weights = parts / parts.sum(-1, keepdim=True)",
        "if allowed is not None:",
        "    weights = torch.where(allowed.any(-1, keepdim=True), weights, 0)",
    ),
)
# Weights times keys.
extra__weights_times_keys = change(right__repeat_interleave, ("@ value,", "@ key,"))
# Nothing is repeated: an error unless there is one group or one head for each.
extra__not_repeated = change(
    right__repeat_interleave, ("n_repeats = query.shape[-3] // key.shape[-3]", ""),
    ("key = key.repeat_interleave(n_repeats, dim=-3)", ""),
    ("value = value.repeat_interleave(n_repeats, dim=-3)", ""),
)
# Only the keys are repeated.
extra__keys_only = change(right__repeat_interleave, ("value = value.repeat_interleave(n_repeats, dim=-3)", ""))
# Keys repeated in a row, values in turn.
extra__groups_mixed = change(
    right__repeat_interleave,
    ("value.repeat_interleave(n_repeats, dim=-3)", "torch.cat([value] * n_repeats, dim=-3)"),
)
# Keys repeated in turn, values in a row.
extra__groups_mixed__keys = change(
    right__repeat_interleave, ("key.repeat_interleave(n_repeats, dim=-3)", "torch.cat([key] * n_repeats, dim=-3)"),
)
# Every head looks at the first group.
extra__first_group_for_all = change(
    extra__not_repeated,
    ("scores = query", "key = key[..., :1, :, :]", "value = value[..., :1, :, :]", "scores = query"),
)
# Every head looks at the mean of the groups, as in multi-query attention.
extra__groups_averaged = change(
    extra__keys_only, ("n_repeats = query.shape[-3] // key.shape[-3]", "key = key.mean(-3, keepdim=True)"),
    ("key = key.repeat_interleave(n_repeats, dim=-3)", "value = value.mean(-3, keepdim=True)"),
)
# repeat_interleave along the tokens.
extra__tokens_repeated = change(
    right__repeat_interleave,
    ("key.repeat_interleave(n_repeats, dim=-3)", "key.repeat_interleave(n_repeats, dim=-2)"),
    ("value.repeat_interleave(n_repeats, dim=-3)", "value.repeat_interleave(n_repeats, dim=-2)"),
)
# The heads of a group are averaged: n_groups heads come out.
wrong__queries_averaged__1 = change(
    right__repeat_interleave,
    (
        "key = key.repeat_interleave(n_repeats, dim=-3)",
        "query = query.unflatten(-3, (-1, n_repeats)).mean(-3)",
    ),
    ("value = value.repeat_interleave(n_repeats, dim=-3)", ""),
)
# The mean goes to all heads of the group: all heads come out, and those of a group are the same.
wrong__queries_averaged__2 = change(
    right__repeat_interleave,
    (
        "scores = query",
        "query = query.unflatten(-3, (-1, n_repeats)).mean(-3).repeat_interleave(n_repeats, dim=-3)",
        "scores = query",
    ),
)
# The right groups, but the heads come back in another order.
extra__heads_out_of_order = change(right__einsum_by_group, ("return mixed", "return mixed.transpose(-4, -3)"))
# The last group goes to the first heads.
extra__groups_reversed = change(right__loop_over_heads, ("g =", "g = n_groups - 1 -"))
# h // n_groups in place of h // heads of a group: an error, or the wrong group.
extra__group_by_count = change(right__loop_over_heads, ("* n_groups // n_heads", "// n_groups"))
# dim=1: right with one batch axis only.
extra__repeated_along_axis_one = change(
    right__repeat_interleave,
    ("key.repeat_interleave(n_repeats, dim=-3)", "key.repeat_interleave(n_repeats, dim=1)"),
    ("value.repeat_interleave(n_repeats, dim=-3)", "value.repeat_interleave(n_repeats, dim=1)"),
)
# A head axis is inserted in the mask, as for a query not yet split.
extra__mask_head_axis = change(right__repeat_interleave, ("~allowed", "~allowed.unsqueeze(-3)"))
# The mask is transposed: an error unless there are as many queries as keys.
extra__mask_on_queries = change(right__repeat_interleave, ("~allowed", "~allowed.mT"))
# The first item's mask for the whole batch.
extra__mask_first_item_for_all = change(
    right__repeat_interleave, ("~allowed", "~(allowed[:1] if allowed.dim() > 3 else allowed)"),
)
# The first head's mask for all heads.
extra__mask_first_head_for_all = change(
    right__repeat_interleave, ("~allowed", "~(allowed[..., :1, :, :] if allowed.dim() > 2 else allowed)"),
)
# A query that may attend to nothing attends to everything.
extra__mask_fully_ignored = change(
    right__repeat_interleave, ("~allowed", "~allowed & allowed.any(-1, keepdim=True)"),
)
# None is not provided for.
extra__mask_required = change(
    wrong__mask_ignored__1, ("weights =", "scores = scores.masked_fill(~allowed, -math.inf)", "weights ="),
)
# A causal mask nobody asked for.
extra__always_causal = change(
    right__repeat_interleave,
    (
        "weights =",
        "blocked = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)",
        "scores = scores.masked_fill(blocked, -math.inf)",
        "weights =",
    ),
)
# −∞ is added and the NaN cleaned away afterwards: the gradients are NaN.
extra__gradient_nan = change(right__repeat_interleave, ("= scores", "= scores + torch.zeros_like(scores)"))
# One softmax over each head's matrix.
extra__softmax_over_everything = change(
    right__repeat_interleave, (", dim=-1", ".flatten(-2), dim=-1).view(scores.shape"),
)
# Keys reshaped where they should be transposed.
extra__key_reshaped = change(
    right__repeat_interleave, (".transpose(-2, -1)", ".reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])"),
)
# The values are cut from the graph.
extra__gradient_misses_value = change(right__repeat_interleave, (", weights", ".detach(), weights"))
# The weights that come back are cut from the graph.
extra__gradient_misses_weights = change(right__repeat_interleave, (", weights", ", weights.detach()"))
# An error without a batch axis and with two.
extra__four_axes_only = change(
    right__repeat_interleave, ("):", "):", "    _, n_heads, _, d_key = query.shape"),
    ("query.shape[-3]", "n_heads"), ("query.shape[-1]", "d_key"),
)
# float32 inside and cast back.
extra__float64_rounded = change(
    right__repeat_interleave,
    (
        "n_repeats =",
        "dtype = query.dtype",
        "query, key, value = query.float(), key.float(), value.float()",
        "n_repeats =",
    ),
    ("weights @", "(weights @"), (", weights", ").to(dtype), weights.to(dtype)"),
)

def forbidden__scaled_dot_product_attention(query, key, value, allowed=None):
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, enable_gqa=True)
    key = key.repeat_interleave(query.shape[-3] // key.shape[-3], dim=-3)
    return output, F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)

# Two mistakes at once.
double__no_scale__and_mask_ignored = change(wrong__mask_ignored__1, (" / math.sqrt(query.shape[-1])", ""))
double__groups_tiled__and_no_scale = change(wrong__groups_tiled__1, (" / math.sqrt(query.shape[-1])", ""))
double__groups_tiled__and_mask_inverted = change(wrong__groups_tiled__1, ("~allowed", "allowed"))
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    wrong__mask_ignored__1,
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed",
        "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)
# The values are copied in another order than the keys.
wrong__groups_tiled__5 = change(
    right__repeat_interleave,
    (
        "value.repeat_interleave(n_repeats, dim=-3)",
        "torch.cat([value] * n_repeats, dim=-3)",
    ),
)

def wrong__mask_not_cut__1(query, key, value, allowed=None):
    """The heads are cut into groups, and the mask stays as it is."""
    grouped = query.unflatten(-3, (key.shape[-3], -1))
    output, weights = attention(grouped, key.unsqueeze(-3), value.unsqueeze(-3), allowed)
    return output.flatten(-4, -3), weights.flatten(-4, -3)

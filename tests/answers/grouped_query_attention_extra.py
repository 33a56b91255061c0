"""Wrong answers beyond the table to `grouped_query_attention(query, key, value, allowed=None)` of notebook 09."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__grouped_query_attention__weights_forgotten(query, key, value, allowed=None):
    """The weights are not returned."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value


def extra__grouped_query_attention__return_order_swapped(query, key, value, allowed=None):
    """(weights, output)."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights, weights @ value


def extra__grouped_query_attention__weights_averaged(query, key, value, allowed=None):
    """The weights are averaged over the heads."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights.mean(-3)


def extra__grouped_query_attention__weights_by_group(query, key, value, allowed=None):
    """The weights keep an axis for the groups."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights.unflatten(-3, (-1, n_repeats))


def extra__grouped_query_attention__output_by_group(query, key, value, allowed=None):
    """The output keeps an axis for the groups."""
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed, weights


def extra__grouped_query_attention__heads_merged(query, key, value, allowed=None):
    """The heads' outputs are put side by side."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return (weights @ value).transpose(-3, -2).flatten(-2), weights


def extra__grouped_query_attention__no_scale(query, key, value, allowed=None):
    """The scores are not divided."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__scale_by_d(query, key, value, allowed=None):
    """Divided by d_key."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / query.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__scale_wrong_axis(query, key, value, allowed=None):
    """The root of the number of keys."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-2])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__scale_by_groups(query, key, value, allowed=None):
    """The root of n_groups·d_key."""
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = (
        torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * (n_groups * d_key) ** -0.5
    )
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def extra__grouped_query_attention__scale_by_heads_of_a_group(query, key, value, allowed=None):
    """The root of d_key times the heads of a group."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(n_repeats * query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__softmax_missing(query, key, value, allowed=None):
    """The scores are the weights."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, 0)
    weights = scores
    return weights @ value, weights


def extra__grouped_query_attention__softmax_over_heads(query, key, value, allowed=None):
    """Softmax over the heads."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-3))
    return weights @ value, weights


def extra__grouped_query_attention__softmax_over_batch(query, key, value, allowed=None):
    """Softmax over axis 0."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=0))
    return weights @ value, weights


def extra__grouped_query_attention__softmax_over_group(query, key, value, allowed=None):
    """One softmax over all heads of a group."""
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    shares = weights.unflatten(-3, (n_groups, -1)).movedim(-3, -2).flatten(-2).softmax(-1)
    shares = shares.unflatten(-1, (-1, key.shape[-2])).movedim(-2, -3).flatten(-4, -3)
    weights = shares * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def extra__grouped_query_attention__softmax_overflows(query, key, value, allowed=None):
    """exp without the shift."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    parts = torch.exp(scores)
    weights = torch.nan_to_num(parts / parts.sum(-1, keepdim=True))
    return weights @ value, weights


def extra__grouped_query_attention__weights_times_keys(query, key, value, allowed=None):
    """Weights times keys."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ key, weights


def extra__grouped_query_attention__not_repeated(query, key, value, allowed=None):
    """Nothing is repeated: an error unless there is one group or one head for each."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__keys_only(query, key, value, allowed=None):
    """Only the keys are repeated."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__groups_mixed(query, key, value, allowed=None):
    """Keys repeated in a row, values in turn."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = torch.cat([value] * n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__groups_mixed__keys(query, key, value, allowed=None):
    """Keys repeated in turn, values in a row."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = torch.cat([key] * n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__first_group_for_all(query, key, value, allowed=None):
    """Every head looks at the first group."""
    key = key[..., :1, :, :]
    value = value[..., :1, :, :]
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__groups_averaged(query, key, value, allowed=None):
    """Every head looks at the mean of the groups, as in multi-query attention."""
    key = key.mean(-3, keepdim=True)
    value = value.mean(-3, keepdim=True)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__tokens_repeated(query, key, value, allowed=None):
    """repeat_interleave along the tokens."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-2)
    value = value.repeat_interleave(n_repeats, dim=-2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__queries_averaged(query, key, value, allowed=None):
    """The heads of a group are averaged: n_groups heads come out."""
    n_repeats = query.shape[-3] // key.shape[-3]
    query = query.unflatten(-3, (-1, n_repeats)).mean(-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__heads_out_of_order(query, key, value, allowed=None):
    """The right groups, but the heads come back in another order."""
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.transpose(-4, -3).flatten(-4, -3), weights


def extra__grouped_query_attention__groups_reversed(query, key, value, allowed=None):
    """The last group goes to the first heads."""
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = n_groups - 1 - h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def extra__grouped_query_attention__group_by_count(query, key, value, allowed=None):
    """h // n_groups in place of h // heads of a group: an error, or the wrong group."""
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h // n_groups
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def extra__grouped_query_attention__repeated_along_axis_one(query, key, value, allowed=None):
    """dim=1: right with one batch axis only."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=1)
    value = value.repeat_interleave(n_repeats, dim=1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__mask_head_axis(query, key, value, allowed=None):
    """A head axis is inserted in the mask, as for a query not yet split."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__mask_on_queries(query, key, value, allowed=None):
    """The mask is transposed: an error unless there are as many queries as keys."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.mT, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__mask_first_item_for_all(query, key, value, allowed=None):
    """The first item's mask for the whole batch."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~(allowed[:1] if allowed.dim() > 3 else allowed), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__mask_first_head_for_all(query, key, value, allowed=None):
    """The first head's mask for all heads."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~(allowed[..., :1, :, :] if allowed.dim() > 2 else allowed), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__mask_fully_ignored(query, key, value, allowed=None):
    """A query that may attend to nothing attends to everything."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed & allowed.any(-1, keepdim=True), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__mask_required(query, key, value, allowed=None):
    """None is not provided for."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__always_causal(query, key, value, allowed=None):
    """A causal mask nobody asked for."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    blocked = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
    scores = scores.masked_fill(blocked, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__gradient_nan(query, key, value, allowed=None):
    """−∞ is added and the NaN cleaned away afterwards: the gradients are NaN."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__softmax_overflows__not_cleaned(query, key, value, allowed=None):
    """exp without the shift, and only rows of nothing are looked after."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    parts = torch.exp(scores)
    weights = parts / parts.sum(-1, keepdim=True)
    if allowed is not None:
        weights = torch.where(allowed.any(-1, keepdim=True), weights, 0)
    return weights @ value, weights


def extra__grouped_query_attention__softmax_over_everything(query, key, value, allowed=None):
    """One softmax over each head's matrix."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores.flatten(-2), dim=-1).view(scores.shape))
    return weights @ value, weights


def extra__grouped_query_attention__key_reshaped(query, key, value, allowed=None):
    """Keys reshaped where they should be transposed."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2]) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__gradient_misses_value(query, key, value, allowed=None):
    """The values are cut from the graph."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value.detach(), weights


def extra__grouped_query_attention__gradient_misses_weights(query, key, value, allowed=None):
    """The weights that come back are cut from the graph."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights.detach()


def extra__grouped_query_attention__four_axes_only(query, key, value, allowed=None):
    """An error without a batch axis and with two."""
    _, n_heads, _, d_key = query.shape
    n_repeats = n_heads // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_key)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def extra__grouped_query_attention__float64_rounded(query, key, value, allowed=None):
    """float32 inside and cast back."""
    dtype = query.dtype
    query, key, value = query.float(), key.float(), value.float()
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return (weights @ value).to(dtype), weights.to(dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

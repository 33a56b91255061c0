"""Wrong answers beyond the table to `multi_head_attention` of notebook 04."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__multi_head_attention__weights_forgotten(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The weights are not returned."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out


def extra__multi_head_attention__return_order_swapped(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """(weights, output)."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return weights, output @ w_out


def extra__multi_head_attention__weights_averaged(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The weights are averaged over the heads, as nn.MultiheadAttention returns them."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights.mean(dim=-3)


def extra__multi_head_attention__weights_of_last_head(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Only the last head's weights come back."""
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, weights


def extra__multi_head_attention__weights_heads_last(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The head axis of the weights comes after the tokens."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights.movedim(-3, -1)


def extra__multi_head_attention__weights_heads_first(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The head axis of the weights comes before the batch."""
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=0)


def extra__multi_head_attention__scale_by_d_model__projected(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The root of the projected width, n_heads·d_key."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(w_query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__scale_by_d__of_all_heads(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Divided by n_heads·d_key."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / w_query.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__scale_by_n_heads(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The root of the number of heads."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(n_heads)
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__scale_wrong_axis__tokens(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The root of n_tokens."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-2])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__scale_wrong_axis__values(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The root of d_value."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(value.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__scale_rounded(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The whole-number root."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.isqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__scale_assumed(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The root of d_model / n_heads, whatever d_key is."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1] / n_heads)
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__heads_interleaved(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Head h takes channels h, h + n_heads, …; merged in order."""
    query = (x @ w_query).unflatten(-1, (-1, n_heads)).movedim(-1, -3)
    key = (x @ w_key).unflatten(-1, (-1, n_heads)).movedim(-1, -3)
    value = (x @ w_value).unflatten(-1, (-1, n_heads)).movedim(-1, -3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__heads_interleaved__throughout(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Split and merged by strides: the blocks of the matrices are other ones."""
    query = (x @ w_query).unflatten(-1, (-1, n_heads)).movedim(-1, -3)
    key = (x @ w_key).unflatten(-1, (-1, n_heads)).movedim(-1, -3)
    value = (x @ w_value).unflatten(-1, (-1, n_heads)).movedim(-1, -3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).movedim(-3, -1).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__merge_interleaved(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Split in order, merged by strides."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).movedim(-3, -1).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__heads_by_view__throughout(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Split and merged by view: tokens and channels mix on both ways."""
    query = (x @ w_query).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    key = (x @ w_key).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    value = (x @ w_value).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).reshape(*x.shape[:-1], -1)
    return output @ w_out, weights


def extra__multi_head_attention__heads_by_view__value(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Only the values are split by view."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__heads_averaged(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The mean of the heads: an error unless there is one head."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).mean(dim=-3)
    return output @ w_out, weights


def extra__multi_head_attention__heads_averaged__outputs(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Each head goes through its part of w_out, and the mean is taken of what should be summed."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out / n_heads, weights


def extra__multi_head_attention__one_head(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The heads are never split."""
    query = (x @ w_query).unflatten(-1, (1, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (1, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (1, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__one_head__repeated(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The heads are never split, and the weights repeated for each."""
    query = (x @ w_query).unflatten(-1, (1, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (1, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (1, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights.expand(*weights.shape[:-3], n_heads, *weights.shape[-2:])


def extra__multi_head_attention__heads_as_width(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """n_heads is taken as d_head."""
    query = (x @ w_query).unflatten(-1, (-1, n_heads)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (-1, n_heads)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (-1, n_heads)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__first_head_everywhere__values(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Every head mixes the first head's values."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value[..., :1, :, :]).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__first_head_everywhere__keys(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Every head compares with the first head's keys."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key[..., :1, :, :].transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__one_head_left_out(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The loop stops a head early: an error, or a missing head."""
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    parts = [part[:-1] if n_heads > 1 else part for part in parts]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out[: sum(part.shape[-1] for part in outputs)], torch.stack(
        all_weights, dim=-3
    )


def extra__multi_head_attention__output_projection_transposed(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """w_outᵀ, as nn.Linear stores it: an error unless it is square."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out.T, weights


def extra__multi_head_attention__weights_transposed(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """x @ w.T throughout: an error unless the matrices are square."""
    query = (x @ w_query.T).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key.T).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value.T).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out.T, weights


def extra__multi_head_attention__value_not_projected(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """V = X."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__no_projection(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Q = K = V = X, split into heads."""
    query = x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__weights_times_keys(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Weights times keys: an error unless d_key equals d_value."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ key).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__roles_swapped(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The matrices of query and key are exchanged."""
    query = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__shared_projection__all(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """One matrix for all three: an error unless d_key equals d_value."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__residual_added(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """x is added to the output: an error unless d_out equals d_model."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out + x, weights


def extra__multi_head_attention__softmax_missing(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The scores are the weights."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), 0)
    weights = scores
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__softmax_overflows(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """exp without the shift."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__softmax_overflows__not_cleaned(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """exp without the shift, and only rows of nothing are looked after."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.exp(scores)
    total = weights.sum(-1, keepdim=True)
    weights = weights / torch.where(total == 0, 1, total)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__softmax_overflows__plain(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """exp without the shift, where nothing is looked after."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__softmax_over_batch(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """Softmax over axis 0."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=0))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__softmax_over_heads__and_keys(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """One softmax over all heads' keys."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = (
        torch.nan_to_num(F.softmax(scores.movedim(-3, -2).flatten(-2), dim=-1))
        .unflatten(-1, (n_heads, -1))
        .movedim(-2, -3)
    )
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__softmax_over_everything(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """One softmax over each head's matrix."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores.flatten(-2), dim=-1)).view(scores.shape)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_head_axis_second(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """unsqueeze(1): right only for a mask of three axes."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(1), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_head_axis_first(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """unsqueeze(0): right only for a mask of two axes."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(0), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_head_axis_last(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The head axis of the mask after the queries."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-2), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_first_head_only(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """Only the first head is masked."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        first = scores[..., :1, :, :].masked_fill(~allowed.unsqueeze(-3), -math.inf)
        scores = torch.cat([first, scores[..., 1:, :, :]], dim=-3)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_first_item_for_all(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The first item's mask for the whole batch."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed[(0,) * (allowed.dim() - 2)], -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_first_item_for_all__with_heads(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The first item's mask for the whole batch and all heads."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~(allowed[:1] if allowed.dim() > 2 else allowed).unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_fully_ignored(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """A query that may attend to nothing attends to everything."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill((~allowed & allowed.any(-1, keepdim=True)).unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__mask_required(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """None is not provided for: an error without a mask."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__gradient_nan(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """-inf is added and the NaN cleaned away afterwards: the gradients are NaN."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__gradient_misses_weights(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """The weights are cut from the graph."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1)).detach()
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__gradient_misses_w_out(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    """w_out is cut from the graph."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out.detach(), weights


def extra__multi_head_attention__three_axes_only(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """An error without a batch axis and with two."""
    _, _, _ = x.shape
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__axis_one(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """transpose(1, 2): right with one batch axis only."""
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(1, 2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(1, 2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(1, 2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(1, 2).flatten(-2)
    return output @ w_out, weights


def extra__multi_head_attention__float64_rounded(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """float32 inside and cast back."""
    dtype = x.dtype
    x, w_query, w_key, w_value, w_out = (t.float() for t in (x, w_query, w_key, w_value, w_out))
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return (output @ w_out).to(dtype), weights.to(dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Wrong answers beyond the table to `cached_attention(query, key, value, cache=None)` of notebook 09."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__cached_attention__key_reshaped(query, key, value, cache=None):
    """Keys reshaped where they should be transposed."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = (
        query @ keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2]) / math.sqrt(query.shape[-1])
    )
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__no_scale(query, key, value, cache=None):
    """The scores are not divided."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1)
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__scale_by_d(query, key, value, cache=None):
    """Divided by d_key."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / query.shape[-1]
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__scale_wrong_axis(query, key, value, cache=None):
    """The root of the number of keys."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-2])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__scale_wrong_axis__values(query, key, value, cache=None):
    """The root of d_value."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(values.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__softmax_missing(query, key, value, cache=None):
    """The scores are the weights."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = scores
    return weights @ values, (keys, values)


def extra__cached_attention__softmax_overflows(query, key, value, cache=None):
    """exp without the shift."""
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores)
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


def extra__cached_attention__softmax_over_batch(query, key, value, cache=None):
    """Softmax over axis 0."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=0)
    return weights @ values, (keys, values)


def extra__cached_attention__weights_times_keys(query, key, value, cache=None):
    """Weights times keys: an error or a wrong width unless d_key equals d_value."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ keys, (keys, values)


def extra__cached_attention__weights_added(query, key, value, cache=None):
    """The weights come back too."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, weights, (keys, values)


def extra__cached_attention__weights_for_cache(query, key, value, cache=None):
    """(output, weights), as everywhere else; the cache is forgotten."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, weights


def extra__cached_attention__cache_forgotten(query, key, value, cache=None):
    """Only the output comes back."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values


def extra__cached_attention__cache_flat(query, key, value, cache=None):
    """Three results side by side, not a pair in a pair."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, keys, values


def extra__cached_attention__cache_stacked(query, key, value, cache=None):
    """Keys and values in one tensor: an error unless d_key equals d_value."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, torch.stack([keys, values])


def extra__cached_attention__cache_swapped(query, key, value, cache=None):
    """(values, keys)."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (values, keys)


def extra__cached_attention__return_order_swapped(query, key, value, cache=None):
    """The cache before the output."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return (keys, values), weights @ values


def extra__cached_attention__cache_first(query, key, value, cache=None):
    """(cache, …) and the pair taken the other way round: values as keys."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[1], key], dim=-2), torch.cat([cache[0], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__only_new_kept(query, key, value, cache=None):
    """The cache that comes back holds the new token only."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (key, value)


def extra__cached_attention__only_new_attended(query, key, value, cache=None):
    """The token attends to itself alone, the cache only grows."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ value, (keys, values)


def extra__cached_attention__cache_ignored(query, key, value, cache=None):
    """The cache is never looked at."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = key, value
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__keys_only_cached(query, key, value, cache=None):
    """The values are not appended: an error once there is a cache."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), value
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__cache_required(query, key, value, cache=None):
    """None is not provided for."""
    keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__cache_order__value_only(query, key, value, cache=None):
    """The new value is put first, the new key last."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([value, cache[1]], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__oldest_dropped(query, key, value, cache=None):
    """A window that slides: the oldest token is dropped."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = (
            torch.cat([cache[0][..., 1:, :], key], dim=-2),
            torch.cat([cache[1][..., 1:, :], value], dim=-2),
        )
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__appended_twice(query, key, value, cache=None):
    """The new token is appended twice."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key, key], dim=-2), torch.cat([cache[1], value, value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__along_axis_one(query, key, value, cache=None):
    """Joined along axis 1: right with one batch axis only."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=1), torch.cat([cache[1], value], dim=1)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__along_batch(query, key, value, cache=None):
    """Joined along axis 0."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key]), torch.cat([cache[1], value])
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__along_channels(query, key, value, cache=None):
    """Joined along the channels: an error as soon as the query meets it."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-1), torch.cat([cache[1], value], dim=-1)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__added(query, key, value, cache=None):
    """The new key and value are added to the cached ones."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = cache[0] + key, cache[1] + value
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__causal_top_left(query, key, value, cache=None):
    """A causal mask aligned at the top left: the query sees the oldest key only."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    blocked = torch.ones_like(scores, dtype=torch.bool).triu(1)
    scores = scores.masked_fill(blocked, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__keys_scaled_in_cache(query, key, value, cache=None):
    """The keys are scaled before they are kept: again at every step."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    keys = keys / math.sqrt(query.shape[-1])
    scores = query @ keys.transpose(-2, -1)
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__keys_kept_transposed(query, key, value, cache=None):
    """The keys come back as columns."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys.mT, values)


def extra__cached_attention__query_cached(query, key, value, cache=None):
    """The query goes into the cache in the key's place."""
    if cache is None:
        keys, values = query, value
    else:
        keys, values = torch.cat([cache[0], query], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__cache_detached(query, key, value, cache=None):
    """Old tokens are cut from the graph."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = (
            torch.cat([cache[0].detach(), key], dim=-2),
            torch.cat([cache[1].detach(), value], dim=-2),
        )
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__new_cache_detached(query, key, value, cache=None):
    """The output is differentiable, the cache that comes back is not."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys.detach(), values.detach())


def extra__cached_attention__gradient_misses_query(query, key, value, cache=None):
    """The query is cut from the graph."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query.detach() @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def extra__cached_attention__float64_rounded(query, key, value, cache=None):
    """float32 inside and cast back."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query.float() @ keys.float().transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return (weights @ values.float()).to(values.dtype), (keys, values)


def extra__cached_attention__output_squeezed(query, key, value, cache=None):
    """The axis of the one query is lost."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return (weights @ values).squeeze(-2), (keys, values)


def extra__cached_attention__newest_left_out(query, key, value, cache=None):
    """The room for the newest is never filled."""
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = 0, 0
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


def extra__cached_attention__mean_of_values(query, key, value, cache=None):
    """All tokens of the past count the same."""
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(0 * scores, dim=-1)
    return weights @ values, (keys, values)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Wrong answers to `cached_attention(query, key, value, cache=None)` of notebook 09."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__cached_attention__softmax_over_queries__1(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-2)
    return weights @ values, (keys, values)


def wrong__cached_attention__softmax_over_queries__2(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores - scores.amax(-2, keepdim=True))
    weights = parts / parts.sum(-2, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


def wrong__cached_attention__scale_multiplied__1(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) * math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__scale_multiplied__2(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** 0.5
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


def wrong__cached_attention__cache_order__1(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([key, cache[0]], dim=-2), torch.cat([value, cache[1]], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__cache_order__2(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., 1:, :], values[..., 1:, :] = cache
    keys[..., :1, :], values[..., :1, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


def wrong__cached_attention__cache_order__3(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([key, cache[0]], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__cache_not_extended__1(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (key, value) if cache is None else cache


def wrong__cached_attention__cache_not_extended__2(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), cache or (key, value)


def wrong__cached_attention__cache_not_extended__3(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, cache


def wrong__cached_attention__cache_excludes_self__1(query, key, value, cache=None):
    if cache is None:
        return value + 0 * (query * key).sum(-1, keepdim=True), (key, value)
    keys, values = cache
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    output = F.softmax(scores, dim=-1) @ values
    return output, (torch.cat([keys, key], dim=-2), torch.cat([values, value], dim=-2))


def wrong__cached_attention__cache_excludes_self__2(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys[..., :n_past, :]) * query.shape[-1] ** -0.5
    if not n_past:
        return torch.zeros_like(value), (keys, values)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values[..., :n_past, :]), (keys, values)


def wrong__cached_attention__cache_excludes_self__3(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    scores[..., -1] = scores[..., -1] if cache is None else -math.inf
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__detached__1(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return (weights @ values).detach(), (keys.detach(), values.detach())


def wrong__cached_attention__detached__2(query, key, value, cache=None):
    query, key, value = query.data, key.data, value.data
    cache = None if cache is None else (cache[0].data, cache[1].data)
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


@torch.no_grad()
def wrong__cached_attention__detached__3(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__input_changed__1(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    query /= math.sqrt(query.shape[-1])
    scores = query @ keys.transpose(-2, -1)
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__input_changed__2(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = key.new_empty(*key.shape[:-2], n_past + 1, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], n_past + 1, value.shape[-1])
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query.mul_(query.shape[-1] ** -0.5), keys)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


def wrong__cached_attention__input_changed__3(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = cache
        keys.transpose_(-2, -1)
        keys = torch.cat([keys, key.transpose(-2, -1)], dim=-1).transpose(-2, -1)
        values = torch.cat([values, value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__wrong_device__1(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = torch.empty(*key.shape[:-2], n_past + 1, key.shape[-1], dtype=key.dtype)
    values = torch.empty(*value.shape[:-2], n_past + 1, value.shape[-1], dtype=value.dtype)
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


def wrong__cached_attention__wrong_device__2(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / torch.tensor([query.shape[-1]], dtype=query.dtype).sqrt()
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def wrong__cached_attention__wrong_dtype__1(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return (weights @ values).float(), (keys.float(), values.float())


def wrong__cached_attention__wrong_dtype__2(query, key, value, cache=None):
    n_past = 0 if cache is None else cache[0].shape[-2]
    keys = torch.empty(*key.shape[:-2], n_past + 1, key.shape[-1], device=key.device)
    values = torch.empty(*value.shape[:-2], n_past + 1, value.shape[-1], device=key.device)
    if n_past:
        keys[..., :n_past, :], values[..., :n_past, :] = cache
    keys[..., n_past:, :], values[..., n_past:, :] = key, value
    scores = torch.einsum("...qd,...kd->...qk", query.float(), keys) * query.shape[-1] ** -0.5
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, values), (keys, values)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

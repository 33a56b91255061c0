"""Right answers to `cached_attention(query, key, value, cache=None)` of notebook 09."""

from __future__ import annotations

import collections
import math

import torch
import torch.nn.functional as F

from course_attention import attention
from tests.answers.gather import gather


def right__cached_attention__concatenated(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)


def right__cached_attention__new_room(query, key, value, cache=None):
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


def right__cached_attention__rows_stacked(query, key, value, cache=None):
    rows = [[] if cache is None else list(part.unbind(dim=-2)) for part in (cache or (None, None))]
    rows[0].append(key.squeeze(-2))
    rows[1].append(value.squeeze(-2))
    keys, values = (torch.stack(part, dim=-2) for part in rows)
    scores = (keys * query).sum(-1) / query.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return (weights.unsqueeze(-1) * values).sum(-2, keepdim=True), (keys, values)


def right__cached_attention__old_and_new_apart(query, key, value, cache=None):
    # The new token's share of the softmax is a sigmoid: nothing is joined but the cache.
    if cache is None:
        return value + 0 * (query * key).sum(-1, keepdim=True), (key, value)
    old_keys, old_values = cache
    scale = 1 / math.sqrt(key.size(-1))
    old, new = (query * scale) @ old_keys.mT, (query * scale * key).sum(-1, keepdim=True)
    share = torch.sigmoid(new - torch.logsumexp(old, dim=-1, keepdim=True))
    output = share * value + (1 - share) * (old.softmax(-1) @ old_values)
    return output, (torch.cat((old_keys, key), -2), torch.cat((old_values, value), -2))


def right__cached_attention__padded(query, key, value, cache=None):
    if cache is not None:
        past = cache[0].shape[-2]
        key = F.pad(cache[0], (0, 0, 0, 1)) + F.pad(key, (0, 0, past, 0))
        value = F.pad(cache[1], (0, 0, 0, 1)) + F.pad(value, (0, 0, past, 0))
    scores = torch.matmul(query, key.mT).div(key.shape[-1] ** 0.5)
    weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()
    return [weights.matmul(value), [key, value]]


def right__cached_attention__last_row_of_causal(query, key, value, cache=None):
    # The whole causal matrix, of which the last row is kept; only the last query is known.
    empty = key.narrow(-2, 0, 0), value.narrow(-2, 0, 0)
    keys, values = (torch.cat(pair, dim=-2) for pair in zip(cache or empty, (key, value), strict=True))
    n_tokens = keys.shape[-2]
    queries = F.pad(query, (0, 0, n_tokens - 1, 0))
    allowed = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=query.device).tril()
    scores = queries @ keys.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=-1)
    return (weights @ values)[..., -1:, :], (keys, values)


def right__cached_attention__in_float32(query, key, value, cache=None):
    keys = key if cache is None else torch.cat([cache[0], key], dim=key.dim() - 2)
    values = value if cache is None else torch.cat([cache[1], value], dim=value.dim() - 2)
    wide = torch.promote_types(query.dtype, torch.float32)
    scores = query.to(wide) @ keys.to(wide).mT / math.sqrt(query.shape[-1])
    return (scores.softmax(-1) @ values.to(wide)).to(query.dtype), (keys, values)


def odd__cached_attention__with_attention(query, key, value, cache=None):
    """The helper of notebook 02 does the work."""
    if cache:
        key, value = (torch.cat([old, new], dim=-2) for old, new in zip(cache, (key, value), strict=True))
    return attention(query, key, value)[0], (key, value)


def odd__cached_attention__renamed(q, k, v, past=None):
    """Other names, and a pair that is a named tuple."""
    pair = collections.namedtuple("Cache", "keys values")
    past = pair(k[..., :0, :], v[..., :0, :]) if past is None else pair(*past)
    now = pair(torch.cat([past.keys, k], -2), torch.cat([past.values, v], -2))
    return (q @ now.keys.mT / math.sqrt(q.size(-1))).softmax(-1) @ now.values, now


def odd__cached_attention__torch_sdpa(query, key, value, *, cache=None, causal=False):
    """torch's own function, the cache by name only, and an argument more."""
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    return F.scaled_dot_product_attention(query, key, value, is_causal=causal), (key, value)


def odd__cached_attention__keys_kept_transposed(query, key, value, cache=None):
    """The new keys come back as a transposed view."""
    keys, values = key.mT, value.mT
    if cache is not None:
        keys = torch.cat([cache[0].mT, keys], dim=-1)
        values = torch.cat([cache[1].mT, values], dim=-1)
    weights = F.softmax(query @ keys / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ values.mT, [keys.mT, values.mT]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

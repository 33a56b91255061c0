"""Answers to `cached_attention(query, key, value, cache=None)` of notebook 10."""

import collections
import math

import torch
import torch.nn.functional as F

from course_attention import attention
from tests.corpus import change

def right__concatenated(query, key, value, cache=None):
    if cache is None:
        keys, values = key, value
    else:
        keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)

def right__new_room(query, key, value, cache=None):
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

def right__rows_stacked(query, key, value, cache=None):
    rows = [[] if cache is None else list(part.unbind(dim=-2)) for part in (cache or (None, None))]
    rows[0].append(key.squeeze(-2))
    rows[1].append(value.squeeze(-2))
    keys, values = (torch.stack(part, dim=-2) for part in rows)
    scores = (keys * query).sum(-1) / query.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return (weights.unsqueeze(-1) * values).sum(-2, keepdim=True), (keys, values)

def right__old_and_new_apart(query, key, value, cache=None):
    # The new token's share of the softmax is a sigmoid: nothing is joined but the cache.
    if cache is None:
        return value + 0 * (query * key).sum(-1, keepdim=True), (key, value)
    old_keys, old_values = cache
    scale = 1 / math.sqrt(key.size(-1))
    old, new = (query * scale) @ old_keys.mT, (query * scale * key).sum(-1, keepdim=True)
    share = torch.sigmoid(new - torch.logsumexp(old, dim=-1, keepdim=True))
    output = share * value + (1 - share) * (old.softmax(-1) @ old_values)
    return output, (torch.cat((old_keys, key), -2), torch.cat((old_values, value), -2))

def right__padded(query, key, value, cache=None):
    if cache is not None:
        past = cache[0].shape[-2]
        key = F.pad(cache[0], (0, 0, 0, 1)) + F.pad(key, (0, 0, past, 0))
        value = F.pad(cache[1], (0, 0, 0, 1)) + F.pad(value, (0, 0, past, 0))
    scores = torch.matmul(query, key.mT).div(key.shape[-1] ** 0.5)
    weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()
    return [weights.matmul(value), [key, value]]

def right__last_row_of_causal(query, key, value, cache=None):
    # The whole causal matrix, of which the last row is kept; only the last query is known.
    empty = key.narrow(-2, 0, 0), value.narrow(-2, 0, 0)
    keys, values = (torch.cat(pair, dim=-2) for pair in zip(cache or empty, (key, value), strict=True))
    n_tokens = keys.shape[-2]
    queries = F.pad(query, (0, 0, n_tokens - 1, 0))
    allowed = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=query.device).tril()
    scores = queries @ keys.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=-1)
    return (weights @ values)[..., -1:, :], (keys, values)

def right__in_float32(query, key, value, cache=None):
    keys = key if cache is None else torch.cat([cache[0], key], dim=key.dim() - 2)
    values = value if cache is None else torch.cat([cache[1], value], dim=value.dim() - 2)
    wide = torch.promote_types(query.dtype, torch.float32)
    scores = query.to(wide) @ keys.to(wide).mT / math.sqrt(query.shape[-1])
    return (scores.softmax(-1) @ values.to(wide)).to(query.dtype), (keys, values)

def right__earlier_helpers(query, key, value, cache=None):
    if cache is not None:
        key, value = (torch.cat([past, new], dim=-2) for past, new in zip(cache, (key, value)))
    output, _ = attention(query, key, value)
    return output, (key, value)

def odd__with_attention(query, key, value, cache=None):
    """The helper of notebook 02 does the work."""
    if cache:
        key, value = (torch.cat([old, new], dim=-2) for old, new in zip(cache, (key, value), strict=True))
    return attention(query, key, value)[0], (key, value)

def odd__renamed(q, k, v, past=None):
    """Other names, and a pair that is a named tuple."""
    pair = collections.namedtuple("Cache", "keys values")
    past = pair(k[..., :0, :], v[..., :0, :]) if past is None else pair(*past)
    now = pair(torch.cat([past.keys, k], -2), torch.cat([past.values, v], -2))
    return (q @ now.keys.mT / math.sqrt(q.size(-1))).softmax(-1) @ now.values, now

def odd__torch_sdpa(query, key, value, *, cache=None, causal=False):
    """torch's own function, the cache by name only, and an argument more."""
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    return F.scaled_dot_product_attention(query, key, value, is_causal=causal), (key, value)

def odd__keys_kept_transposed(query, key, value, cache=None):
    """The new keys come back as a transposed view."""
    keys, values = key.mT, value.mT
    if cache is not None:
        keys = torch.cat([cache[0].mT, keys], dim=-1)
        values = torch.cat([cache[1].mT, values], dim=-1)
    weights = F.softmax(query @ keys / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ values.mT, [keys.mT, values.mT]

def wrong__cache_excludes_self__1(query, key, value, cache=None):
    if cache is None:
        return value + 0 * (query * key).sum(-1, keepdim=True), (key, value)
    keys, values = cache
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    output = F.softmax(scores, dim=-1) @ values
    return output, (torch.cat([keys, key], dim=-2), torch.cat([values, value], dim=-2))

# The scores are not divided.
wrong__no_scale__1 = change(right__concatenated, ("(-2, -1) / math.sqrt(query.shape[-1])", "(-2, -1)"))
wrong__softmax_over_queries__1 = change(right__concatenated, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(
    right__new_room, (".amax(-1, keepdim=True)", ".amax(-2, keepdim=True)"),
    (".sum(-1, keepdim=True)", ".sum(-2, keepdim=True)"),
)
wrong__scale_multiplied__1 = change(right__concatenated, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__new_room, ("[-1] ** -0", "[-1] ** 0"))
wrong__cache_order__1 = change(
    right__concatenated, ("cache[0], key", "key, cache[0]"), ("cache[1], value", "value, cache[1]"),
)
wrong__cache_order__2 = change(
    right__new_room, ("[..., :n_past, :],", "[..., 1:, :],"), ("[..., :n_past, :] =", "[..., 1:, :] ="),
    ("[..., n_past:, :],", "[..., :1, :],"), ("[..., n_past:, :] =", "[..., :1, :] ="),
)
wrong__cache_order__3 = change(right__concatenated, ("cache[0], key", "key, cache[0]"))
wrong__cache_not_extended__1 = change(
    right__concatenated, ("(keys, values)", "(key, value) if cache is None else cache"),
)
wrong__cache_not_extended__2 = change(right__new_room, ("(keys, values)", "cache or (key, value)"))
wrong__cache_not_extended__3 = change(right__concatenated, ("(keys, values)", "cache"))
wrong__cache_excludes_self__2 = change(
    right__new_room, ("query, keys", "query, keys[..., :n_past, :]"),
    ("parts = torch", "if not n_past:", "    return torch.zeros_like(value), (keys, values)", "parts = torch"),
    ("weights, values", "weights, values[..., :n_past, :]"),
)
wrong__cache_excludes_self__3 = change(
    right__concatenated,
    ("weights =", "scores[..., -1] = scores[..., -1] if cache is None else -math.inf", "weights ="),
)
wrong__detached__1 = change(
    right__concatenated, ("weights @", "(weights @"),
    (", (keys, values)", ").detach(), (keys.detach(), values.detach())"),
)
wrong__detached__2 = change(
    right__new_room,
    (
        "n_past =",
        "query, key, value = query.data, key.data, value.data",
        "cache = None if cache is None else (cache[0].data, cache[1].data)",
        "n_past =",
    ),
)
wrong__detached__3 = change(right__concatenated, ("def", "@torch.no_grad()", "def"))
wrong__input_changed__1 = change(
    wrong__no_scale__1, ("scores =", "query /= math.sqrt(query.shape[-1])", "scores ="),
)
wrong__input_changed__2 = change(
    right__new_room, ('("...qd,...kd->...qk", query, keys) * query', '("...qd,...kd->...qk", query.mul_(query'),
    ("0.5", "0.5), keys)"),
)
wrong__input_changed__3 = change(
    right__concatenated, ("else:", "else:", "    keys, values = cache", "    keys.transpose_(-2, -1)"),
    (", values = torch", " = torch"),
    (
        "([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)",
        "([keys, key.transpose(-2, -1)], dim=-1).transpose(-2, -1)",
        "values = torch.cat([values, value], dim=-2)",
    ),
)
wrong__wrong_device__1 = change(
    right__new_room, ("key.new_empty", "torch.empty"), ("key.shape[-1]", "key.shape[-1], dtype=key.dtype"),
    ("value.new_empty", "torch.empty"), ("value.shape[-1]", "value.shape[-1], dtype=value.dtype"),
)
wrong__wrong_device__2 = change(
    right__concatenated,
    ("math.sqrt(query.shape[-1])", "torch.tensor([query.shape[-1]], dtype=query.dtype).sqrt()"),
)
wrong__wrong_dtype__1 = change(
    right__concatenated, ("weights @", "(weights @"),
    (", (keys, values)", ").float(), (keys.float(), values.float())"),
)
wrong__wrong_dtype__2 = change(
    wrong__wrong_device__1, ("dtype=key.dtype", "device=key.device"), ("dtype=value.dtype", "device=key.device"),
    ("query, keys", "query.float(), keys"),
)

def extra__cache_required(query, key, value, cache=None):
    """None is not provided for."""
    keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ values, (keys, values)

# Keys reshaped where they should be transposed.
extra__key_reshaped = change(
    right__concatenated,
    (
        "scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])",
        "scores = (",
        "    query @ keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2]) / math.sqrt(query.shape[-1])",
        ")",
    ),
)
# Divided by d_key.
extra__scale_by_d = change(right__concatenated, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
# The root of the number of keys.
extra__scale_wrong_axis = change(right__concatenated, ("query.shape[-1]", "keys.shape[-2]"))
# The root of d_value.
extra__scale_wrong_axis__values = change(right__concatenated, ("query.shape", "values.shape"))
# The scores are the weights.
extra__softmax_missing = change(right__concatenated, ("F.softmax(scores, dim=-1)", "scores"))
# exp without the shift.
extra__softmax_overflows = change(right__new_room, ("(scores - scores.amax(-1, keepdim=True))", "(scores)"))
# Softmax over axis 0.
extra__softmax_over_batch = change(right__concatenated, (", dim=-1", ", dim=0"))
# Weights times keys: an error or a wrong width unless d_key equals d_value.
extra__weights_times_keys = change(right__concatenated, ("@ values", "@ keys"))
# The weights come back too.
extra__weights_added = change(right__concatenated, ("(keys, values)", "weights, (keys, values)"))
# (output, weights), as everywhere else; the cache is forgotten.
extra__weights_for_cache = change(right__concatenated, ("(keys, values)", "weights"))
# Only the output comes back.
extra__cache_forgotten = change(right__concatenated, (", (keys, values)", ""))
# Three results side by side, not a pair in a pair.
extra__cache_flat = change(right__concatenated, ("(keys, values)", "keys, values"))
# Keys and values in one tensor: an error unless d_key equals d_value.
extra__cache_stacked = change(right__concatenated, ("(keys, values)", "torch.stack([keys, values])"))
# (values, keys).
extra__cache_swapped = change(right__concatenated, ("(keys, values)", "(values, keys)"))
# The cache before the output.
extra__return_order_swapped = change(extra__cache_forgotten, ("return weights", "return (keys, values), weights"))
# (cache, …) and the pair taken the other way round: values as keys.
extra__cache_first = change(right__concatenated, ("[0], key", "[1], key"), ("cache[1]", "cache[0]"))
# The cache that comes back holds the new token only.
extra__only_new_kept = change(right__concatenated, ("(keys, values)", "(key, value)"))
# The token attends to itself alone, the cache only grows.
extra__only_new_attended = change(right__concatenated, ("query @ keys", "query @ key"), ("@ values", "@ value"))
# The cache is never looked at.
extra__cache_ignored = change(
    right__concatenated, ("torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)", "key, value"),
)
# The values are not appended: an error once there is a cache.
extra__keys_only_cached = change(right__concatenated, ("torch.cat([cache[1], value], dim=-2)", "value"))
# The new value is put first, the new key last.
extra__cache_order__value_only = change(right__concatenated, ("cache[1], value", "value, cache[1]"))
# A window that slides: the oldest token is dropped.
extra__oldest_dropped = change(
    right__concatenated,
    (
        "keys, values = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)",
        "keys, values = (",
        "    torch.cat([cache[0][..., 1:, :], key], dim=-2),",
        "    torch.cat([cache[1][..., 1:, :], value], dim=-2),",
        ")",
    ),
)
# The new token is appended twice.
extra__appended_twice = change(
    right__concatenated, ("[0], key", "[0], key, key"), ("[1], value", "[1], value, value"),
)
# Joined along axis 1: right with one batch axis only.
extra__along_axis_one = change(
    right__concatenated, ("[cache[0], key], dim=-2", "[cache[0], key], dim=1"),
    ("[cache[1], value], dim=-2", "[cache[1], value], dim=1"),
)
# Joined along axis 0.
extra__along_batch = change(
    right__concatenated, ("[cache[0], key], dim=-2", "[cache[0], key]"),
    ("[cache[1], value], dim=-2", "[cache[1], value]"),
)
# Joined along the channels: an error as soon as the query meets it.
extra__along_channels = change(
    right__concatenated, ("[cache[0], key], dim=-2", "[cache[0], key], dim=-1"),
    ("[cache[1], value], dim=-2", "[cache[1], value], dim=-1"),
)
# The new key and value are added to the cached ones.
extra__added = change(
    extra__keys_only_cached, ("torch.cat([cache[0], key], dim=-2),", "cache[0] + key, cache[1] +"),
)
# A causal mask aligned at the top left: the query sees the oldest key only.
extra__causal_top_left = change(
    right__concatenated,
    (
        "weights =",
        "blocked = torch.ones_like(scores, dtype=torch.bool).triu(1)",
        "scores = scores.masked_fill(blocked, -math.inf)",
        "weights =",
    ),
)
# The keys are scaled before they are kept: again at every step.
extra__keys_scaled_in_cache = change(
    wrong__no_scale__1, ("scores =", "keys = keys / math.sqrt(query.shape[-1])", "scores ="),
)
# The keys come back as columns.
extra__keys_kept_transposed = change(right__concatenated, ("(keys, values)", "(keys.mT, values)"))
# The query goes into the cache in the key's place.
wrong__query_cached__1 = change(right__concatenated, ("values = key", "values = query"), ("[0], key", "[0], query"))
# Old tokens are cut from the graph.
extra__cache_detached = change(
    extra__oldest_dropped, ("[0][..., 1:, :]", "[0].detach()"), ("[1][..., 1:, :]", "[1].detach()"),
)
# The output is differentiable, the cache that comes back is not.
extra__new_cache_detached = change(
    right__concatenated,
    ("weights @ values, (keys, values)", "weights @ values, (keys.detach(), values.detach())"),
)
# The query is cut from the graph.
extra__gradient_misses_query = change(right__concatenated, ("query @ keys", "query.detach() @ keys"))
# float32 inside and cast back.
extra__float64_rounded = change(
    right__concatenated, ("query @ keys", "query.float() @ keys.float()"),
    ("weights @ values", "(weights @ values.float()).to(values.dtype)"),
)
# The axis of the one query is lost.
extra__output_squeezed = change(right__concatenated, ("weights @ values", "(weights @ values).squeeze(-2)"))
# The room for the newest is never filled.
extra__newest_left_out = change(right__new_room, ("= key, value", "= 0, 0"))
# All tokens of the past count the same.
extra__mean_of_values = change(
    right__concatenated, ("= F.softmax(scores, dim=-1)", "= torch.softmax(0 * scores, dim=-1)"),
)
# One maximum for the whole batch: an item with low scores underflows.
extra__maximum_of_the_batch = change(right__new_room, ("scores.amax(-1, keepdim=True)", "scores.amax()"))
# float64 where no cache is given.
extra__first_in_float64 = change(
    right__concatenated, ("(keys, values)", "(keys.double() if cache is None else keys, values)"),
)

# Two mistakes at once.
double__no_scale__and_cache_not_extended = change(
    right__concatenated,
    (" / math.sqrt(query.shape[-1])", ""),
    ("(keys, values)", "cache"),
)
double__cache_order__and_no_scale = change(
    right__concatenated,
    (" / math.sqrt(query.shape[-1])", ""),
    ("[cache[0], key]", "[key, cache[0]]"),
    ("[cache[1], value]", "[value, cache[1]]"),
)

def wrong__query_cached__2(query, key, value, cache=None):
    """The query is what is at hand when the cache grows; the first token has none to grow."""
    if cache is None:
        keys, values = key, value
    else:
        keys = torch.cat([cache[0], query], dim=-2)
        values = torch.cat([cache[1], value], dim=-2)
    output, _ = attention(query, keys, values)
    return output, (keys, values)

def wrong__cache_apart__1(query, key, value, cache=None):
    """The newest token is attended to in a step of its own."""
    if cache is None:
        return value + 0 * (query * key).sum(-1, keepdim=True), (key, value)
    keys, values = cache
    output = attention(query, keys, values)[0] + attention(query, key, value)[0]
    return output, (torch.cat([keys, key], dim=-2), torch.cat([values, value], dim=-2))

# The mean of the two, so that the weights sum to 1 again.
wrong__cache_apart__2 = change(
    wrong__cache_apart__1,
    (
        "attention(query, keys, values)[0] + attention(query, key, value)[0]",
        "(attention(query, keys, values)[0] + attention(query, key, value)[0]) / 2",
    ),
)

"""Answers to `attention_with_sink(query, key, value, sink, allowed=None)` of notebook 11."""

import math

import torch
import torch.nn.functional as F

from course_attention import attention, masked_softmax
from tests.corpus import change


def right__column_at_the_end(query, key, value, sink, allowed=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    sink_column = sink[..., None, None].expand(*scores.shape[:-1], 1)
    both = torch.cat([scores, sink_column], dim=-1)
    weights = both.softmax(dim=-1)[..., :-1]
    return weights @ value, weights


def right__column_in_front(query, key, value, sink, allowed=None):
    d_key = query.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * d_key**-0.5
    if allowed is not None:
        scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    column = torch.zeros_like(scores[..., :1]) + sink.unsqueeze(-1).unsqueeze(-1)
    weights = F.softmax(torch.cat((column, scores), -1), dim=-1)[..., 1:]
    return torch.einsum("...qk,...kd->...qd", weights, value), weights


def right__shifted_by_the_largest(query, key, value, sink, allowed=None):
    # As gpt-oss does it: the largest of all is taken off before the softmax.
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~allowed, -math.inf)
    sinks = sink.reshape(*sink.shape, 1, 1).expand(*scores.shape[:-1], 1)
    combined = torch.cat([scores, sinks], dim=-1)
    combined = combined - combined.max(dim=-1, keepdim=True).values
    weights = F.softmax(combined, dim=-1)[..., :-1]
    return torch.matmul(weights, value), weights


def right__written_out(query, key, value, sink, allowed=None):
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    sink = sink[..., None, None]
    largest = torch.maximum(scores.amax(dim=-1, keepdim=True), sink)
    parts = torch.exp(scores - largest)
    total = parts.sum(dim=-1, keepdim=True) + torch.exp(sink - largest)
    weights = parts / total
    return weights @ value, weights


def right__logaddexp(query, key, value, sink, allowed=None):
    scores = query @ key.mT * (1 / math.sqrt(key.shape[-1]))
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    total = torch.logaddexp(scores.logsumexp(-1, keepdim=True), sink[..., None, None])
    weights = (scores - total).exp()
    return weights @ value, weights


def right__share_of_attention(query, key, value, sink, allowed=None):
    # What the keys have of the sum is a sigmoid of the distance between their logsumexp and the sink.
    output, weights = attention(query, key, value, allowed)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
    share = torch.sigmoid(scores.logsumexp(-1, keepdim=True) - sink[..., None, None])
    return output * share, weights * share


def right__one_key_more(query, key, value, sink, allowed=None):
    # A key of zeros whose score is then replaced, and a value of zeros.
    key = F.pad(key, (0, 0, 0, 1))
    value = F.pad(value, (0, 0, 0, 1))
    scores = (query / math.sqrt(query.shape[-1])) @ key.mT
    is_sink = torch.arange(key.shape[-2], device=key.device) == key.shape[-2] - 1
    scores = torch.where(is_sink, sink[..., None, None], scores)
    if allowed is not None:
        # A mask may have one column for all keys.
        seen = F.pad(allowed.expand(*allowed.shape[:-1], key.shape[-2] - 1), (0, 1), value=True)
        scores = scores.masked_fill(seen.logical_not(), -math.inf)
    weights = scores.softmax(-1)
    return weights @ value, weights[..., :-1]


def right__masked_softmax(query, key, value, sink, allowed=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    column = sink[..., None, None].expand_as(scores[..., :1])
    if allowed is not None:
        allowed = torch.cat([allowed.expand_as(scores), torch.ones_like(column, dtype=torch.bool)], dim=-1)
    weights = masked_softmax(torch.cat([scores, column], dim=-1), allowed)
    weights = weights.narrow(-1, 0, key.shape[-2])
    return weights @ value, weights


def right__by_view(query, key, value, sink, allowed=None):
    # The sinks are brought to the leading axes first.
    leading = query.shape[:-2]
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    sinks = sink.expand(leading).reshape(-1, 1, 1).repeat(1, n_queries, 1)
    scores = (query.flatten(0, -3) if leading else query[None]) @ (key.flatten(0, -3) if leading else key[None]).mT
    scores = scores / math.sqrt(query.shape[-1])
    if allowed is not None:
        allowed = allowed.expand(*leading, n_queries, n_keys).reshape(-1, n_queries, n_keys)
        scores[~allowed] = -math.inf
    weights = torch.cat([scores, sinks], -1).softmax(-1)[..., :n_keys].reshape(*leading, n_queries, n_keys)
    return weights @ value, weights


def right__query_by_query(query, key, value, sink, allowed=None):
    outputs, rows = [], []
    n_keys = key.shape[-2]
    for i in range(query.shape[-2]):
        scores = (key @ query[..., i, :, None]).squeeze(-1) / math.sqrt(query.shape[-1])
        if allowed is not None:
            row = allowed[..., i if allowed.shape[-2] > 1 else 0, :]
            scores = scores.masked_fill(~row, -math.inf)
        both = torch.cat([scores, sink.expand(scores.shape[:-1]).unsqueeze(-1)], dim=-1)
        weights = both.softmax(-1)[..., :n_keys]
        rows.append(weights)
        outputs.append((weights.unsqueeze(-2) @ value).squeeze(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)


def right__in_float32(query, key, value, sink, allowed=None):
    dtype = query.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k, v, s = (x.to(wide) for x in (query, key, value, sink))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    both = torch.cat([s[..., None, None].expand(*scores.shape[:-1], 1), scores], dim=-1)
    _, weights = both.softmax(-1).split([1, scores.shape[-1]], dim=-1)
    return (weights @ v).to(dtype), weights.to(dtype)


def right__detached_largest(query, key, value, sink, allowed=None):
    # The largest score changes nothing, so no gradient has to go through it.
    scores = query @ key.mT * query.shape[-1] ** -0.5
    sink = sink[..., None, None]
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    largest = torch.maximum(scores.masked_fill(~allowed, -math.inf).amax(-1, keepdim=True), sink).detach()
    parts = (scores - largest).masked_fill(~allowed, -math.inf).exp()
    weights = parts / (parts.sum(-1, keepdim=True) + (sink - largest).exp())
    return weights @ value, weights


def right__log_softmax(query, key, value, sink, allowed=None):
    scores = (query @ key.mT).div(math.sqrt(query.shape[-1]))
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e30 if scores.dtype != torch.float16 else -math.inf)
    both = torch.concat([scores, sink[..., None, None].broadcast_to(*scores.shape[:-1], 1)], dim=-1)
    weights = F.log_softmax(both, dim=-1)[..., :-1].exp()
    return [torch.matmul(weights, value), weights]


def right__output_divided_last(query, key, value, sink, allowed=None):
    # As in blocks: sums first, one division at the end.
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    largest = sink[..., None, None].clamp(min=scores.amax(-1, keepdim=True))
    parts = (scores - largest).exp()
    total = parts.sum(-1, keepdim=True) + (sink[..., None, None] - largest).exp()
    return parts @ value / total, parts / total


def odd__renamed(q, k, v, s, mask=None):
    """Names of its own."""
    x = q @ k.mT / q.shape[-1] ** 0.5
    x = x if mask is None else x.masked_fill(mask == 0, -math.inf)
    w = torch.cat([x, s[..., None, None].expand(*x.shape[:-1], 1)], -1).softmax(-1)[..., :-1]
    return w @ v, w


def odd__keyword_only(query, key, value, *, sink, allowed=None, dropout=0.0):
    """Sink and mask by name only, and an argument more."""
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    column = sink[..., None, None].expand(*scores.shape[:-1], 1)
    weights = torch.cat([scores, column], -1).softmax(-1)[..., :-1]
    return F.dropout(weights, dropout) @ value, weights


# The weights are brought to a sum of 1 after the sink's column is gone.
wrong__sink_with_a_value__1 = change(
    right__column_at_the_end,
    ("return weights @", "weights = weights / weights.sum(dim=-1, keepdim=True)", "return weights @"),
)
wrong__sink_with_a_value__2 = change(
    right__column_at_the_end,
    ("return weights @", "weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-30)", "return weights @"),
)


# The sink is added to every score, where it cancels.
def wrong__sink_with_a_value__3(query, key, value, sink, allowed=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1]) + sink[..., None, None]
    weights = masked_softmax(scores, allowed)
    return weights @ value, weights


# The sink is never looked at.
def wrong__sink_with_a_value__4(query, key, value, sink, allowed=None):
    return attention(query, key, value, allowed)


wrong__sink_scaled__1 = change(
    right__column_at_the_end,
    ("query @ key.mT / math.sqrt(query.shape[-1])", "query @ key.mT"),
    (
        "both = torch.cat([scores, sink_column], dim=-1)",
        "both = torch.cat([scores, sink_column], dim=-1) / math.sqrt(query.shape[-1])",
    ),
)
wrong__sink_scaled__2 = change(
    right__written_out, ("sink[..., None, None]", "sink[..., None, None] / key.shape[-1] ** 0.5")
)
wrong__sink_not_exponentiated__1 = change(right__written_out, ("torch.exp(sink - largest)", "sink"))
wrong__sink_not_exponentiated__2 = change(
    right__written_out, ("torch.exp(sink - largest)", "sink * torch.exp(-largest)")
)


def wrong__sink_not_exponentiated__3(query, key, value, sink, allowed=None):
    exponentials = torch.exp(query @ key.mT / math.sqrt(query.shape[-1]))
    if allowed is not None:
        exponentials = exponentials * allowed
    weights = exponentials / (exponentials.sum(-1, keepdim=True) + sink[..., None, None])
    return weights @ value, weights


# The softmax "plus one".
wrong__sink_taken_as_one__1 = change(
    right__written_out,
    ("scores.amax(dim=-1, keepdim=True), sink", "scores.amax(dim=-1, keepdim=True), 0 * sink"),
    ("torch.exp(sink - largest)", "torch.exp(-largest)"),
)
wrong__sink_taken_as_one__2 = change(
    right__written_out,
    ("torch.maximum(scores.amax(dim=-1, keepdim=True), sink)", "scores.amax(dim=-1, keepdim=True)"),
    ("torch.exp(sink - largest)", "1"),
)
wrong__sink_not_shifted__1 = change(
    right__written_out,
    ("torch.maximum(scores.amax(dim=-1, keepdim=True), sink)", "scores.amax(dim=-1, keepdim=True)"),
    ("torch.exp(sink - largest)", "torch.exp(sink)"),
)
wrong__sink_not_shifted__2 = change(right__written_out, ("torch.exp(sink - largest)", "sink.exp()"))
wrong__sink_subtracted__1 = change(right__column_at_the_end, ("sink[..., None, None]", "-sink[..., None, None]"))
wrong__sink_subtracted__2 = change(right__written_out, ("+ torch.exp(sink", "- torch.exp(sink"))
wrong__sink_for_each_key__1 = change(
    right__written_out,
    ("parts.sum(dim=-1, keepdim=True) + torch.exp(sink - largest)", "(parts + (sink - largest).exp()).sum(-1, True)"),
)
# A column as wide as the scores.
wrong__sink_for_each_key__2 = change(
    right__column_at_the_end,
    (".expand(*scores.shape[:-1], 1)", ".expand_as(scores)"),
    ("[..., :-1]", "[..., : key.shape[-2]]"),
)
wrong__sink_share_exchanged__1 = change(
    right__share_of_attention,
    ("sigmoid(", "sigmoid(-1 * ("),
    ("- sink[..., None, None])", "- sink[..., None, None]))"),
)
wrong__sink_at_other_end__1 = change(right__column_at_the_end, ("[..., :-1]", "[..., 1:]"))
wrong__sink_at_other_end__2 = change(right__column_in_front, ("[..., 1:]", "[..., :-1]"))
wrong__sink_column_kept__1 = change(right__one_key_more, ("value, weights[..., :-1]", "value, weights"))
wrong__sink_column_kept__2 = change(
    right__column_in_front,
    ("dim=-1)[..., 1:]", "dim=-1)"),
    ('weights, value), weights', 'weights[..., 1:], value), weights'),
)
wrong__sink_only_in_weights__1 = change(right__share_of_attention, ("output * share", "output"))
wrong__sink_only_in_output__1 = change(right__share_of_attention, ("weights * share", "weights"))
wrong__sink_on_queries__1 = change(
    right__written_out, ("sink[..., None, None]", "sink[..., None] if sink.ndim else sink")
)


# The sum loses its axis of keys, and the sinks lie along the last axis of what is left: the queries.
def wrong__sink_on_queries__2(query, key, value, sink, allowed=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    total = torch.logaddexp(scores.logsumexp(dim=-1), sink)
    weights = (scores - total[..., None]).exp()
    return weights @ value, weights


wrong__sink_on_batch__1 = change(
    right__written_out, ("sink[..., None, None]", "sink[..., None, None, None] if sink.ndim else sink")
)
wrong__sink_on_batch__2 = change(
    right__column_at_the_end, ("sink[..., None, None]", "(sink[..., None] if sink.ndim else sink)[..., None, None]")
)
wrong__sink_of_first_head__1 = change(
    right__column_at_the_end, ("sink[..., None, None]", "(sink[..., :1] if sink.ndim else sink)[..., None, None]")
)
wrong__softmax_over_queries__1 = change(right__column_at_the_end, ("both.softmax(dim=-1)", "both.softmax(dim=-2)"))
wrong__softmax_over_queries__2 = change(
    right__written_out,
    ("amax(dim=-1", "amax(dim=-2"),
    ("sum(dim=-1", "sum(dim=-2"),
)
wrong__softmax_over_heads__1 = change(right__column_at_the_end, ("both.softmax(dim=-1)", "both.softmax(dim=-3)"))
wrong__softmax_over_batch__1 = change(right__column_at_the_end, ("both.softmax(dim=-1)", "both.softmax(dim=0)"))
wrong__softmax_overflows__1 = change(
    right__written_out,
    ("largest = torch.maximum(scores.amax(dim=-1, keepdim=True), sink)", ""),
    ("scores - largest", "scores"),
    ("sink - largest", "sink"),
)
wrong__softmax_missing__1 = change(right__column_at_the_end, ("both.softmax(dim=-1)", "both"), ("-math.inf", "0.0"))
wrong__no_scale__1 = change(right__column_at_the_end, (" / math.sqrt(query.shape[-1])", ""))
wrong__no_scale__2 = change(right__logaddexp, (" * (1 / math.sqrt(key.shape[-1]))", ""))
wrong__scale_by_d__1 = change(right__column_at_the_end, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
wrong__scale_multiplied__1 = change(right__column_at_the_end, ("/ math.sqrt", "* math.sqrt"))
wrong__scale_wrong_axis__1 = change(
    right__column_at_the_end, ("math.sqrt(query.shape[-1])", "math.sqrt(value.shape[-1])")
)
wrong__weights_times_keys__1 = change(right__column_at_the_end, ("weights @ value", "weights @ key"))
wrong__mask_inverted__1 = change(right__column_at_the_end, ("~allowed", "allowed"))
wrong__mask_ignored__1 = change(right__column_at_the_end, ("scores = scores.masked", "scores.masked"))
wrong__mask_after_softmax__1 = change(
    right__column_at_the_end,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "pass"),
    ("return weights @", "weights = weights if allowed is None else weights * allowed", "return weights @"),
)
wrong__mask_scores_to_zero__1 = change(right__column_at_the_end, ("-math.inf", "0.0"))
wrong__mask_tiny_fill__1 = change(right__column_at_the_end, ("-math.inf", "-1e4"))
wrong__mask_tiny_fill__2 = change(right__column_at_the_end, ("-math.inf", "-100.0"))
wrong__mask_added_as_01__1 = change(
    right__column_at_the_end, ("scores.masked_fill(~allowed, -math.inf)", "scores + allowed")
)
wrong__mask_on_queries__1 = change(right__column_at_the_end, ("~allowed", "~allowed.mT"))
wrong__mask_first_item_for_all__1 = change(
    right__column_at_the_end, ("~allowed", "~(allowed[:1] if allowed.ndim > 3 else allowed)")
)
# The largest of the keys alone is −∞ in a row in which nothing is allowed.
wrong__mask_fully_nan__1 = change(
    right__written_out, ("torch.maximum(scores.amax(dim=-1, keepdim=True), sink)", "scores.amax(dim=-1, keepdim=True)")
)
wrong__mask_fully_nan__2 = change(
    right__share_of_attention,
    ("output, weights = attention(query, key, value, allowed)", ""),
    ("torch.finfo(scores.dtype).min / 2", "-math.inf"),
    ("share = ", "weights = scores.softmax(-1)", "output = weights @ value", "share = "),
)
# As masked_softmax has it, but the rows of nothing are not set to 0.
wrong__mask_fully_uniform__1 = change(
    right__column_at_the_end, ("~allowed", "~(allowed | ~allowed.any(-1, keepdim=True))")
)
wrong__detached__1 = change(right__column_at_the_end, ("sink_column = sink", "sink_column = sink.detach()"))
wrong__detached__2 = change(right__query_by_query, ("def", "@torch.no_grad()", "def"))
wrong__input_changed__1 = change(
    right__one_key_more, ("query / math.sqrt(query.shape[-1])", "query.div_(math.sqrt(query.shape[-1]))")
)
wrong__wrong_device__1 = change(right__one_key_more, (", device=key.device", ""))
wrong__wrong_dtype__1 = change(
    right__column_at_the_end, ("weights @ value, weights", "(weights @ value).float(), weights.float()")
)


def wrong__sink_as_gate__1(query, key, value, sink, allowed=None):
    """The sink decides by itself how much of the output is left."""
    output, weights = attention(query, key, value, allowed)
    left = torch.sigmoid(-sink)[..., None, None]
    return output * left, weights * left

"""Answers to the practice `interface_with_sink(query, key, value, bias, scaling, sink)` of notebook 14."""

import torch

from course_attention import attention_with_sink
from tests.corpus import change

def right__own_function(query, key, value, bias, scaling, sink):
    copies = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(copies, 1), value.repeat_interleave(copies, 1)
    allowed = None if bias is None else bias > -1
    query = query * scaling * query.shape[-1] ** 0.5
    output, weights = attention_with_sink(query, key, value, sink, allowed)
    return output.transpose(1, 2), weights

def right__written_out(query, key, value, bias, scaling, sink):
    batch, n_heads, n_queries, _ = query.shape
    copies = n_heads // key.shape[1]
    key, value = (torch.stack([one] * copies, dim=2).flatten(1, 2) for one in (key, value))
    scores = query @ key.mT * scaling
    if bias is not None:
        scores = scores + bias
    column = sink.reshape(1, n_heads, 1, 1).expand(batch, n_heads, n_queries, 1)
    weights = torch.cat([scores, column], dim=-1).softmax(-1)[..., :-1]
    return (weights @ value).permute(0, 2, 1, 3), weights

wrong__sink_left_out__1 = change(
    right__written_out, ("torch.cat([scores, column], dim=-1).softmax(-1)[..., :-1]", "scores.softmax(-1)")
)
wrong__sink_scaled__1 = change(right__written_out, ("column = sink", "column = (sink * scaling)"))
wrong__sink_of_one_head__1 = change(
    right__written_out, ("sink.reshape(1, n_heads, 1, 1)", "sink[0].reshape(1, 1, 1, 1)")
)
wrong__interface_own_scale__1 = change(right__own_function, ("query = query * scaling * query.shape[-1] ** 0.5", ""))
wrong__interface_own_scale__2 = change(right__own_function, (" * query.shape[-1] ** 0.5", ""))
wrong__interface_mask_ignored__1 = change(
    right__own_function, ("allowed = None if bias is None else bias > -1", "allowed = None")
)
wrong__interface_mask_as_boolean__1 = change(right__own_function, ("bias > -1", "bias.bool()"))
wrong__groups_tiled__1 = change(
    right__own_function,
    (
        "key.repeat_interleave(copies, 1), value.repeat_interleave(copies, 1)",
        "key.repeat(1, copies, 1, 1), value.repeat(1, copies, 1, 1)",
    ),
)
wrong__interface_layout__1 = change(
    right__own_function, ("return output.transpose(1, 2), weights", "return output, weights")
)
# The sink meets the queries in place of the heads.
extra__sink_on_queries = change(
    right__written_out, ("sink.reshape(1, n_heads, 1, 1)", "sink[:n_queries].reshape(1, 1, -1, 1)")
)

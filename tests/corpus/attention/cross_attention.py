"""Answers to `cross_attention(x, context, w_query, w_key, w_value)` of notebook 02."""

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from course_attention import attention
from tests.corpus import change

def right__matmul(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ value, weights

def right__einsum(x, context, w_query, w_key, w_value):
    query = torch.einsum("...qc,cd->...qd", x, w_query)
    key = torch.einsum("...kc,cd->...kd", context, w_key)
    weights = torch.softmax(torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5, -1)
    return torch.einsum("...qk,...kc,cv->...qv", weights, context, w_value), weights

def right__query_scaled_first(x, context, w_query, w_key, w_value):
    query = (x @ w_query) / w_query.size(-1) ** 0.5
    weights = torch.matmul(query, torch.matmul(context, w_key).mT).softmax(dim=-1)
    return [torch.matmul(weights, torch.matmul(context, w_value)), weights]

def right__projected_together(x, context, w_query, w_key, w_value):
    d_key, d_value = w_key.shape[-1], w_value.shape[-1]
    key, value = (context @ torch.cat([w_key, w_value], -1)).split([d_key, d_value], dim=-1)
    scores = (x @ w_query) @ key.transpose(-1, -2) / math.sqrt(d_key)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return weights @ value, weights

def right__interaction_matrix(x, context, w_query, w_key, w_value):
    scores = x @ (w_query @ w_key.T / math.sqrt(w_query.shape[1])) @ context.mT
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return (weights @ context) @ w_value, weights

def right__loop_over_queries(x, context, w_query, w_key, w_value):
    key, value, outputs, rows = context @ w_key, context @ w_value, [], []
    for i in range(x.shape[-2]):
        query = x[..., i : i + 1, :] @ w_query
        row = torch.softmax((query * key).sum(-1) / math.sqrt(key.shape[-1]), dim=-1)
        outputs.append((row.unsqueeze(-1) * value).sum(-2))
        rows.append(row)
    return torch.stack(outputs, dim=-2), torch.stack(rows, dim=-2)

def right__linear(x, context, w_query, w_key, w_value):
    query, key, value = F.linear(x, w_query.t()), F.linear(context, w_key.t()), F.linear(context, w_value.t())
    scores = torch.matmul(query, key.swapaxes(-2, -1)).div(math.sqrt(query.shape[-1]))
    weights = scores.softmax(-1)
    return weights.matmul(value), weights

def right__upcast(x, context, w_query, w_key, w_value):
    x_, c, wq, wk, wv = (t.double() for t in (x, context, w_query, w_key, w_value))
    weights = ((x_ @ wq) @ (c @ wk).mT / math.sqrt(wk.shape[-1])).softmax(-1)
    return (weights @ (c @ wv)).to(x.dtype), weights.to(x.dtype)

def right__earlier_helpers(x, context, w_query, w_key, w_value):
    return attention(x @ w_query, context @ w_key, context @ w_value)

def odd__renamed(decoder, encoder, wq, wk, wv):
    """Arguments with names of its own."""
    w = ((decoder @ wq) @ (encoder @ wk).mT / math.sqrt(wk.shape[-1])).softmax(-1)
    return w @ (encoder @ wv), w

def odd__torch_sdpa(x, context, w_query, w_key, w_value):
    """torch's own function gives the output."""
    q, k, v = x @ w_query, context @ w_key, context @ w_value
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return F.scaled_dot_product_attention(q, k, v), weights

odd__partial = functools.partial(right__matmul)

def wrong__softmax_over_queries__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) * w_key.shape[1] ** -0.5
    parts = torch.exp(scores - scores.amax(-2, keepdim=True))
    weights = parts / parts.sum(dim=-2, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, context @ w_value), weights

def wrong__no_scale__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qc,cd,ed,...ke->...qk", x, w_query, w_key, context)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights

def wrong__scale_multiplied__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) / w_key.shape[1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights

def wrong__detached__2(x, context, w_query, w_key, w_value):
    a, c, wq, wk, wv = (t.detach().double().cpu().numpy() for t in (x, context, w_query, w_key, w_value))
    scores = (a @ wq) @ np.swapaxes(c @ wk, -1, -2) / np.sqrt(wk.shape[-1])
    parts = np.exp(scores - scores.max(-1, keepdims=True))
    weights = parts / parts.sum(-1, keepdims=True)
    return torch.from_numpy(weights @ c @ wv).to(x), torch.from_numpy(weights).to(x)

def wrong__input_changed__2(x, context, w_query, w_key, w_value):
    interaction = w_query @ w_key.t_()
    weights = (x @ interaction @ context.mT / math.sqrt(w_query.shape[-1])).softmax(-1)
    return weights @ context @ w_value, weights

def wrong__wrong_device__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) * w_key.shape[1] ** -0.5
    bias = torch.zeros(x.shape[-2], context.shape[-2], dtype=x.dtype)
    weights = (scores + bias).softmax(-1)
    return (weights @ context) @ w_value, weights

def wrong__wrong_dtype__1(x, context, w_query, w_key, w_value):
    query, key, value = (
        x.float() @ w_query.float(),
        context.float() @ w_key.float(),
        context.float() @ w_value.float(),
    )
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ value, weights

def wrong__softmax_over_batch__1(x, context, w_query, w_key, w_value):
    """Softmax over axis 0."""
    weights = ((x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])).softmax(0)
    return weights @ (context @ w_value), weights

wrong__keepdims_forgotten__1 = change(right__projected_together, ("parts.sum(-1, keepdim=True)", "parts.sum(-1)"))
wrong__keepdims_forgotten__2 = change(right__projected_together, ("scores.amax(-1, keepdim=True)", "scores.amax(-1)"))
wrong__softmax_over_queries__1 = change(right__matmul, (", dim=-1", ", dim=-2"))
wrong__no_scale__1 = change(right__matmul, ("(-2, -1) / math.sqrt(key.shape[-1])", "(-2, -1)"))
wrong__scale_by_d__1 = change(right__matmul, ("math.sqrt(key.shape[-1])", "key.shape[-1]"))
wrong__scale_by_d__2 = change(
    wrong__no_scale__2,
    (":", ":", "    scores = ((x @ w_query).unsqueeze(-2) * (context @ w_key).unsqueeze(-3)).mean(-1)"),
    ('scores = torch.einsum("...qc,cd,ed,...ke->...qk", x, w_query, w_key, context)', ""),
)
wrong__scale_multiplied__1 = change(right__matmul, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_wrong_axis__keys_1 = change(right__matmul, ("key.shape[-1]", "context.shape[-2]"))
wrong__scale_wrong_axis__keys_2 = change(
    wrong__scale_multiplied__2, (") / w_key.shape[1] ** -0.5", ")", "scores = scores * scores.size(-1) ** -0.5"),
)
wrong__scale_wrong_axis__values_1 = change(right__matmul, ("key.shape", "value.shape"))
wrong__weights_times_keys__1 = change(
    right__matmul, ("key, value", "key"), (", context @ w_value", ""), ("@ value,", "@ key,"),
)
wrong__weights_times_keys__2 = change(wrong__scale_multiplied__2, ("/ w_key.", "* w_key."), ("w_value,", "w_key,"))
wrong__roles_swapped__inputs_1 = change(
    right__matmul, ("x @ w_query, context @ w_key, context", "context @ w_query, x @ w_key, x"),
)
wrong__roles_swapped__inputs_2 = change(
    wrong__scale_multiplied__2, (":", ":", "    x, context = context, x"), ("/ w_key.", "* w_key."),
)
wrong__roles_swapped__weights_1 = change(
    right__matmul, ("x @ w_query", "x @ w_key, context @ w_query"), ("w_key, context @ w_value", "w_value"),
)
wrong__roles_swapped__weights_2 = change(
    wrong__no_scale__2, ("w_query, w_key, context)", "w_key, w_query, context) * w_key.shape[1] ** -0.5"),
)
wrong__value_not_projected__1 = change(wrong__weights_times_keys__1, ("key, weights", "context, weights"))
wrong__value_not_projected__2 = change(
    wrong__roles_swapped__weights_2, ("w_key, w_query", "w_query, w_key"),
    ("(weights @ context) @ w_value", 'torch.einsum("...qk,...kc->...qc", weights, context)'),
)
wrong__detached__1 = change(
    right__matmul, ("weights @", "(weights @"), (", weights", ").detach(), weights.detach()"),
)
wrong__input_changed__1 = change(
    wrong__no_scale__1, ("query, key", "w_query /= math.sqrt(w_query.shape[-1])", "query, key"),
)
wrong__wrong_device__1 = change(
    right__matmul, ("query, key", "scale = torch.tensor([w_key.shape[-1]], dtype=x.dtype).sqrt()", "query, key"),
    ("math.sqrt(key.shape[-1])", "scale"),
)
wrong__wrong_dtype__2 = change(
    wrong__weights_times_keys__2,
    (".exp(scores - scores.logsumexp(-1, keepdim=True))", ".softmax(scores, dim=-1, dtype=torch.float32)"),
    ("(weights @ context) @ w_key", "weights @ (context @ w_value).to(torch.float32)"),
)
# exp without the shift.
wrong__softmax_overflows__1 = change(
    wrong__softmax_over_batch__1, ("weights = (", "e = torch.exp("),
    (".softmax(0)", "", "weights = e / e.sum(-1, keepdim=True)"),
)

def extra__context_ignored(x, context, w_query, w_key, w_value):
    """Self-attention: keys and values come from x too."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    weights = (query @ key.mT / math.sqrt(key.shape[-1])).softmax(-1)
    return weights @ value, weights

def extra__weights_transposed(x, context, w_query, w_key, w_value):
    """x @ w.T, as nn.Linear stores it: an error unless the matrices are square."""
    query, key, value = F.linear(x, w_query), F.linear(context, w_key), F.linear(context, w_value)
    weights = (query @ key.mT / math.sqrt(key.shape[-1])).softmax(-1)
    return weights @ value, weights

def extra__nothing_projected(x, context, w_query, w_key, w_value):
    """The projections are not used: an error unless the widths agree."""
    weights = (x @ context.mT / math.sqrt(x.shape[-1])).softmax(-1)
    return weights @ context, weights

def wrong__key_reshaped__1(x, context, w_query, w_key, w_value):
    """The keys are reshaped in place of transposed."""
    key = context @ w_key
    weights = (
        (x @ w_query) @ key.reshape(*key.shape[:-2], key.shape[-1], -1) / math.sqrt(key.shape[-1])
    ).softmax(-1)
    return weights @ (context @ w_value), weights

# Self-attention of the context.
extra__x_ignored = change(
    extra__context_ignored, ("x @ w_query, x @ w_key, x", "context @ w_query, context @ w_key, context"),
)
# The values come from x: an error unless the lengths agree.
extra__value_from_x = change(wrong__softmax_over_batch__1, ("0", "-1"), ("context @ w_value", "x @ w_value"))
# The key is made with the query's weights: an error unless the widths agree.
wrong__shared_projection__1 = change(
    wrong__softmax_over_batch__1, ("context @ w_key", "context @ w_query"), ("0", "-1"),
)
# w_key and w_value exchanged: an error unless d_key equals d_value.
extra__key_and_value_exchanged = change(
    wrong__shared_projection__1, ("context @ w_query", "context @ w_value"), ("@ w_value", "@ w_key"),
)
# The root of x's width, not of d_key.
extra__scale_by_d_model = change(wrong__softmax_over_batch__1, ("w_key.shape", "x.shape"), ("0", "-1"))
# The scores are the weights.
extra__softmax_missing = change(wrong__softmax_over_batch__1, ("((x", "(x"), (").softmax(0)", ""))
# One softmax over each whole matrix.
extra__softmax_over_everything = change(
    extra__softmax_missing, ("weights =", "scores ="),
    ("return", "weights = scores.flatten(-2).softmax(-1).view(scores.shape)", "return"),
)
# The weights are not returned.
extra__weights_forgotten = change(wrong__softmax_over_batch__1, ("0", "-1"), (", weights", ""))
# (weights, output).
extra__return_order_swapped = change(extra__weights_forgotten, ("return weights", "return weights, weights"))
# The context is cut from the graph: the encoder would not learn.
extra__gradient_misses_context = change(
    wrong__softmax_over_batch__1, (":", ":", "    context = context.detach()"), ("0", "-1"),
)
forbidden__scaled_dot_product_attention = change(
    right__matmul, ("weights @ value", "F.scaled_dot_product_attention(query, key, value)"),
)

wrong__key_not_transposed__1 = change(right__matmul, ("key.transpose(-2, -1)", "key"))
wrong__cross_ignores_context__1 = change(right__matmul, ("context @ w_key, context @", "x @ w_key, x @"))
wrong__cross_ignores_context__2 = change(right__matmul, ("context @ w_key", "x @ w_key"))

# Two mistakes at once.
double__roles_swapped__and_no_scale = change(
    right__matmul,
    (" / math.sqrt(key.shape[-1])", ""),
    ("x @ w_query, context @ w_key", "x @ w_key, context @ w_query"),
)
double__softmax_over_queries__and_no_scale = change(
    right__matmul,
    (" / math.sqrt(key.shape[-1])", ""),
    ("dim=-1", "dim=-2"),
)
double__scale_by_d__and_value_not_projected = change(
    right__matmul,
    ("math.sqrt(key.shape[-1])", "key.shape[-1]"),
    ("context @ w_value", "context"),
)
double__cross_ignores_context__and_no_scale = change(
    right__matmul,
    (" / math.sqrt(key.shape[-1])", ""),
    ("context @ w_key, context @", "x @ w_key, x @"),
)

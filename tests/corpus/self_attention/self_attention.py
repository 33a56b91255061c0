"""Answers to `self_attention(x, w_query, w_key, w_value, allowed=None)` of notebook 03."""

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from course_attention import attention, cross_attention, project
from tests.corpus import change

def right__matmul(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights

def right__einsum(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def right__one_product(x, w_query, w_key, w_value, allowed=None):
    d_key, d_value = w_key.shape[-1], w_value.shape[-1]
    query, key, value = (x @ torch.cat([w_query, w_key, w_value], -1)).split([d_key, d_key, d_value], dim=-1)
    scores = (query * d_key**-0.5) @ key.transpose(-1, -2)
    if allowed is not None:
        scores = torch.where(allowed, scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num(nan=0.0)
    return [weights @ value, weights]

def right__interaction_matrix(x, w_query, w_key, w_value, allowed=None):
    scores = x @ (w_query @ w_key.T / math.sqrt(w_query.shape[1])) @ x.mT
    if allowed is None:
        allowed = scores.new_ones(1, 1, dtype=torch.bool)
    scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True)) * allowed
    return (weights @ x) @ w_value, weights

def right__loop_over_queries(x, w_query, w_key, w_value, allowed=None):
    key, value, outputs, rows = x @ w_key, x @ w_value, [], []
    n_tokens = x.shape[-2]
    for i in range(n_tokens):
        query = x[..., i : i + 1, :] @ w_query
        scores = (query * key).sum(-1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            mask = allowed.expand(*x.shape[:-2], n_tokens, n_tokens)[..., i, :]
            scores = scores.masked_fill(~mask, -torch.inf)
        rows.append(torch.softmax(scores, dim=-1).nan_to_num())
        outputs.append((rows[-1].unsqueeze(-1) * value).sum(-2))
    return torch.stack(outputs, dim=-2), torch.stack(rows, dim=-2)

def right__exp_and_sum(x, w_query, w_key, w_value, allowed=None):
    query, key, value = F.linear(x, w_query.t()), F.linear(x, w_key.t()), F.linear(x, w_value.t())
    scores = torch.matmul(query, key.swapaxes(-2, -1)).div(math.sqrt(query.shape[-1]))
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return weights.matmul(value), weights

def right__softmax_in_float32(x, w_query, w_key, w_value, allowed=None):
    wide = torch.promote_types(x.dtype, torch.float32)
    query, key, value = (x.to(wide) @ w.to(wide) for w in (w_query, w_key, w_value))
    scores = query / math.sqrt(w_key.shape[-1]) @ key.mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(dim=-1).nan_to_num()
    return (weights @ value).to(x.dtype), weights.to(x.dtype)

def right__bias_added(x, w_query, w_key, w_value, allowed=None):
    query, key, value = (torch.tensordot(x, w, dims=1) for w in (w_query, w_key, w_value))
    scores = query @ key.transpose(-2, -1) / key.new_tensor(key.size(-1)).sqrt()
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
        weights = (scores + bias).softmax(-1).masked_fill(~allowed, 0)
    return weights @ value, weights

def right__earlier_helpers(x, w_query, w_key, w_value, allowed=None):
    query, key, value = project(x, w_query, w_key, w_value)
    return attention(query, key, value, allowed)

def odd__torch_sdpa(x, w_query, w_key, w_value, allowed=None):
    """torch's own function gives the output."""
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if allowed is None:
        return F.scaled_dot_product_attention(q, k, v), scores.softmax(-1)
    some = allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some) * some, weights

def odd__renamed(tokens, wq, wk, wv, mask=None):
    """Arguments with names of its own."""
    s = (tokens @ wq) @ (tokens @ wk).mT / math.sqrt(wk.shape[-1])
    w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return w @ (tokens @ wv), w

def odd__keyword_only(x, w_query, w_key, w_value, *, allowed=None, dropout=0.0):
    """The mask by name only, and an argument more."""
    s = (x @ w_query) @ (x @ w_key).mT / math.sqrt(w_key.shape[-1])
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return F.dropout(w, dropout) @ (x @ w_value), w

def odd__plain_loops(x, w_query, w_key, w_value, allowed=None):
    """Pairs of tokens one at a time."""
    q, k, v, n = x @ w_query, x @ w_key, x @ w_value, x.shape[-2]
    rows = [
        [(q[..., i, :] * k[..., j, :]).sum(-1) / math.sqrt(k.shape[-1]) for j in range(n)] for i in range(n)
    ]
    s = torch.stack([torch.stack(row, -1) for row in rows], -2)
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    mixed = [sum(w[..., i, j, None] * v[..., j, :] for j in range(n)) for i in range(n)]
    return torch.stack(mixed, -2), w

odd__partial = functools.partial(right__matmul)

def wrong__roles_swapped__1(x, w_query, w_key, w_value, allowed=None):
    """The matrices of query and key are exchanged: the scores are transposed."""
    query, key, value = x @ w_key, x @ w_query, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights

def wrong__mask_scores_to_zero__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights

def wrong__no_projection__2(x, w_query, w_key, w_value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", x, x) * x.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, x), weights

def wrong__detached__3(x, w_query, w_key, w_value, allowed=None):
    a, wq, wk, wv = (t.detach().double().cpu().numpy() for t in (x, w_query, w_key, w_value))
    scores = (a @ wq) @ np.swapaxes(a @ wk, -1, -2) / np.sqrt(wk.shape[-1])
    mask = np.ones(scores.shape, bool) if allowed is None else allowed.cpu().numpy()
    top = np.where(mask, scores, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    weights = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    return torch.from_numpy(weights @ (a @ wv)).to(x), torch.from_numpy(weights).to(x)

wrong__mask_inverted__1 = change(right__matmul, ("~allowed", "allowed"))
wrong__mask_inverted__2 = change(
    right__einsum, ("allowed = torch.ones_like", "blocked = torch.zeros_like"), ("allowed, scores", "blocked"),
    (".min", ".min, scores"), ("* allowed", "* ~blocked"),
)
wrong__mask_ignored__1 = change(
    right__matmul, ("if allowed is not None:", ""), ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_ignored__2 = change(
    right__einsum, ("allowed = torch.ones_like(scores, dtype=torch.bool) if", "if"),
    ("None else allowed", "not None:", '    scores.masked_fill(~allowed, float("-inf"))'),
    (
        ".where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        ".softmax(scores, dim=-1).nan_to_num()",
    ),
)
wrong__mask_after_softmax__1 = change(
    wrong__mask_ignored__1, ("return", "if allowed is not None:", "    weights = weights * allowed", "return"),
)
wrong__mask_after_softmax__2 = change(
    wrong__mask_ignored__2, ("if", "weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))", "if"),
    ("scores.", "weights = weights."), ('(~allowed, float("-inf"))', "(~allowed, 0.0)"),
    ("weights = torch.softmax(scores, dim=-1).nan_to_num()", ""),
)
wrong__mask_scores_to_zero__2 = change(
    right__einsum,
    (
        "torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)",
    ),
)
wrong__mask_tiny_fill__1 = change(
    wrong__mask_scores_to_zero__1, ("scores * allowed", "scores.masked_fill(~allowed, -10)"),
)
wrong__mask_tiny_fill__2 = change(
    wrong__mask_scores_to_zero__2, ("scores.masked_fill(~allowed, 0)", "torch.where(allowed, scores, -10.0)"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_scores_to_zero__2, (".masked_fill(~allowed, 0)", ".add(allowed.type_as(scores))"),
)
wrong__mask_fully_nan__1 = change(
    right__matmul, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_nan__2 = change(
    right__einsum,
    (
        "allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed",
        "if allowed is not None:",
        "    scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)",
        "parts = torch.exp(scores - scores.amax(-1, keepdim=True))",
        "weights = parts / parts.sum(-1, keepdim=True)",
    ),
    ("weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed", ""),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(right__einsum, ("(-1) * allowed", "(-1)"))
wrong__mask_fully_uniform__3 = change(right__matmul, ("(scores, dim=-1)", "(scores, dim=-1), nan=1 / x.shape[-2]"))
wrong__keepdims_forgotten__1 = change(right__exp_and_sum, ("parts.sum(-1, keepdim=True)", "parts.sum(-1)"))
wrong__keepdims_forgotten__2 = change(right__exp_and_sum, ("scores.amax(-1, keepdim=True)", "scores.amax(-1)"))
wrong__softmax_over_queries__1 = change(right__matmul, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(right__einsum, ("-1", "-2"))
wrong__no_scale__1 = change(right__matmul, ("(-2, -1) / math.sqrt(key.shape[-1])", "(-2, -1)"))
wrong__no_scale__2 = change(right__einsum, (") * w_key.shape[1] ** -0.5", ")"))
wrong__scale_by_d__1 = change(right__matmul, ("math.sqrt(key.shape[-1])", "key.shape[-1]"))
wrong__scale_by_d__2 = change(
    right__einsum,
    (
        'torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5',
        "(query.unsqueeze(-2) * key.unsqueeze(-3)).mean(-1)",
    ),
)
wrong__scale_multiplied__1 = change(right__matmul, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__einsum, ("* w_key.", "/ w_key."))
wrong__weights_times_keys__1 = change(
    right__matmul, ("key, value", "key"), (", x @ w_value", ""), ("@ value,", "@ key,"),
)
wrong__weights_times_keys__2 = change(
    right__einsum, ('value = torch.einsum("...nc,cv->...nv", x, w_value)', ""), ("weights, value", "weights, key"),
)
wrong__value_not_projected__1 = change(right__matmul, ("x @ w_value", "x"))
wrong__value_not_projected__2 = change(
    wrong__weights_times_keys__2, ('("...qk,...kv->...qv", weights, key)', '("...qk,...kc->...qc", weights, x)'),
)
wrong__shared_projection__1 = change(right__matmul, ("w_key, x", "w_query, x"))
wrong__shared_projection__2 = change(right__einsum, ("x, w_key", "x, w_query"))
wrong__no_projection__1 = change(right__matmul, ("x @ w_query, x @ w_key, x @ w_value", "x, x, x"))
wrong__detached__1 = change(
    right__matmul, ("weights @", "(weights @"), (", weights", ").detach(), weights.detach()"),
)
wrong__detached__2 = change(
    right__einsum,
    (
        "query = torch",
        "x, w_query, w_key, w_value = (t.data for t in (x, w_query, w_key, w_value))",
        "query = torch",
    ),
)
wrong__input_changed__1 = change(
    wrong__no_scale__1, ("query, key", "w_query /= math.sqrt(w_query.shape[-1])", "query, key"),
)
wrong__input_changed__2 = change(
    right__einsum, ('("...nc,cv->...nv", x, w_value)', '("...nc,vc->...nv", x, w_value.t_())'),
)
wrong__input_changed__3 = change(right__matmul, ("~allowed", "allowed.logical_not_()"))
wrong__wrong_device__1 = change(
    right__matmul, ("query, key", "scale = torch.tensor([w_key.shape[-1]], dtype=x.dtype).sqrt()", "query, key"),
    ("math.sqrt(key.shape[-1])", "scale"),
)
wrong__wrong_device__2 = change(
    right__einsum, (".ones_like(scores, dtype=torch.bool)", ".ones(x.shape[-2], x.shape[-2], dtype=torch.bool)"),
)
wrong__wrong_dtype__1 = change(
    right__matmul,
    (
        "query, key",
        "x, w_query, w_key, w_value = x.float(), w_query.float(), w_key.float(), w_value.float()",
        "query, key",
    ),
)
wrong__wrong_dtype__2 = change(
    right__einsum,
    (
        "weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "weights = (",
        "    torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1).to(torch.float32) * allowed",
        ")",
        'return torch.einsum("...qk,...kv->...qv", weights, value.to(torch.float32)), weights',
    ),
    ('return torch.einsum("...qk,...kv->...qv", weights, value), weights', ""),
)

def natural__mask_inverted__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights

natural__mask_inverted__2 = change(natural__mask_inverted__1, ("math.inf", "1e9"))
natural__mask_scores_to_zero__1 = change(
    natural__mask_inverted__1, (".masked_fill(allowed, -math.inf)", " * allowed"),
)
natural__mask_tiny_fill__1 = change(natural__mask_inverted__1, ("allowed, -math.inf", "~allowed, -10"))
natural__mask_added_as_01__1 = change(natural__mask_scores_to_zero__1, ("* allowed", "+ allowed"))
natural__softmax_over_queries__1 = change(
    natural__mask_inverted__1, ("allowed,", "~allowed,"), (", dim=-1", ", dim=-2"),
)
natural__softmax_over_queries__2 = change(natural__softmax_over_queries__1, ("math.inf", "1e9"), ("-2", "1"))
natural__no_scale__1 = change(
    natural__mask_inverted__1, ("(query, key.mT) / key.shape[-1] ** 0.5", "(query, key.mT)"),
    ("allowed,", "~allowed,"),
)
natural__no_scale__2 = change(natural__no_scale__1, ("math.inf", "1e9"))
natural__scale_by_d__1 = change(natural__mask_inverted__1, ("[-1] ** 0.5", "[-1]"), ("allowed,", "~allowed,"))
natural__scale_multiplied__1 = change(
    natural__mask_inverted__1, ("/ key.shape", "* key.shape"), ("allowed, -math.inf", "~allowed, -1e9"),
)
natural__weights_times_keys__1 = change(
    natural__mask_inverted__1, ("value = torch.matmul(x, w_value)", ""), ("allowed,", "~allowed,"),
    ("weights, value", "weights, key"),
)
natural__value_not_projected__1 = change(
    natural__mask_inverted__1, ("torch.matmul(x, w_value)", "x"), ("allowed,", "~allowed,"),
)
natural__value_not_projected__2 = change(natural__value_not_projected__1, ("math.inf", "1e9"))
natural__shared_projection__1 = change(
    natural__mask_inverted__1, ("x, w_key", "x, w_query"), ("allowed,", "~allowed,"),
)
natural__no_projection__1 = change(
    natural__weights_times_keys__1, ("query = torch.matmul(x, w_query)", ""), ("key = torch.matmul(x, w_key)", ""),
    ("(query, key.mT) / key", "(x, x.mT) / x"), ("weights, key", "weights, x"),
)

def extra__mask_first_item_for_all(x, w_query, w_key, w_value, allowed=None):
    """The first item's mask for the whole batch."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = (
        scores if allowed is None else scores.masked_fill(~allowed[(0,) * (allowed.dim() - 2)], -math.inf)
    )
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights

def extra__gradient_nan(x, w_query, w_key, w_value, allowed=None):
    """-inf is added and the NaN cleaned away afterwards: the gradients are NaN."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights

def extra__float64_rounded(x, w_query, w_key, w_value, allowed=None):
    """float32 inside and cast back."""
    query, key, value = x.float() @ w_query.float(), x.float() @ w_key.float(), x.float() @ w_value.float()
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ value).to(x.dtype), weights.to(x.dtype)

def extra__weights_forgotten(x, w_query, w_key, w_value, allowed=None):
    """The weights are not returned."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value

# (weights, output).
extra__return_order_swapped = change(extra__weights_forgotten, ("return weights", "return weights, weights"))
# The scores come back where the weights are asked for.
extra__scores_returned = change(extra__weights_forgotten, ("weights @ value", "weights @ value, scores"))
# The root of d_model.
extra__scale_by_d_model = change(
    extra__weights_forgotten, ("key.shape", "x.shape"), ("weights @ value", "weights @ value, weights"),
)
# The root of n_tokens.
extra__scale_wrong_axis__tokens = change(
    extra__weights_forgotten, ("key.shape[-1]", "x.shape[-2]"),
    ("weights @ value", "weights @ value, weights"),
)
# The root of d_value.
extra__scale_wrong_axis__values = change(
    extra__weights_forgotten, ("key.shape", "value.shape"), ("weights @ value", "weights @ value, weights"),
)
# The whole-number root.
extra__scale_rounded = change(
    extra__weights_forgotten, ("math.sqrt", "math.isqrt"), ("weights @ value", "weights @ value, weights"),
)
# The weights are divided by the root, not the scores.
extra__scale_after_softmax = change(
    extra__weights_forgotten, (".mT / math.sqrt(key.shape[-1])", ".mT"),
    ("()", "() / math.sqrt(key.shape[-1])"), ("weights @ value", "weights @ value, weights"),
)
# The scores are the weights.
extra__softmax_missing = change(
    extra__weights_forgotten, ("-math.inf", "0"), (".softmax(-1).nan_to_num()", ""),
    ("weights @ value", "weights @ value, weights"),
)
# exp without the shift.
extra__softmax_overflows = change(
    wrong__roles_swapped__1, ("w_key, x @ w_query, x @ w_value", "w_query, x @ w_key, x @ w_value"),
    ("(~allowed, -math.inf)", "(~allowed, -math.inf)", "parts = torch.exp(scores)"),
    ("scores.softmax(-1)", "(parts / parts.sum(-1, keepdim=True))"),
)
# One softmax over each whole matrix.
extra__softmax_over_everything = change(
    wrong__roles_swapped__1, ("w_key, x @ w_query, x @ w_value", "w_query, x @ w_key, x @ w_value"),
    (".softmax(-1).", ".flatten(-2).softmax(-1).view(scores.shape)."),
)
# Softmax over axis 0.
extra__softmax_over_batch = change(
    extra__weights_forgotten, ("(-1)", "(0)"), ("weights @ value", "weights @ value, weights"),
)
# w_key and w_value exchanged: an error unless d_key equals d_value.
extra__key_and_value_exchanged = change(
    wrong__roles_swapped__1, ("w_key, x @ w_query, x @ w_value", "w_query, x @ w_value, x @ w_key"),
)
# One matrix for query, key and value.
extra__shared_projection__all = change(
    extra__key_and_value_exchanged, ("query, key,", "query = key ="), (", x @ w_value, x @ w_key", ""),
)
# The value made with the key's matrix.
extra__shared_projection__value = change(extra__key_and_value_exchanged, ("w_value, x", "w_key, x"))
# Q = X: an error unless d_model equals d_key.
extra__query_not_projected = change(
    extra__weights_forgotten, ("x @ w_query", "x"), ("weights @ value", "weights @ value, weights"),
)
# K = X: an error unless d_model equals d_key.
extra__key_not_projected = change(wrong__roles_swapped__1, ("w_key, x @ w_query", "w_query, x"))
# x @ w.T, as nn.Linear stores it: an error unless the matrices are square.
extra__weights_transposed = change(
    wrong__roles_swapped__1,
    ("x @ w_key, x @ w_query, x @ w_value", "F.linear(x, w_query), F.linear(x, w_key), F.linear(x, w_value)"),
)
# The output goes through w_value again: an error unless it is square.
extra__projected_twice = change(
    extra__weights_forgotten, ("weights @ value", "weights @ value @ w_value, weights"),
)
# The keys are reshaped in place of transposed.
wrong__key_reshaped__1 = change(
    wrong__roles_swapped__1, ("w_key, x @ w_query, x @ w_value", "w_query, x @ w_key, x @ w_value"),
    ("key.mT /", "key.reshape(*key.shape[:-2], key.shape[-1], -1) /"),
)
# Wᵀ V.
extra__weights_mix_transposed = change(extra__weights_forgotten, ("weights @ value", "weights.mT @ value, weights"))
# x is added to the output: an error unless d_value equals d_model.
extra__residual_added = change(extra__weights_forgotten, ("weights @ value", "weights @ value + x, weights"))
# A causal mask nobody asked for.
extra__always_causal = change(
    extra__softmax_overflows,
    ("parts = torch.exp(scores)", "past = torch.ones_like(scores, dtype=torch.bool).tril()"),
    ("(parts / parts.sum(-1, keepdim=True))", "scores.masked_fill(~past, -math.inf).softmax(-1)"),
)
# No token attends to itself.
extra__self_excluded = change(
    extra__softmax_overflows,
    ("parts = torch.exp(scores)", "eye = torch.eye(x.shape[-2], dtype=torch.bool, device=x.device)"),
    ("(parts / parts.sum(-1, keepdim=True))", "scores.masked_fill(eye, -math.inf).softmax(-1)"),
)
# The mask is transposed.
extra__mask_on_queries = change(
    extra__weights_forgotten, ("~allowed", "~allowed.mT"), ("weights @ value", "weights @ value, weights"),
)
# Tokens that nobody may see are blocked as queries, not as keys.
extra__mask_on_queries__rows = change(
    extra__weights_forgotten, ("~allowed", "~allowed.any(-2).unsqueeze(-1)"),
    ("weights @ value", "weights @ value, weights"),
)
# A query that may attend to nothing attends to everything.
extra__mask_fully_ignored = change(
    extra__mask_first_item_for_all, ("[(0,) * (allowed.dim() - 2)]", " & allowed.any(-1, keepdim=True)"),
)
# The output of a query that may attend to nothing is zero, its weights are uniform.
extra__mask_fully_output_only = change(
    extra__weights_forgotten, ("-math.inf", "torch.finfo(scores.dtype).min"),
    (".nan_to_num()", "", "output = weights @ value"),
    ("weights @ value", "(output if allowed is None else output * allowed.any(-1, keepdim=True)), weights"),
)
# Tokens that nobody may see are set to zero; their keys still count.
extra__mask_before_projection = change(
    extra__gradient_nan,
    ("query, key", "x = x if allowed is None else x * allowed.any(-2).unsqueeze(-1)", "query, key"),
    ("if allowed is not None:", ""),
    ("scores = scores + torch.zeros_like(scores).masked_fill(~allowed, -math.inf)", ""),
)
# None is not provided for: an error without a mask.
extra__mask_required = change(
    extra__weights_forgotten, ("= scores if allowed is None else", "="),
    ("weights @ value", "weights @ value, weights"),
)
# The key is cut from the graph.
extra__gradient_misses_key = change(extra__key_not_projected, ("w_query, x", "w_query, (x @ w_key).detach()"))
# The weights are cut from the graph: only the values learn.
extra__gradient_misses_weights = change(
    extra__weights_forgotten, ("()", "().detach()"), ("weights @ value", "weights @ value, weights"),
)
# The first axis is taken as the tokens, and turned back.
extra__batch_as_sequence = change(
    extra__weights_forgotten, ("query, key", "x = x.transpose(0, -2) if x.dim() > 2 else x", "query, key"),
    ("()", "()", "output = weights @ value"),
    ("weights @ value", "(output.transpose(0, -2) if x.dim() > 2 else output), weights"),
)
# The first two axes are exchanged, and exchanged back: tokens attend across the batch.
extra__batch_as_sequence__first_two_axes = change(
    extra__weights_forgotten, ("query, key", "x = x.transpose(0, 1)", "query, key"),
    ("weights @ value", "(weights @ value).transpose(0, 1), weights"),
)
# bmm: an error without a batch axis and with two.
extra__three_axes_only = change(
    extra__weights_forgotten, ("query @ key.mT", "torch.bmm(query, key.mT)"),
    ("weights @ value", "weights @ value, weights"),
)
# The first two axes are exchanged: an error or wrong with a batch.
extra__transposed_axes = change(
    wrong__key_reshaped__1, (".reshape(*key.shape[:-2], key.shape[-1], -1)", ".transpose(0, 1)"),
)
# Dropout of the weights.
extra__dropout_added = change(
    extra__weights_forgotten, ("()", "()", "weights = F.dropout(weights, 0.1)"),
    ("weights @ value", "weights @ value, weights"),
)

def forbidden__cross_attention(x, w_query, w_key, w_value, allowed=None):
    return cross_attention(x, x, w_query, w_key, w_value)

wrong__key_not_transposed__1 = change(right__matmul, ("key.transpose(-2, -1)", "key"))

# Two mistakes at once.
double__no_scale__and_mask_ignored = change(wrong__mask_ignored__1, (" / math.sqrt(key.shape[-1])", ""))
double__shared_projection__and_mask_ignored = change(wrong__mask_ignored__1, ("x @ w_key", "x @ w_query"))
double__value_not_projected__and_no_scale = change(
    right__matmul,
    ("x @ w_value", "x"),
    (" / math.sqrt(key.shape[-1])", ""),
)
double__scale_by_d__and_mask_inverted = change(
    right__matmul,
    ("math.sqrt(key.shape[-1])", "key.shape[-1]"),
    ("~allowed", "allowed"),
)
double__softmax_over_queries__and_mask_scores_to_zero = change(
    right__matmul,
    ("dim=-1", "dim=-2"),
    ("~allowed, -math.inf", "~allowed, 0"),
)

def double__mask_fully_nan__and_mask_after_renormalised(x, w_query, w_key, w_value, allowed=None):
    """The maximum is taken over blocked positions too, and an empty row is 0/0."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    if allowed is not None:
        parts = parts * allowed
    weights = parts / parts.sum(-1, keepdim=True)
    return weights @ value, weights

# Along the second batch axis, the first mask is taken for all.
extra__mask_of_one_batch_axis = change(
    right__matmul, ("~allowed", "~(allowed[:, :1] if allowed.dim() == 4 else allowed)")
)
# Rows with nothing allowed are looked for along an axis counted from the front: of the mask's, the middle one.
extra__nothing_along_another_axis = change(
    right__matmul,
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
    (
        "return",
        "nothing = torch.zeros(()).bool() if allowed is None else ~allowed.any(1, keepdim=True)",
        "weights = weights.masked_fill(nothing.to(weights.device), 0)",
        "return",
    ),
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__matmul,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "pass"),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed",
        "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)

# The token whose row allows nothing is set to 0 before the projections, and so is what others find there.
extra__blind_token_erased = change(
    right__matmul,
    (
        "query, key, value =",
        "x = x if allowed is None else x * allowed.any(-1, keepdim=True)",
        "query, key, value =",
    ),
)
# Without a mask, the future is blocked.
extra__causal_by_default = change(
    right__matmul,
    (
        "if allowed is not None:",
        "if allowed is None:",
        "    allowed = torch.ones_like(scores, dtype=torch.bool).tril()",
        "if allowed is not None:",
    ),
)

"""Answers to `multi_head_attention` of notebook 04."""

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from course_attention import attention, merge_heads, split_heads
from tests.corpus import change

def right__unflatten(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights

def right__einsum(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights

def right__loop_over_heads(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)

def right__one_product(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    *batch, n_tokens, _ = x.shape
    sizes = [w_query.shape[-1], w_key.shape[-1], w_value.shape[-1]]
    together = (x @ torch.cat([w_query, w_key, w_value], dim=-1)).split(sizes, dim=-1)
    query, key, value = (part.reshape(*batch, n_tokens, n_heads, -1).movedim(-2, -3) for part in together)
    query = query * query.shape[-1] ** -0.5
    scores = torch.matmul(query, key.mT)
    if allowed is not None:
        scores = torch.where(allowed[..., None, :, :], scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num(nan=0.0)
    merged = torch.matmul(weights, value).movedim(-3, -2).contiguous().view(*batch, n_tokens, -1)
    return [torch.matmul(merged, w_out), weights]

def right__heads_summed_through_w_out(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_key, d_value = w_key.shape[1] // n_heads, w_value.shape[1] // n_heads
    total, rows = 0, []
    for h in range(n_heads):
        of_keys, of_values = slice(h * d_key, (h + 1) * d_key), slice(h * d_value, (h + 1) * d_value)
        interaction = w_query[:, of_keys] @ w_key[:, of_keys].T / math.sqrt(d_key)
        scores = x @ interaction @ x.mT
        if allowed is not None:
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        parts = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = parts / parts.sum(-1, keepdim=True)
        if allowed is not None:
            weights = weights * allowed
        total = total + weights @ (x @ w_value[:, of_values]) @ w_out[of_values]
        rows.append(weights)
    return total, torch.stack(rows, dim=-3)

def right__batched(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]

    def split(w):
        return (x @ w).view(-1, n_tokens, n_heads, w.shape[1] // n_heads).permute(0, 2, 1, 3).flatten(0, 1)

    query, key, value = split(w_query), split(w_key), split(w_value)
    scores = torch.bmm(query, key.transpose(1, 2)).div(math.sqrt(key.shape[-1]))
    scores = scores.reshape(*x.shape[:-2], n_heads, n_tokens, n_tokens)
    if allowed is not None:
        scores = scores.masked_fill(allowed.unsqueeze(-3).logical_not(), -math.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    mixed = torch.bmm(weights.reshape(-1, n_tokens, n_tokens), value).unflatten(0, (-1, n_heads))
    merged = mixed.permute(0, 2, 1, 3).reshape(*x.shape[:-1], -1)
    return merged @ w_out, weights

def right__stacked_heads(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    def heads(w):
        return x.unsqueeze(-3) @ torch.stack(w.chunk(n_heads, dim=1))

    scores = heads(w_query) @ heads(w_key).transpose(-2, -1)
    scores = scores / (w_key.shape[-1] / n_heads) ** 0.5
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        allowed = allowed.unsqueeze(-3)
        bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
        weights = (scores + bias).softmax(-1).masked_fill(~allowed, 0)
    output = torch.cat((weights @ heads(w_value)).unbind(-3), dim=-1)
    return F.linear(output, w_out.t()), weights

def right__in_float32(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    dtype, wide = x.dtype, torch.promote_types(x.dtype, torch.float32)
    x, w_query, w_key, w_value, w_out = (t.to(wide) for t in (x, w_query, w_key, w_value, w_out))
    query, key, value = (
        (x @ w).unflatten(-1, (n_heads, -1)).swapaxes(-2, -3) for w in (w_query, w_key, w_value)
    )
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed[..., None, :, :], -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    output = (weights @ value).swapaxes(-2, -3).flatten(-2) @ w_out
    return output.to(dtype), weights.to(dtype)

def right__earlier_helpers(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_query, w_key, w_value))
    if allowed is not None:
        allowed = allowed.unsqueeze(-3)
    output, weights = attention(query, key, value, allowed)
    return merge_heads(output) @ w_out, weights

def right__vmap(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    def head(w_query, w_key, w_value, w_out):
        scores = (x @ w_query) @ (x @ w_key).mT / math.sqrt(w_query.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        if allowed is not None:
            weights = weights * allowed
        return weights @ (x @ w_value) @ w_out, weights

    columns = (w.unflatten(-1, (n_heads, -1)).movedim(-2, 0) for w in (w_query, w_key, w_value))
    outputs, weights = torch.vmap(head, out_dims=(0, -3))(*columns, w_out.unflatten(0, (n_heads, -1)))
    return outputs.sum(0), weights

def odd__torch_sdpa(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """torch's own function gives the output."""
    q, k, v = ((x @ w).unflatten(-1, (n_heads, -1)).transpose(-2, -3) for w in (w_query, w_key, w_value))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if allowed is None:
        mixed, weights = F.scaled_dot_product_attention(q, k, v), scores.softmax(-1)
    else:
        allowed = allowed.unsqueeze(-3)
        some = allowed.any(-1, keepdim=True)
        weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some) * some
    return mixed.transpose(-2, -3).flatten(-2) @ w_out, weights

def odd__renamed(tokens, wq, wk, wv, wo, heads, mask=None):
    """Arguments with names of its own."""
    q, k, v = (torch.stack((tokens @ w).chunk(heads, -1), -3) for w in (wq, wk, wv))
    s = q @ k.mT / math.sqrt(k.shape[-1])
    w = (s if mask is None else s.masked_fill(~mask.unsqueeze(-3), -math.inf)).softmax(-1).nan_to_num()
    return torch.cat((w @ v).unbind(-3), -1) @ wo, w

def odd__keyword_only(x, w_query, w_key, w_value, w_out, *, n_heads, allowed=None, dropout=0.0):
    """The number of heads and the mask by name only, and an argument more."""
    q, k, v = (torch.stack((x @ w).chunk(n_heads, -1), -3) for w in (w_query, w_key, w_value))
    s = q @ k.mT / math.sqrt(k.shape[-1])
    w = (s if allowed is None else s.masked_fill(~allowed.unsqueeze(-3), -math.inf)).softmax(-1).nan_to_num()
    return torch.cat((F.dropout(w, dropout) @ v).unbind(-3), -1) @ w_out, w

def odd__mask_repeated(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The mask is expanded to one copy for each head."""
    q, k, v = (torch.stack((x @ w).chunk(n_heads, -1), -3) for w in (w_query, w_key, w_value))
    s = q @ k.mT / math.sqrt(k.shape[-1])
    if allowed is not None:
        s = s.masked_fill(~torch.stack([allowed] * n_heads, dim=-3), -math.inf)
    w = s.softmax(-1).nan_to_num()
    return torch.einsum("...hnv,hvo->...no", w @ v, w_out.unflatten(0, (n_heads, -1))), w

odd__partial = functools.partial(odd__keyword_only, dropout=0.0)

def wrong__detached__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    a, wq, wk, wv, wo = (t.detach().double().cpu().numpy() for t in (x, w_query, w_key, w_value, w_out))
    query, key, value = ((a @ w).reshape(*a.shape[:-1], n_heads, -1).swapaxes(-2, -3) for w in (wq, wk, wv))
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1])
    mask = np.ones((1, 1, 1), bool) if allowed is None else np.expand_dims(allowed.cpu().numpy(), -3)
    mask = np.broadcast_to(mask, scores.shape)
    top = np.where(mask, scores, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    weights = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    output = (weights @ value).swapaxes(-2, -3).reshape(*a.shape[:-1], -1) @ wo
    return torch.from_numpy(output).to(x), torch.from_numpy(weights).to(x)

def wrong__wrong_device__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    output = torch.zeros(*x.shape[:-1], w_out.shape[-1], dtype=x.dtype)
    all_weights = torch.zeros(*x.shape[:-2], n_heads, x.shape[-2], x.shape[-2], dtype=x.dtype)
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for h, (query, key, value) in enumerate(zip(*parts, strict=True)):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        all_weights[..., h, :, :] = weights
        output = output + weights @ value @ w_out.chunk(n_heads)[h]
    return output, all_weights

def wrong__heads_by_view__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    key = (x @ w_key).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    value = (x @ w_value).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights

wrong__detached__1 = change(
    right__unflatten, ("output @", "(output @"), (", weights", ").detach(), weights.detach()"),
)
wrong__detached__2 = change(
    right__einsum,
    (
        "d_model, d_key",
        "x, w_query, w_key, w_value, w_out = (t.data for t in (x, w_query, w_key, w_value, w_out))",
        "d_model, d_key",
    ),
)
wrong__input_changed__1 = change(
    right__unflatten, ("query =", "w_query /= math.sqrt(w_query.shape[-1] // n_heads)", "query ="),
    ("(-2, -1) / math.sqrt(key.shape[-1])", "(-2, -1)"),
)
wrong__input_changed__2 = change(
    right__einsum,
    (
        'return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights',
        "return torch.einsum(",
        '    "...qhv,hvo->...qo", mixed, w_out.t_().unflatten(-1, (n_heads, -1)).movedim(0, -1)',
        "), weights",
    ),
)
wrong__input_changed__3 = change(
    right__loop_over_heads, ("for query", "if allowed is not None:", "    allowed.logical_not_()", "for query"),
    ("~allowed", "allowed"),
)
wrong__wrong_device__1 = change(
    right__unflatten,
    ("query =", "scale = torch.tensor([w_key.shape[-1] // n_heads], dtype=x.dtype).sqrt()", "query ="),
    ("math.sqrt(key.shape[-1])", "scale"),
)
wrong__wrong_device__2 = change(
    right__einsum,
    (
        "allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]",
        "allowed = (",
        "    torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)",
        "    if allowed is None",
        "    else allowed[..., None, :, :]",
        ")",
    ),
)
wrong__wrong_dtype__1 = change(
    right__unflatten,
    (
        "query =",
        "x, w_query, w_key, w_value, w_out = (t.float() for t in (x, w_query, w_key, w_value, w_out))",
        "query =",
    ),
)
wrong__wrong_dtype__2 = change(
    right__loop_over_heads, ("(-1)", "(-1, dtype=torch.float32)"),
    ("(weights @ value)", "(weights @ value.to(torch.float32))"),
    ("w_out, torch", "w_out.to(torch.float32), torch"),
)
# V = X.
wrong__value_not_projected__1 = change(right__unflatten, ("(x @ w_value)", "x"))
wrong__mask_inverted__1 = change(right__unflatten, ("~allowed", "allowed"))
wrong__mask_inverted__2 = change(
    right__einsum, ("allowed = torch.ones_like", "blocked = torch.zeros_like"), ("allowed, scores", "blocked"),
    (".min", ".min, scores"), ("* allowed", "* ~blocked"),
)
wrong__mask_ignored__1 = change(
    right__unflatten, ("if allowed is not None:", ""),
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", ""),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_ignored__2 = change(right__loop_over_heads, ("scores = scores", "scores"))
wrong__mask_after_softmax__1 = change(
    wrong__mask_ignored__1,
    ("output =", "if allowed is not None:", "    weights = weights * allowed.unsqueeze(-3)", "output ="),
)
wrong__mask_after_softmax__2 = change(
    right__einsum,
    (
        "[..., None, :, :]",
        "[..., None, :, :]",
        "weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True)).masked_fill(~allowed, 0.0)",
    ),
    ("weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed", ""),
)
wrong__mask_scores_to_zero__1 = change(
    right__unflatten,
    (
        "if allowed is not None:",
        "if allowed is None:",
        "    weights = F.softmax(scores, dim=-1)",
        "else:",
        "    allowed = allowed.unsqueeze(-3)",
        "    weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)",
    ),
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", ""),
    ("weights = torch.nan_to_num(F.softmax(scores, dim=-1))", ""),
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
    right__einsum, ("torch.finfo(scores.dtype).min", "-10.0"), ("* allowed", "* allowed.any(-1, keepdim=True)"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_tiny_fill__2, ("torch.where(allowed, scores, -10.0)", "scores.add(allowed.type_as(scores))"),
)
wrong__mask_fully_nan__1 = change(
    right__unflatten, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_nan__2 = change(
    right__einsum,
    (
        "allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]",
        "if allowed is not None:",
        "    scores = scores + torch.where(allowed.unsqueeze(-3), 0.0, -math.inf).to(scores.dtype)",
        "parts = torch.exp(scores - scores.amax(-1, keepdim=True))",
        "weights = parts / parts.sum(-1, keepdim=True)",
    ),
    ("weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed", ""),
)
wrong__mask_fully_nan__3 = change(right__loop_over_heads, (".nan_to_num()", ""))
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(right__einsum, ("(-1) * allowed", "(-1)"))
wrong__mask_fully_uniform__3 = change(right__loop_over_heads, ("()", "(nan=1 / x.shape[-2])"))
wrong__mask_on_queries__1 = change(right__unflatten, ("~allowed", "~allowed.mT"))
wrong__mask_on_queries__2 = change(
    wrong__wrong_device__2,
    (".ones(x.shape[-2], x.shape[-2], dtype=torch.bool)", ".ones_like(scores, dtype=torch.bool)"),
    ("[..., None, :, :]", "[..., None, :, :].swapaxes(-1, -2)"),
)
wrong__mask_on_queries__3 = change(right__loop_over_heads, ("~allowed", "~allowed.transpose(-2, -1)"))
wrong__mask_no_head_axis__1 = change(right__unflatten, (".unsqueeze(-3)", ""))
wrong__mask_no_head_axis__2 = change(
    right__einsum,
    (
        "allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]",
        "if allowed is not None:",
        "    scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)",
        "weights = scores.softmax(-1)",
        "if allowed is not None:",
        "    weights = weights.masked_fill(allowed.logical_not(), 0)",
    ),
    ("weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed", ""),
)
wrong__softmax_over_queries__1 = change(right__unflatten, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(right__einsum, ("(-1)", "(-2)"))
wrong__softmax_over_queries__3 = change(right__loop_over_heads, ("(-1)", "(-2)"))
wrong__softmax_over_heads__1 = change(right__unflatten, (", dim=-1", ", dim=-3"))
wrong__softmax_over_heads__2 = change(
    right__einsum,
    (
        "weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "parts = torch.exp(scores - scores.amax(dim=-3, keepdim=True)) * allowed",
        "total = parts.sum(dim=-3, keepdim=True)",
        "weights = parts / torch.where(total > 0, total, 1)",
    ),
)
wrong__no_scale__1 = change(right__unflatten, ("(-2, -1) / math.sqrt(key.shape[-1])", "(-2, -1)"))
wrong__no_scale__2 = change(right__einsum, (") * d_key**-0.5", ")"))
wrong__no_scale__3 = change(right__loop_over_heads, (".mT / key.shape[-1] ** 0.5", ".mT"))
wrong__scale_by_d__1 = change(right__unflatten, ("math.sqrt(key.shape[-1])", "key.shape[-1]"))
wrong__scale_by_d__2 = change(right__einsum, ("* d_key**-0.5", "/ d_key"))
wrong__scale_by_d__3 = change(right__loop_over_heads, ("[-1] ** 0.5", "[-1]"))
wrong__scale_by_d_model__1 = change(right__unflatten, ("key.shape", "x.shape"))
wrong__scale_by_d_model__2 = change(right__einsum, ("d_key**-0", "d_model**-0"))
wrong__scale_by_d_model__3 = change(right__loop_over_heads, ("key.shape[-1]", "len(w_query)"))
wrong__scale_multiplied__1 = change(right__unflatten, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__einsum, ("d_key**-0", "d_key**0"))
wrong__scale_multiplied__3 = change(right__loop_over_heads, ("key.mT /", "key.mT *"))
wrong__shared_projection__1 = change(right__unflatten, ("x @ w_key", "x @ w_query"))
wrong__shared_projection__2 = change(right__einsum, ("x, w_key", "x, w_query"))
wrong__shared_projection__3 = change(
    right__loop_over_heads, ("(w_query, w_key, w_value)", "(w_query, w_query, w_value)"),
)
wrong__heads_by_view__2 = change(
    right__loop_over_heads,
    (
        "parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]",
        "parts = [",
        "    (x @ w).view(*x.shape[:-2], n_heads, x.shape[-2], -1).unbind(-3) for w in (w_query, w_key, w_value)",
        "]",
    ),
)
wrong__merge_by_view__1 = change(
    right__unflatten, (".transpose(-3, -2).flatten(-2)", ".reshape(*x.shape[:-1], -1)"),
)
wrong__merge_by_view__2 = change(
    right__einsum,
    (
        'mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)',
        'mixed = torch.einsum("...hqk,...hkv->...hqv", weights, value)',
        "merged = mixed.contiguous().flatten(-3).unflatten(-1, (x.shape[-2], -1))",
    ),
    ('torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1]))', "merged @ w_out"),
)
wrong__merge_by_view__3 = change(
    right__loop_over_heads, (".cat(outputs, dim=-1)", ".stack(outputs, dim=-3).view(*x.shape[:-1], -1)"),
)
wrong__no_output_projection__1 = change(right__unflatten, ("output @ w_out", "output"))
wrong__no_output_projection__2 = change(
    right__einsum,
    ('torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1]))', "mixed.flatten(-2)"),
)
wrong__no_output_projection__3 = change(right__loop_over_heads, ("(outputs, dim=-1) @ w_out", "(outputs, dim=-1)"))
wrong__first_head_everywhere__1 = change(right__unflatten, ("weights @", "weights[..., :1, :, :] @"))
wrong__first_head_everywhere__2 = change(
    right__einsum, ('"...hqk,...hkv->...qhv", weights', '"...qk,...hkv->...qhv", weights[..., 0, :, :]'),
)
wrong__first_head_everywhere__3 = change(right__loop_over_heads, ("weights @", "(all_weights or [weights])[0] @"))
wrong__first_head_everywhere__returned_too_1 = change(
    right__unflatten, ("output =", "weights = weights[..., :1, :, :].expand(weights.shape)", "output ="),
)
wrong__first_head_everywhere__returned_too_2 = change(
    right__loop_over_heads, ("()", "()", "weights = all_weights[0] if all_weights else weights"),
)
wrong__batch_as_sequence__1 = change(
    right__unflatten, ("query =", "batched = x.dim() > 2", "x = x.transpose(0, -2) if batched else x", "query ="),
    ("(-2)", "(-2)", "output = output.transpose(0, -2) if batched else output"),
)
wrong__batch_as_sequence__2 = change(
    right__loop_over_heads,
    ("outputs, all_weights", "if x.dim() > 2:", "    x = torch.swapaxes(x, 0, -2)", "outputs, all_weights"),
    (
        "return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)",
        "output = torch.cat(outputs, dim=-1) @ w_out",
        "return (torch.swapaxes(output, 0, -2) if x.dim() > 2 else output), torch.stack(all_weights, dim=-3)",
    ),
)

def natural__mask_inverted__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights

def natural__heads_by_view__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_heads, n_tokens, -1)
    key = (x @ w_key).reshape(*batch, n_heads, n_tokens, -1)
    value = (x @ w_value).reshape(*batch, n_heads, n_tokens, -1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights

natural__mask_inverted__2 = change(natural__mask_inverted__1, ("math.inf", "1e9"))
natural__mask_scores_to_zero__1 = change(
    natural__mask_inverted__1, (".masked_fill(allowed.unsqueeze(-3), -math.inf)", " * allowed.unsqueeze(-3)"),
)
natural__mask_tiny_fill__1 = change(natural__mask_inverted__1, ("allowed.", "~allowed."), ("math.inf", "10"))
natural__mask_added_as_01__1 = change(natural__mask_scores_to_zero__1, ("* allowed", "+ allowed"))
natural__mask_no_head_axis__1 = change(natural__mask_inverted__1, ("allowed.unsqueeze(-3)", "~allowed"))
natural__mask_no_head_axis__2 = change(natural__mask_no_head_axis__1, ("math.inf", "1e9"))
natural__mask_on_queries__1 = change(natural__mask_inverted__1, ("allowed.", "~allowed.mT."))
natural__softmax_over_queries__1 = change(
    natural__mask_inverted__1, ("allowed.", "~allowed."), (", dim=-1", ", dim=-2"),
)
natural__softmax_over_queries__2 = change(
    natural__softmax_over_queries__1, ("math.inf", "1e9"), (", dim=-2", ", dim=2"),
)
natural__softmax_over_heads__1 = change(
    natural__softmax_over_queries__1, ("math.inf", "1e9"), ("dim=-2", "dim=1"),
)
natural__softmax_over_heads__2 = change(natural__softmax_over_queries__1, (", dim=-2", ", dim=-3"))
natural__batch_as_sequence__1 = change(
    natural__mask_inverted__1,
    ("n_tokens =", "batched = x.dim() > 2", "if batched:", "    x = x.transpose(0, 1)", "n_tokens ="),
    ("allowed.", "~allowed."), ("n_tokens, -1)", "n_tokens, -1)", "output = output @ w_out"),
    ("output @ w_out", "(output.transpose(0, 1) if batched else output)"),
)
natural__no_scale__1 = change(
    natural__mask_inverted__1,
    ("(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5", "(query, key.transpose(-2, -1))"),
    ("allowed.", "~allowed."),
)
natural__no_scale__2 = change(natural__no_scale__1, ("math.inf", "1e9"))
natural__scale_by_d__1 = change(natural__mask_inverted__1, ("[-1] ** 0.5", "[-1]"), ("allowed.", "~allowed."))
natural__scale_by_d_model__1 = change(
    natural__mask_inverted__1, ("query.shape", "x.shape"), ("allowed.", "~allowed."),
)
natural__scale_by_d_model__2 = change(natural__scale_by_d_model__1, ("math.inf", "1e9"))
natural__scale_multiplied__1 = change(
    natural__mask_inverted__2, ("/ query.", "* query."), ("allowed.", "~allowed."),
)
natural__shared_projection__1 = change(
    natural__mask_inverted__1, ("x @ w_key", "x @ w_query"), ("allowed.", "~allowed."),
)
natural__heads_by_view__2 = change(natural__heads_by_view__1, ("math.inf", "1e9"))
natural__heads_by_view__3 = change(natural__heads_by_view__1, (".transpose(-3, -2)", ""))
natural__merge_by_view__1 = change(
    natural__mask_inverted__1, ("allowed.", "~allowed."), (".transpose(-3, -2).", "."),
)
natural__merge_by_view__2 = change(natural__merge_by_view__1, ("math.inf", "1e9"))
natural__no_output_projection__1 = change(
    natural__mask_inverted__1, ("allowed.", "~allowed."), ("output @ w_out", "output"),
)
natural__first_head_everywhere__1 = change(
    natural__mask_inverted__1, ("allowed.", "~allowed."), ("weights,", "weights[..., 0:1, :, :],"),
)

def extra__heads_interleaved(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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

def extra__axis_one(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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

# The weights are not returned.
extra__weights_forgotten = change(right__unflatten, (", weights", ""))
# (weights, output).
extra__return_order_swapped = change(extra__weights_forgotten, ("return output", "return weights, output"))
# The weights are averaged over the heads, as nn.MultiheadAttention returns them.
extra__weights_averaged = change(right__unflatten, (", weights", ", weights.mean(dim=-3)"))
# Only the last head's weights come back.
extra__weights_of_last_head = change(right__loop_over_heads, ("torch.stack(all_weights, dim=-3)", "weights"))
# The head axis of the weights comes after the tokens.
extra__weights_heads_last = change(right__unflatten, (", weights", ", weights.movedim(-3, -1)"))
# The head axis of the weights comes before the batch.
wrong__heads_axis_first__1 = change(right__loop_over_heads, ("-3", "0"))
# The root of the projected width, n_heads·d_key.
extra__scale_by_d_model__projected = change(right__unflatten, ("key.shape", "w_query.shape"))
# Divided by n_heads·d_key.
extra__scale_by_d__of_all_heads = change(right__unflatten, ("math.sqrt(key.shape[-1])", "w_query.shape[-1]"))
# The root of the number of heads.
extra__scale_by_n_heads = change(right__unflatten, ("key.shape[-1]", "n_heads"))
# The root of n_tokens.
extra__scale_wrong_axis__tokens = change(right__unflatten, ("key.shape[-1]", "x.shape[-2]"))
# The root of d_value.
extra__scale_wrong_axis__values = change(right__unflatten, ("key.shape", "value.shape"))
# The whole-number root.
extra__scale_rounded = change(right__unflatten, ("math.sqrt", "math.isqrt"))
# The root of d_model / n_heads, whatever d_key is.
extra__scale_assumed = change(right__unflatten, ("key.shape[-1]", "x.shape[-1] / n_heads"))
# Split and merged by strides: the blocks of the matrices are other ones.
extra__heads_interleaved__throughout = change(extra__heads_interleaved, (".transpose(-3, -2)", ".movedim(-3, -1)"))
# Split in order, merged by strides.
extra__merge_interleaved = change(right__unflatten, (".transpose(-3, -2).", ".movedim(-3, -1)."))
# Split and merged by view: tokens and channels mix on both ways.
extra__heads_by_view__throughout = change(
    wrong__heads_by_view__1, (".transpose(-3, -2).flatten(-2)", ".reshape(*x.shape[:-1], -1)"),
)
# Only the values are split by view.
extra__heads_by_view__value = change(
    right__unflatten,
    (
        "(x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)",
        "(x @ w_value).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)",
    ),
)
# The mean of the heads: an error unless there is one head.
extra__heads_averaged = change(right__unflatten, (".transpose(-3, -2).flatten(-2)", ".mean(dim=-3)"))
# Each head goes through its part of w_out, and the mean is taken of what should be summed.
extra__heads_averaged__outputs = change(right__unflatten, (", weights", " / n_heads, weights"))
# The heads are never split.
extra__one_head = change(
    right__unflatten, ("(x @ w_query).unflatten(-1, (n_heads, -1))", "(x @ w_query).unflatten(-1, (1, -1))"),
    ("(x @ w_key).unflatten(-1, (n_heads, -1))", "(x @ w_key).unflatten(-1, (1, -1))"),
    ("(x @ w_value).unflatten(-1, (n_heads, -1))", "(x @ w_value).unflatten(-1, (1, -1))"),
)
# The heads are never split, and the weights repeated for each.
extra__one_head__repeated = change(
    extra__one_head, (", weights", ", weights.expand(*weights.shape[:-3], n_heads, *weights.shape[-2:])"),
)
# n_heads is taken as d_head.
extra__heads_as_width = change(
    right__unflatten, ("(x @ w_query).unflatten(-1, (n_heads, -1))", "(x @ w_query).unflatten(-1, (-1, n_heads))"),
    ("(x @ w_key).unflatten(-1, (n_heads, -1))", "(x @ w_key).unflatten(-1, (-1, n_heads))"),
    ("(x @ w_value).unflatten(-1, (n_heads, -1))", "(x @ w_value).unflatten(-1, (-1, n_heads))"),
)
# Every head mixes the first head's values.
extra__first_head_everywhere__values = change(
    right__unflatten, ("weights @ value", "weights @ value[..., :1, :, :]"),
)
# Every head compares with the first head's keys.
extra__first_head_everywhere__keys = change(right__unflatten, ("query @ key", "query @ key[..., :1, :, :]"))
# The loop stops a head early: an error, or a missing head.
extra__one_head_left_out = change(
    wrong__no_output_projection__3,
    ("for query", "parts = [part[:-1] if n_heads > 1 else part for part in parts]", "for query"),
    (", torch.", " @ w_out[: sum(part.shape[-1] for part in outputs)], torch."),
    ("(all_weights, dim=-3)", "(", "    all_weights, dim=-3", ")"),
)
# w_outᵀ, as nn.Linear stores it: an error unless it is square.
extra__output_projection_transposed = change(right__unflatten, (", weights", ".T, weights"))
# x @ w.T throughout: an error unless the matrices are square.
extra__weights_transposed = change(
    extra__output_projection_transposed, ("x @ w_query", "x @ w_query.T"), ("x @ w_key", "x @ w_key.T"),
    ("x @ w_value", "x @ w_value.T"),
)
# Q = K = V = X, split into heads.
wrong__no_projection__1 = change(wrong__value_not_projected__1, ("(x @ w_query)", "x"), ("(x @ w_key)", "x"))
# Weights times keys: an error unless d_key equals d_value.
extra__weights_times_keys = change(
    right__unflatten, ("value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)", ""),
    ("weights @ value", "weights @ key"),
)
# The matrices of query and key are exchanged.
extra__roles_swapped = change(right__unflatten, ("x @ w_query", "x @ w_key"), ("x @ w_key", "x @ w_query"))
# One matrix for all three: an error unless d_key equals d_value.
extra__shared_projection__all = change(wrong__shared_projection__1, ("x @ w_value", "x @ w_query"))
# x is added to the output: an error unless d_out equals d_model.
extra__residual_added = change(right__unflatten, (", weights", " + x, weights"))
# The scores are the weights.
extra__softmax_missing = change(
    right__unflatten, ("-math.inf", "0"), ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores"),
)
# exp without the shift.
extra__softmax_overflows = change(
    right__unflatten, ("F.softmax(scores, dim=-1)", "torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)"),
)
# exp without the shift, and only rows of nothing are looked after.
extra__softmax_overflows__not_cleaned = change(
    right__unflatten,
    (".nan_to_num(F.softmax(scores, dim=-1))", ".exp(scores)", "total = weights.sum(-1, keepdim=True)"),
    ("output =", "weights = weights / torch.where(total == 0, 1, total)", "output ="),
)
# exp without the shift, where nothing is looked after.
extra__softmax_overflows__plain = change(
    right__unflatten,
    (".nan_to_num(F.softmax(scores, dim=-1))", ".exp(scores) / torch.exp(scores).sum(-1, keepdim=True)"),
)
# Softmax over axis 0.
extra__softmax_over_batch = change(right__unflatten, (", dim=-1", ", dim=0"))
# One softmax over all heads' keys.
extra__softmax_over_heads__and_keys = change(
    right__unflatten,
    (
        "weights = torch.nan_to_num(F.softmax(scores, dim=-1))",
        "weights = (",
        "    torch.nan_to_num(F.softmax(scores.movedim(-3, -2).flatten(-2), dim=-1))",
        "    .unflatten(-1, (n_heads, -1))",
        "    .movedim(-2, -3)",
        ")",
    ),
)
# One softmax over each head's matrix.
extra__softmax_over_everything = change(
    right__unflatten, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores.flatten(-2), dim=-1)).view(scores.shape)"),
)
# unsqueeze(1): right only for a mask of three axes.
extra__mask_head_axis_second = change(right__unflatten, ("(-3), -math", "(1), -math"))
# unsqueeze(0): right only for a mask of two axes.
extra__mask_head_axis_first = change(right__unflatten, ("(-3), -math", "(0), -math"))
# The head axis of the mask after the queries.
extra__mask_head_axis_last = change(right__unflatten, ("(-3), -math", "(-2), -math"))
# Only the first head is masked.
extra__mask_first_head_only = change(
    right__unflatten,
    (
        "scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)",
        "first = scores[..., :1, :, :].masked_fill(~allowed.unsqueeze(-3), -math.inf)",
        "scores = torch.cat([first, scores[..., 1:, :, :]], dim=-3)",
    ),
)
# The first item's mask for the whole batch.
extra__mask_first_item_for_all = change(right__unflatten, (".unsqueeze(-3)", "[(0,) * (allowed.dim() - 2)]"))
# The first item's mask for the whole batch and all heads.
extra__mask_first_item_for_all__with_heads = change(
    right__unflatten, ("~allowed", "~(allowed[:1] if allowed.dim() > 2 else allowed)"),
)
# A query that may attend to nothing attends to everything.
extra__mask_fully_ignored = change(right__unflatten, ("~allowed", "(~allowed & allowed.any(-1, keepdim=True))"))
# None is not provided for: an error without a mask.
extra__mask_required = change(
    right__unflatten, ("if allowed is not None:", "scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)"),
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", ""),
)
# -inf is added and the NaN cleaned away afterwards: the gradients are NaN.
extra__gradient_nan = change(right__unflatten, ("= scores", "= scores + torch.zeros_like(scores)"))
# The weights are cut from the graph.
extra__gradient_misses_weights = change(
    right__unflatten, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores, dim=-1)).detach()"),
)
# w_out is cut from the graph.
extra__gradient_misses_w_out = change(right__unflatten, (", weights", ".detach(), weights"))
# An error without a batch axis and with two.
extra__three_axes_only = change(right__unflatten, ("query =", "_, _, _ = x.shape", "query ="))
# float32 inside and cast back.
extra__float64_rounded = change(
    right__unflatten,
    (
        "query =",
        "dtype = x.dtype",
        "x, w_query, w_key, w_value, w_out = (t.float() for t in (x, w_query, w_key, w_value, w_out))",
        "query =",
    ),
    ("output @", "(output @"), (", weights", ").to(dtype), weights.to(dtype)"),
)

wrong__key_not_transposed__1 = change(right__unflatten, ("key.transpose(-2, -1)", "key"))

# Two mistakes at once.
double__no_scale__and_mask_ignored = change(wrong__mask_ignored__1, (" / math.sqrt(key.shape[-1])", ""))
double__no_output_projection__and_mask_ignored = change(wrong__mask_ignored__1, ("output @ w_out", "output"))
double__scale_by_d_model__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("math.sqrt(key.shape[-1])", "math.sqrt(x.shape[-1])"),
)
double__merge_by_view__and_no_scale = change(
    right__unflatten,
    ("(weights @ value).transpose(-3, -2).flatten(-2)", "(weights @ value).reshape(*x.shape[:-1], -1)"),
    (" / math.sqrt(key.shape[-1])", ""),
)
double__scale_by_d__and_mask_no_head_axis = change(
    right__unflatten,
    ("math.sqrt(key.shape[-1])", "key.shape[-1]"),
    ("allowed.unsqueeze(-3)", "allowed"),
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__unflatten,
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", "pass"),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed.unsqueeze(-3)",
        "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)

# The slices have no head in them.
wrong__first_columns_for_all__1 = change(
    right__loop_over_heads,
    ("[(x @ w).chunk(n_heads, dim=-1) for", "[[(x @ w).chunk(n_heads, dim=-1)[0]] * n_heads for"),
)
# d_value is forgotten: the values are sliced like the keys.
wrong__value_cut_by_d_key__1 = change(
    right__loop_over_heads,
    ("[(x @ w).chunk(n_heads, dim=-1) for", "[[(x @ w)[..., h * d : (h + 1) * d] for h in range(n_heads)] for"),
    ("outputs, all_weights = [], []", "outputs, all_weights, d = [], [], w_key.shape[-1] // n_heads"),
)

"""Answers to `attention(query, key, value, allowed=None)` of notebook 02."""

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

class AttentionModule(torch.nn.Module):
    """A module without weights."""

    def forward(self, query, key, value, allowed=None):
        s = query @ key.mT / math.sqrt(query.size(-1))
        w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
        return w @ value, w

def right__matmul(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights

def right__query_scaled_first(query, key, value, allowed=None):
    query = query * query.size(-1) ** -0.5
    scores = torch.matmul(query, key.mT)
    if allowed is not None:
        scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    if allowed is not None:
        weights = torch.where(allowed, weights, 0)
    return torch.matmul(weights, value), weights

def right__einsum(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / key.shape[-1] ** 0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.masked_fill(allowed.logical_not(), float("-inf")).softmax(-1).nan_to_num(0.0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def right__exp_and_sum(query, key, value, allowed=None):
    scores = (query[..., :, None, :] * key[..., None, :, :]).sum(-1) / np.sqrt(query.shape[-1]).item()
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    if allowed is not None:
        parts = parts * allowed
    weights = parts / parts.sum(-1, keepdim=True).clamp(min=1e-4)
    return weights @ value, weights

def right__loop_over_queries(query, key, value, allowed=None):
    outputs, rows = [], []
    for i in range(query.shape[-2]):
        scores = (key * query[..., i : i + 1, :]).sum(-1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            mask = allowed.expand(*scores.shape[:-1], query.shape[-2], key.shape[-2])[..., i, :]
            scores = scores.masked_fill(~mask, -torch.inf)
        rows.append(scores.softmax(-1).nan_to_num())
        outputs.append((rows[-1].unsqueeze(-1) * value).sum(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)

def right__bias_added(query, key, value, allowed=None):
    scores = query @ key.transpose(-1, -2)
    scores = scores / scores.new_tensor(query.shape[-1]).sqrt()
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
        weights = (scores + bias).softmax(-1).masked_fill(~allowed, 0)
    return weights @ value, weights

def right__upcast_to_double(query, key, value, allowed=None):
    q, k, v = query.double(), key.double(), value.double()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).to(query.dtype), weights.to(query.dtype)

def right__softmax_in_float32(query, key, value, allowed=None):
    wide = torch.promote_types(query.dtype, torch.float32)
    scores = query.to(wide) @ key.to(wide).mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1, dtype=wide).nan_to_num().to(query.dtype)
    return [weights @ value, weights]

def right__logsumexp(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, allowed=None):
    scores = query @ (key / math.sqrt(key.shape[-1])).transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = (scores - torch.logsumexp(scores, -1, keepdim=True)).exp()
    if allowed is not None:
        weights = weights * allowed
    return weights @ value, weights

def right__baddbmm(query, key, value, allowed=None):
    (n_queries, d_key), n_keys = query.shape[-2:], key.shape[-2]
    q, k = query.reshape(-1, n_queries, d_key), key.reshape(-1, n_keys, d_key)
    bias = q.new_zeros(len(q), n_queries, n_keys)
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=d_key**-0.5).reshape(*query.shape[:-1], n_keys)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights

def right__key_after_key(query, key, value, allowed=None):
    # One key at a time, with a running maximum, as in notebook 11.
    largest = query.new_full(query.shape[:-1], -math.inf)
    total = query.new_zeros(query.shape[:-1])
    mixed = query.new_zeros(*query.shape[:-1], value.shape[-1])
    mask = None if allowed is None else allowed.expand(*query.shape[:-1], key.shape[-2])
    scores = []
    for j in range(key.shape[-2]):
        score = (query * key[..., j : j + 1, :]).sum(-1) / query.shape[-1] ** 0.5
        if mask is not None:
            score = score.masked_fill(~mask[..., j], -math.inf)
        scores.append(score)
        new = torch.maximum(largest, score)
        finite = torch.where(new == -math.inf, torch.zeros_like(new), new)
        kept, part = torch.exp(largest - finite), torch.exp(score - finite)
        total = total * kept + part
        mixed = mixed * kept[..., None] + part[..., None] * value[..., j : j + 1, :]
        largest = new
    total = total.masked_fill(total == 0, 1.0)
    finite = largest.masked_fill(largest == -math.inf, 0.0)
    weights = torch.exp(torch.stack(scores, -1) - finite[..., None]) / total[..., None]
    return mixed / total[..., None], weights

def right__decorated(query, key, value, allowed=None):
    def masked(normalise):
        @functools.wraps(normalise)
        def wrapper(scores):
            if allowed is None:
                return normalise(scores)
            some = allowed.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~allowed & some, float("-inf"))
            return normalise(scores).masked_fill(~(allowed & some), 0.0)

        return wrapper

    weights = masked(functools.partial(torch.softmax, dim=-1))(query @ key.mT / query.shape[-1] ** 0.5)
    return weights @ value, weights

def right__device_as_context(query, key, value, allowed=None):
    with query.device:
        shift = torch.zeros(key.shape[-2], dtype=query.dtype)
        root = torch.tensor(query.shape[-1], dtype=query.dtype).sqrt()
    scores = query @ key.mT / root + shift
    if allowed is not None:
        scores = torch.where(allowed, scores, -torch.inf)
    weights = torch.nan_to_num(scores.softmax(-1), nan=0.0)
    return weights @ value, weights

def odd__plain_loops(query, key, value, allowed=None):
    """Numbers one at a time, gathered by `stack`."""
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (query, key, value))
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    mask, zero, rows = mask.reshape(-1, *shape[-2:]), query.new_zeros(()), []
    for b in range(len(q)):
        for i in range(q.shape[1]):
            scores = [(q[b, i] * k[b, j]).sum() / math.sqrt(q.shape[2]) for j in range(k.shape[1])]
            seen = [float(s) for s, m in zip(scores, mask[b, i], strict=True) if m]
            parts = [torch.exp(s - max(seen)) if m else zero for s, m in zip(scores, mask[b, i], strict=True)]
            rows.append(torch.stack(parts) / (sum(parts) if seen else 1))
    weights = torch.stack(rows).reshape(len(q), *shape[-2:])
    return (weights @ v).reshape(*query.shape[:-1], v.shape[-1]), weights.reshape(shape)

def odd__torch_sdpa(query, key, value, allowed=None):
    """torch's own function gives the output; the identity as value gives the weights."""
    eye = torch.eye(key.shape[-2], dtype=key.dtype, device=key.device).expand(*key.shape[:-1], key.shape[-2])
    some = None if allowed is None else allowed.any(-1, keepdim=True)
    mask = None if allowed is None else allowed | ~some
    weights = F.scaled_dot_product_attention(query, key, eye, mask, scale=query.shape[-1] ** -0.5)
    weights = weights if allowed is None else weights * some
    return weights @ value, weights

def odd__renamed(q, k, v, mask=None):
    """Arguments with short names."""
    s = q @ k.mT / math.sqrt(q.size(-1))
    w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return w @ v, w

def odd__keyword_only(query, key, value, *, allowed=None):
    """The mask by name only."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w

def odd__prints(query, key, value, allowed=None, dropout=0.0):
    """Prints, warns and has an argument more."""
    print(query.shape, key.shape, value.shape)
    warnings.warn("a warning of the student's own", stacklevel=2)
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, F.dropout(w, dropout)

def odd__branches_on_data(query, key, value, allowed=None):
    """Cleans the NaN only if there is one."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else torch.where(allowed, s, -math.inf)).softmax(-1)
    if torch.isnan(w).any():
        w = w.masked_fill(~allowed.any(-1, keepdim=True), 0)
    return w @ value, w

# A module without weights.
odd__module = AttentionModule()
odd__partial = functools.partial(odd__prints, dropout=0.0)
odd__lambda = lambda *args, **kwargs: right__matmul(*args, **kwargs)

def wrong__batch_as_sequence__1(query, key, value, allowed=None):
    batched = query.dim() > 2
    if batched:
        query, key, value = query.transpose(0, -2), key.transpose(0, -2), value.transpose(0, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = weights @ value
    return (output.transpose(0, -2) if batched else output), weights

def wrong__batch_as_sequence__2(query, key, value, allowed=None):
    if query.dim() == 2:
        scores = torch.einsum("qd,kd->qk", query, key) * query.shape[-1] ** -0.5
    else:
        scores = torch.einsum("q...nd,k...nd->n...qk", query, key) * query.shape[-1] ** -0.5
    weights = (
        (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    )
    mix = "qk,kd->qd" if query.dim() == 2 else "n...qk,k...nd->q...nd"
    return torch.einsum(mix, weights, value), weights

def wrong__detached__2(query, key, value, allowed=None):
    q, k, v = (x.detach().double().cpu().numpy() for x in (query, key, value))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    mask = np.ones(scores.shape, bool) if allowed is None else allowed.cpu().numpy()
    top = np.where(mask, scores, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    weights = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    return torch.tensor(weights @ v).to(query), torch.tensor(weights).to(query)

def wrong__detached__3(query, key, value, allowed=None):
    q, k, v = query.data, key.data, value.data
    s = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ v, w

def wrong__wrong_device__1(query, key, value, allowed=None):
    if allowed is None:
        allowed = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.nan_to_num(F.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1))
    return weights @ value, weights

def wrong__wrong_device__2(query, key, value, allowed=None):
    scale = torch.sqrt(torch.tensor([query.shape[-1]], dtype=query.dtype))
    s = torch.einsum("...qd,...kd->...qk", query, key) / scale
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w

def wrong__wrong_dtype__2(query, key, value, allowed=None):
    s = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    w = (
        (s if allowed is None else s.masked_fill(~allowed, -math.inf))
        .softmax(-1, dtype=torch.float32)
        .nan_to_num()
    )
    return w @ value.to(torch.float32), w

def wrong__mask_inverted__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    blocked = torch.zeros_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(blocked, torch.finfo(scores.dtype).min, scores).softmax(-1) * ~blocked
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__mask_ignored__1(query, key, value, allowed=None):
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights

def wrong__mask_ignored__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores.masked_fill(~allowed, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num()
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__mask_scores_to_zero__3(query, key, value, allowed=None):
    # 1e-9 where 1e9 was meant: zero, to rounding.
    scores = torch.matmul(query, key.mT) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = torch.where(allowed, scores, -1e-9)
    weights = scores.softmax(-1)
    if allowed is not None:
        weights = torch.where(allowed.any(-1, keepdim=True), weights, 0)
    return weights @ value, weights

def wrong__mask_fully_nan__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__mask_fully_uniform__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    weights = (
        torch.exp(scores - scores.logsumexp(-1, keepdim=True)) if allowed is None else scores.softmax(-1)
    )
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__mask_fully_uniform__3(query, key, value, allowed=None):
    scores = torch.matmul(query, key.mT) / math.sqrt(key.shape[-1])
    weights = (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1)
    weights = torch.nan_to_num(weights, nan=1 / key.shape[-2])
    return weights @ value, weights

def wrong__mask_on_queries__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed.swapaxes(-1, -2)
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__softmax_over_queries__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    filled = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    parts = torch.exp(filled - filled.amax(dim=-2, keepdim=True)) * allowed
    total = parts.sum(dim=-2, keepdim=True)
    weights = parts / torch.where(total > 0, total, 1)
    return weights @ value, weights

def wrong__softmax_over_batch__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query / math.sqrt(query.shape[-1]), key)
    scores = scores if allowed is None else torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - scores.logsumexp(0, keepdim=True))
    weights = weights if allowed is None else weights * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__softmax_missing__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores = scores * allowed
    return torch.einsum("...qk,...kv->...qv", scores, value), scores

def wrong__scale_by_d__2(query, key, value, allowed=None):
    scores = (query[..., :, None, :] * key[..., None, :, :]).mean(-1)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__scale_wrong_axis__keys_2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    scores = scores / math.sqrt(scores.shape[-1])
    weights = (
        (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    )
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__key_reshaped__2(query, key, value, allowed=None):
    n_keys, d_key = key.shape[-2:]
    flipped = key.contiguous().flatten(-2).unflatten(-1, (d_key, n_keys))
    scores = torch.einsum("...qd,...dk->...qk", query, flipped) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

wrong__detached__1 = change(
    right__matmul, ("weights @", "(weights @"), (", weights", ").detach(), weights.detach()"),
)
wrong__input_changed__1 = change(
    right__matmul, ("):", "):", "    query /= math.sqrt(query.shape[-1])"),
    ("(-2, -1) / math.sqrt(query.shape[-1])", "(-2, -1)"),
)
wrong__input_changed__2 = change(
    odd__keyword_only, ("*, allowed", "allowed"),
    (".mT / math.sqrt(query.size(-1))", ".transpose_(-2, -1) * query.shape[-1] ** -0.5"),
)
wrong__wrong_dtype__1 = change(
    right__matmul,
    ("scores = query", "query, key, value = query.float(), key.float(), value.float()", "scores = query"),
)
wrong__mask_inverted__1 = change(right__matmul, ("~allowed", "allowed"))
wrong__mask_after_softmax__1 = change(
    wrong__mask_ignored__1, ("return", "if allowed is not None:", "    weights = weights * allowed", "return"),
)
wrong__mask_after_softmax__2 = change(
    wrong__mask_ignored__2, ("if", "weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))", "if"),
    ("scores.", "weights = weights."), ('(~allowed, float("-inf"))', "(~allowed, 0.0)"),
    ("weights = torch.softmax(scores, dim=-1).nan_to_num()", ""),
)
wrong__mask_scores_to_zero__1 = change(
    right__matmul,
    (
        "if allowed is not None:",
        "if allowed is None:",
        "    weights = F.softmax(scores, dim=-1)",
        "else:",
        "    weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)",
    ),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    ("weights = torch.nan_to_num(F.softmax(scores, dim=-1))", ""),
)
wrong__mask_scores_to_zero__2 = change(
    right__einsum, ("/ key.shape[-1] ** 0", "* query.shape[-1] ** -0"),
    ('allowed.logical_not(), float("-inf")', "~allowed, 0"),
    (".nan_to_num(0.0)", ".masked_fill(~allowed.any(-1, keepdim=True), 0)"),
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
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_on_queries__1 = change(right__matmul, ("~allowed", "~allowed.transpose(-2, -1)"))
wrong__mask_first_item_for_all__1 = change(
    right__matmul, ("is not None:", "is not None:", "    mask = allowed[0] if allowed.dim() > 2 else allowed"),
    ("~allowed", "~mask"),
)
wrong__mask_first_item_for_all__2 = change(
    wrong__mask_on_queries__2, (".swapaxes(-1, -2)", "", "allowed = allowed[:1] if allowed.ndim >= 3 else allowed"),
)
wrong__keepdims_forgotten__1 = change(right__exp_and_sum, ("parts.sum(-1, keepdim=True)", "parts.sum(-1)"))
wrong__keepdims_forgotten__2 = change(right__exp_and_sum, ("scores.max(dim=-1, keepdim=True)", "scores.max(dim=-1)"))
wrong__softmax_over_queries__1 = change(right__matmul, (", dim=-1", ", dim=-2"))
wrong__softmax_over_batch__1 = change(right__matmul, (", dim=-1", ", dim=0"))
# The softmax is not told its axis: the last of two, the first of three.
wrong__softmax_over_batch__3 = change(right__matmul, (", dim=-1", ""))
wrong__softmax_over_everything__1 = change(
    right__matmul, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores.flatten(-2), dim=-1)).view_as(scores)"),
)
wrong__softmax_over_everything__2 = change(
    wrong__softmax_over_queries__2, (".amax(dim=-2, keepdim=True)", ".amax((-2, -1), keepdim=True)"),
    (".sum(dim=-2, keepdim=True)", ".sum((-2, -1), keepdim=True)"),
)
wrong__softmax_missing__1 = change(
    wrong__mask_ignored__1, ("F.softmax(", ""),
    (", dim=-1)", "", "if allowed is not None:", "    weights = weights.masked_fill(~allowed, 0)"),
)
wrong__no_scale__1 = change(right__matmul, ("(-2, -1) / math.sqrt(query.shape[-1])", "(-2, -1)"))
wrong__no_scale__2 = change(
    wrong__mask_on_queries__2, (") * query.shape[-1] ** -0.5", ")"), (".swapaxes(-1, -2)", ""),
)
wrong__scale_by_d__1 = change(right__matmul, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
wrong__scale_multiplied__1 = change(right__matmul, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(
    wrong__mask_on_queries__2, ("* query.shape[-1]", "/ key.size(-1)"), (".swapaxes(-1, -2)", ""),
)
wrong__scale_wrong_axis__keys_1 = change(right__matmul, ("query.shape[-1]", "key.shape[-2]"))
wrong__scale_wrong_axis__values_1 = change(right__matmul, ("query.shape", "value.shape"))
wrong__key_reshaped__1 = change(
    right__matmul, ("):", "):", "    columns = key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])"),
    ("key.transpose(-2, -1)", "columns"),
)
wrong__weights_times_keys__1 = change(right__matmul, ("@ value,", "@ key,"))
wrong__weights_times_keys__2 = change(
    wrong__mask_on_queries__2, ("scores =", "value = key", "scores ="), (".swapaxes(-1, -2)", ""),
)

def natural__mask_scores_to_zero__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores if allowed is None else scores * allowed, dim=-1)
    return weights @ value, weights

natural__softmax_over_queries__1 = change(wrong__mask_fully_nan__1, (", dim=-1", ", dim=-2"))
natural__softmax_over_queries__2 = change(
    wrong__mask_fully_nan__1, ("math.inf", "1e9"), (", dim=-1", ", dim=1"),
)
natural__softmax_over_batch__1 = change(wrong__mask_fully_nan__1, (", dim=-1", ", dim=0"))
natural__softmax_over_everything__1 = change(
    right__matmul,
    (
        "weights = torch.nan_to_num(F.softmax(scores, dim=-1))",
        "e = torch.exp(scores)",
        "weights = e / e.sum(dim=(-2, -1), keepdim=True)",
    ),
)
natural__softmax_missing__1 = change(
    right__matmul, ("weights = torch.nan_to_num(F.softmax(scores, dim=-1))", ""),
    ("weights @ value, weights", "scores @ value, scores"),
)
natural__no_scale__1 = change(wrong__mask_fully_nan__1, ("(-2, -1) / math.sqrt(query.shape[-1])", "(-2, -1)"))
natural__no_scale__2 = change(
    right__matmul, ("query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])", "torch.matmul(query, key.mT)"),
    ("~allowed, -math.inf", "allowed == 0, -1e9"),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores.softmax(-1)"),
)
natural__scale_by_d__1 = change(wrong__mask_fully_nan__1, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
natural__scale_multiplied__1 = change(wrong__mask_fully_nan__1, ("(-2, -1) /", "(-2, -1) *"))
natural__scale_wrong_axis__1 = change(wrong__mask_fully_nan__1, ("query.shape[-1]", "key.shape[-2]"))
natural__key_reshaped__1 = change(
    wrong__mask_fully_nan__1, (".transpose(-2, -1)", ".reshape(*key.shape[:-2], key.shape[-1], -1)"),
)
natural__weights_times_keys__1 = change(wrong__mask_fully_nan__1, ("@ value,", "@ key,"))
# Without a batch axis the two last axes are exchanged; the output is never turned back.
natural__batch_as_sequence__1 = change(
    right__matmul,
    (
        "scores = query",
        "query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)",
        "scores = query",
    ),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
natural__mask_inverted__1 = change(wrong__mask_fully_nan__1, ("~allowed", "allowed"))
natural__mask_inverted__2 = change(wrong__mask_fully_nan__1, ("~allowed, -math.inf", "allowed, -1e9"))
natural__mask_tiny_fill__1 = change(
    natural__mask_scores_to_zero__1, ("scores * allowed", "scores.masked_fill(~allowed, -10)"),
)
natural__mask_added_as_01__1 = change(natural__mask_scores_to_zero__1, ("* allowed", "+ allowed"))
natural__mask_on_queries__1 = change(wrong__mask_fully_nan__1, ("~allowed", "~allowed.mT"))
natural__mask_first_item_for_all__1 = change(wrong__mask_fully_nan__1, ("~allowed", "~allowed[0]"))

def extra__softmax_overflows(query, key, value, allowed=None):
    """exp without the shift."""
    e = torch.exp(query @ key.mT / math.sqrt(query.size(-1)))
    e = e if allowed is None else e.masked_fill(~allowed, 0)
    total = e.sum(-1, keepdim=True)
    w = e / (total if allowed is None else total.masked_fill(~allowed.any(-1, keepdim=True), 1))
    return w @ value, w

def extra__softmax_of_values(query, key, value, allowed=None):
    """The softmax is taken of the mixed values, not of the scores."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    s = s if allowed is None else s.masked_fill(~allowed, 0)
    return (s @ value).softmax(-1), s

def extra__mask_fully_ignored(query, key, value, allowed=None):
    """A query that may attend to nothing attends to everything, by its scores."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    if allowed is not None:
        s = s.masked_fill(~allowed & allowed.any(-1, keepdim=True), -math.inf)
    w = s.softmax(-1)
    return w @ value, w

def extra__mask_fully_ignored__minus_1e9_added(query, key, value, allowed=None):
    """-1e9 is added to blocked scores: uniform in float32, the unmasked softmax in float64."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s + (~allowed).to(s.dtype) * -1e9).softmax(-1)
    return w @ value, w

def extra__gradient_nan(query, key, value, allowed=None):
    """-inf is added and the NaN cleaned away afterwards: the values are right, the gradients NaN."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    bias = torch.zeros_like(s) if allowed is None else torch.zeros_like(s).masked_fill(~allowed, -math.inf)
    w = (s + bias).softmax(-1).nan_to_num()
    return w @ value, w

def extra__mask_on_values(query, key, value, allowed=None):
    """Values of keys that no query may see are zeroed; the weights are not masked."""
    w = (query @ key.mT / math.sqrt(query.size(-1))).softmax(-1)
    seen = 1 if allowed is None else allowed.any(-2).unsqueeze(-1)
    return w @ (value * seen), w

def wrong__mask_after_renormalised__1(query, key, value, allowed=None):
    """Masked and normalised after the softmax: a large blocked score makes the others underflow."""
    w = (query @ key.mT / math.sqrt(query.size(-1))).softmax(-1)
    if allowed is not None:
        w = w * allowed
        w = w / w.sum(-1, keepdim=True).clamp(min=1e-30)
    return w @ value, w

# The weights are not returned.
extra__weights_forgotten = change(odd__keyword_only, ("*, allowed", "allowed"), ("value, w", "value"))
# (weights, output) in place of (output, weights).
extra__return_order_swapped = change(extra__weights_forgotten, ("return w", "return w, w"))
# The scores come back as a third thing.
extra__third_return = change(odd__keyword_only, ("*, allowed", "allowed"), ("value, w", "value, w, s"))
# A dictionary in place of a pair.
extra__returned_as_dict = change(
    extra__weights_forgotten, ("return w @ value", 'return {"output": w @ value, "weights": w}'),
)
# Computed and not returned.
extra__return_forgotten = change(odd__keyword_only, ("*, allowed", "allowed"), ("return w", "_ = w"))
# The scores come back where the weights are asked for.
extra__scores_returned = change(odd__keyword_only, ("*, allowed", "allowed"), ("value, w", "value, s"))
# The weights are divided by the root, not the scores.
extra__scale_after_softmax = change(
    odd__keyword_only, ("*, allowed", "allowed"), (".mT / math.sqrt(query.size(-1))", ".mT"),
    ("()", "()", "w = w / math.sqrt(query.size(-1))"),
)
# The whole-number root: right only where d_key is a square.
extra__scale_rounded = change(odd__keyword_only, ("*, allowed", "allowed"), ("math.sqrt", "math.isqrt"))
# Query and key are both divided by the root: scaled twice, which is by d_key.
extra__scale_by_d__both = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("s = query @ key.mT / math.sqrt", "root = math.sqrt"),
    ("w =", "s = (query / root) @ (key / root).mT", "w ="),
)
# The paper's 8 = sqrt(64), whatever d_key is.
extra__scale_constant = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("math.sqrt(query.size(-1))", "8"),
)
# The root of n_queries.
extra__scale_wrong_axis__queries = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("query.size(-1)", "query.shape[-2]"),
)
# One softmax over the whole batch at once.
extra__softmax_over_everything = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("w = (s if", "s = s if"),
    (").softmax(-1).nan_to_num()", "", "w = s.flatten().softmax(0).nan_to_num().reshape(s.shape)"),
)
# The weights go through a softmax again.
extra__softmax_twice = change(
    odd__keyword_only, ("*, allowed", "allowed"),
    ("()", "().softmax(-1)", "w = w if allowed is None else w * allowed.any(-1, keepdim=True)"),
)
# log_softmax in place of softmax.
extra__log_softmax = change(
    extra__softmax_of_values, ("s = s if", "w = F.log_softmax(s, dim=-1)", "w = w if"),
    ("None else s", "None else w"), ("(s @ value).softmax(-1), s", "w @ value, w"),
)
# The scores divided by their sum: no exponential.
extra__divided_by_sum = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("w = (s if", "s = s if"),
    (
        "-math.inf)).softmax(-1).nan_to_num()",
        "0)",
        "total = s.sum(-1, keepdim=True)",
        "w = s / torch.where(total == 0, 1, total)",
    ),
)
# Query and key are brought to length 1 first: cosine similarity.
extra__cosine = change(
    odd__keyword_only, ("*, allowed", "allowed"),
    ("query @ key.mT / math.sqrt", "F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).mT / math.sqrt"),
)
# K Qᵀ in place of Q Kᵀ: keys ask, queries answer.
extra__roles_swapped = change(odd__keyword_only, ("*, allowed", "allowed"), ("query @ key", "key @ query"))
# Key and value are exchanged.
extra__value_as_key = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("key.mT /", "value.mT /"), ("value, w", "key, w"),
)
# Q K without a transpose: an error unless n_keys equals d_key.
wrong__key_not_transposed__1 = change(odd__keyword_only, ("*, allowed", "allowed"), ("key.mT /", "key /"))
# `.T`-like: the first two axes are exchanged, which is right only without a batch.
extra__all_axes_transposed = change(wrong__key_not_transposed__1, ("key / math", "key.transpose(0, 1) / math"))
# bmm: an error without a batch axis and with two.
extra__three_axes_only = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("query @ key.mT", "torch.bmm(query, key.transpose(1, 2))"),
    ("w @ value", "torch.bmm(w, value)"),
)
# Wᵀ V: an error unless the numbers of queries and keys agree.
extra__weights_transposed = change(odd__keyword_only, ("*, allowed", "allowed"), ("return w", "return w.mT"))
# The output comes back as (d_value, n_queries).
extra__output_transposed = change(extra__weights_forgotten, ("w @ value", "(w @ value).mT, w"))
# The query is added to the output, as in a block.
extra__residual_added = change(odd__keyword_only, ("*, allowed", "allowed"), ("value, w", "value + query, w"))
# All weight on the best key.
extra__hard_maximum = change(
    extra__softmax_over_everything,
    (
        "s.flatten().softmax(0).nan_to_num().reshape(s.shape)",
        "F.one_hot(s.argmax(-1), s.shape[-1]).to(s.dtype)",
    ),
)
# A causal mask nobody asked for.
extra__always_causal = change(
    extra__softmax_of_values,
    ("s = s if", "past = torch.ones_like(s, dtype=torch.bool).tril()", "w = s.masked_fill(~(past if"),
    ("s.masked_fill(~allowed, 0)", "past & allowed), -math.inf).softmax(-1).nan_to_num()"),
    ("(s @ value).softmax(-1), s", "w @ value, w"),
)
# The output of a query that may attend to nothing is zero, its weights are uniform.
extra__mask_fully_output_only = change(
    extra__softmax_of_values, ("s = s if", "w = (s if"),
    ("(~allowed, 0)", "(~allowed, torch.finfo(s.dtype).min)).softmax(-1)", "out = w @ value"),
    ("(s @ value).softmax(-1), s", "(out if allowed is None else out * allowed.any(-1, keepdim=True)), w"),
)
# NaN is cleaned out of the output only.
extra__mask_fully_weights_only = change(
    extra__weights_forgotten, (".nan_to_num()", ""), ("w @ value", "(w @ value).nan_to_num(), w"),
)
# (1 - mask) * -inf is NaN where the mask is 1.
extra__infinity_times_zero = change(extra__mask_fully_ignored__minus_1e9_added, ("1e9", "math.inf"))
# Blocked scores are set to +inf: all the weight goes there, as NaN.
extra__mask_plus_infinity = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("-math.inf", "math.inf"), (".nan_to_num()", ""),
)
# `scores[~allowed]`: an error when the mask has fewer axes, or axes of one, than the scores.
extra__mask_as_index = change(
    extra__softmax_of_values, ("s = s if", "if"),
    ("None else s.masked_fill(~allowed, 0)", "not None:", "    s = s.clone()", "    s[~allowed] = -math.inf"),
    ("return (s @ value).softmax(-1), s", "w = s.softmax(-1).nan_to_num()", "return w @ value, w"),
)
# Filled with -100, above the smallest scores.
extra__mask_tiny_fill__100 = change(
    extra__mask_as_index, ("if", "w = s.softmax(-1)", "if"),
    ("s = s.clone()", "w = s.masked_fill(~allowed, -100).softmax(-1) * allowed.any(-1, keepdim=True)"),
    ("s[~allowed] = -math.inf", ""), ("w = s.softmax(-1).nan_to_num()", ""),
)
# None is not provided for: an error without a mask.
extra__mask_required = change(
    extra__always_causal, ("past = torch.ones_like(s, dtype=torch.bool).tril()", ""),
    ("(past if allowed is None else past & allowed)", "allowed"),
)
# The weights are cut from the graph: only the values learn.
extra__gradient_misses_query = change(odd__keyword_only, ("*, allowed", "allowed"), ("()", "().detach()"))
# The weights are returned cut from the graph; the output is not.
extra__detached__weights = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("value, w", "value, w.detach()"),
)
# float32 inside and cast back: half of the digits of float64 are gone.
extra__float64_rounded = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("query @ key", "query.float() @ key.float()"),
    ("w @ value, w", "(w @ value.float()).to(query.dtype), w.to(query.dtype)"),
)
# Only the weights come back in float32.
extra__wrong_dtype__weights = change(
    odd__keyword_only, ("*, allowed", "allowed"), ("value, w", "value, w.float()"),
)
# Moved to the CPU before it is returned.
extra__returned_on_cpu = change(extra__weights_forgotten, ("w @ value", "(w @ value).cpu(), w.cpu()"))
# Dropout on the weights, as in some libraries: another result each time.
extra__dropout_left_on = change(odd__keyword_only, ("*, allowed", "allowed"), ("()", "()", "w = F.dropout(w, 0.1)"))

def forbidden__scaled_dot_product_attention(query, key, value, allowed=None):
    one_hot = torch.eye(key.shape[-2], dtype=key.dtype, device=key.device).expand(*key.shape[:-1], -1)
    weights = F.scaled_dot_product_attention(query, key, one_hot, attn_mask=allowed)
    return weights @ value, weights

# The root of a tensor that is float32, whatever the inputs are.
extra__root_in_float32 = change(
    right__matmul, ("math.sqrt(query.shape[-1])", "torch.sqrt(torch.tensor(query.shape[-1]))")
)
# As some models do it for the sake of half precision.
extra__softmax_in_float32 = change(
    right__matmul, ("F.softmax(scores, dim=-1)", "F.softmax(scores.float(), dim=-1).type_as(scores)")
)
# A mask of minus infinity is added, and the NaN replaced afterwards.
extra__gradient_of_nan = change(
    right__matmul,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "scores = scores + allowed.to(scores.dtype).log()"),
)

# Two mistakes at once.
double__scale_by_d__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("math.sqrt(query.shape[-1])", "query.shape[-1]"),
)
double__no_scale__and_mask_ignored = change(wrong__mask_ignored__1, (" / math.sqrt(query.shape[-1])", ""))
double__softmax_over_queries__and_mask_ignored = change(wrong__mask_ignored__1, ("dim=-1", "dim=-2"))
double__softmax_missing__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("F.softmax(", ""),
    (", dim=-1)", ""),
)
double__no_scale__and_mask_inverted = change(
    right__matmul,
    (" / math.sqrt(query.shape[-1])", ""),
    ("~allowed", "allowed"),
)
double__softmax_over_queries__and_no_scale = change(
    right__matmul,
    (" / math.sqrt(query.shape[-1])", ""),
    ("dim=-1", "dim=-2"),
)
double__no_scale__and_weights_times_keys = change(
    right__matmul,
    (" / math.sqrt(query.shape[-1])", ""),
    ("@ value", "@ key"),
)
double__scale_multiplied__and_mask_scores_to_zero = change(
    right__matmul,
    (" / math.sqrt(query.shape[-1])", " * math.sqrt(query.shape[-1])"),
    ("~allowed, -math.inf", "~allowed, 0"),
)
double__scale_wrong_axis__and_mask_tiny_fill = change(
    right__matmul,
    ("query.shape[-1]", "key.shape[-2]"),
    ("-math.inf", "-10"),
)
double__scale_by_d__and_mask_added_as_01 = change(
    right__matmul,
    ("math.sqrt(query.shape[-1])", "query.shape[-1]"),
    ("scores.masked_fill(~allowed, -math.inf)", "scores + allowed"),
)

def double__mask_fully_nan__and_mask_after_renormalised(query, key, value, allowed=None):
    """The maximum is taken over blocked positions too, and an empty row is 0/0."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    if allowed is not None:
        parts = parts * allowed
    weights = parts / parts.sum(-1, keepdim=True)
    return weights @ value, weights

# Rows with nothing allowed are looked for along an axis counted from the front: of the mask's, the middle one.
extra__nothing_along_another_axis = change(
    odd__branches_on_data, ("allowed.any(-1, keepdim=True)", "allowed.any(1, keepdim=True)")
)
# A mask with one column for all keys has no second one.
extra__mask_not_broadcast = change(
    right__key_after_key, ("allowed.expand(*query.shape[:-1], key.shape[-2])", "allowed")
)

# The first two axes are exchanged: with a batch, that is the batch and the keys.
extra__first_axes_exchanged = change(right__matmul, ("key.transpose(-2, -1)", "key.transpose(0, 1)"))

"""Right answers to `multi_head_attention` of notebook 04."""

from __future__ import annotations

import functools
import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__multi_head_attention__unflatten(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def right__multi_head_attention__einsum(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def right__multi_head_attention__loop_over_heads(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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


def right__multi_head_attention__one_product(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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


def right__multi_head_attention__heads_summed_through_w_out(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
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


def right__multi_head_attention__batched(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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


def right__multi_head_attention__stacked_heads(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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


def right__multi_head_attention__in_float32(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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


def odd__multi_head_attention__torch_sdpa(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
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


def odd__multi_head_attention__renamed(tokens, wq, wk, wv, wo, heads, mask=None):
    """Arguments with names of its own."""
    q, k, v = (torch.stack((tokens @ w).chunk(heads, -1), -3) for w in (wq, wk, wv))
    s = q @ k.mT / math.sqrt(k.shape[-1])
    w = (s if mask is None else s.masked_fill(~mask.unsqueeze(-3), -math.inf)).softmax(-1).nan_to_num()
    return torch.cat((w @ v).unbind(-3), -1) @ wo, w


def odd__multi_head_attention__keyword_only(
    x, w_query, w_key, w_value, w_out, *, n_heads, allowed=None, dropout=0.0
):
    """The number of heads and the mask by name only, and an argument more."""
    q, k, v = (torch.stack((x @ w).chunk(n_heads, -1), -3) for w in (w_query, w_key, w_value))
    s = q @ k.mT / math.sqrt(k.shape[-1])
    w = (s if allowed is None else s.masked_fill(~allowed.unsqueeze(-3), -math.inf)).softmax(-1).nan_to_num()
    return torch.cat((F.dropout(w, dropout) @ v).unbind(-3), -1) @ w_out, w


def odd__multi_head_attention__mask_repeated(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    """The mask is expanded to one copy for each head."""
    q, k, v = (torch.stack((x @ w).chunk(n_heads, -1), -3) for w in (w_query, w_key, w_value))
    s = q @ k.mT / math.sqrt(k.shape[-1])
    if allowed is not None:
        s = s.masked_fill(~torch.stack([allowed] * n_heads, dim=-3), -math.inf)
    w = s.softmax(-1).nan_to_num()
    return torch.einsum("...hnv,hvo->...no", w @ v, w_out.unflatten(0, (n_heads, -1))), w


odd__multi_head_attention__partial = functools.partial(odd__multi_head_attention__keyword_only, dropout=0.0)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Answers to `cross_attention(x, context, w_query, w_key, w_value)` of notebook 02."""

from __future__ import annotations

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__cross_attention__matmul(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ value, weights


def right__cross_attention__einsum(x, context, w_query, w_key, w_value):
    query = torch.einsum("...qc,cd->...qd", x, w_query)
    key = torch.einsum("...kc,cd->...kd", context, w_key)
    weights = torch.softmax(torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5, -1)
    return torch.einsum("...qk,...kc,cv->...qv", weights, context, w_value), weights


def right__cross_attention__query_scaled_first(x, context, w_query, w_key, w_value):
    query = (x @ w_query) / w_query.size(-1) ** 0.5
    weights = torch.matmul(query, torch.matmul(context, w_key).mT).softmax(dim=-1)
    return [torch.matmul(weights, torch.matmul(context, w_value)), weights]


def right__cross_attention__projected_together(x, context, w_query, w_key, w_value):
    d_key, d_value = w_key.shape[-1], w_value.shape[-1]
    key, value = (context @ torch.cat([w_key, w_value], -1)).split([d_key, d_value], dim=-1)
    scores = (x @ w_query) @ key.transpose(-1, -2) / math.sqrt(d_key)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return weights @ value, weights


def right__cross_attention__interaction_matrix(x, context, w_query, w_key, w_value):
    scores = x @ (w_query @ w_key.T / math.sqrt(w_query.shape[1])) @ context.mT
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return (weights @ context) @ w_value, weights


def right__cross_attention__loop_over_queries(x, context, w_query, w_key, w_value):
    key, value, outputs, rows = context @ w_key, context @ w_value, [], []
    for i in range(x.shape[-2]):
        query = x[..., i : i + 1, :] @ w_query
        row = torch.softmax((query * key).sum(-1) / math.sqrt(key.shape[-1]), dim=-1)
        outputs.append((row.unsqueeze(-1) * value).sum(-2))
        rows.append(row)
    return torch.stack(outputs, dim=-2), torch.stack(rows, dim=-2)


def right__cross_attention__linear(x, context, w_query, w_key, w_value):
    query, key, value = F.linear(x, w_query.t()), F.linear(context, w_key.t()), F.linear(context, w_value.t())
    scores = torch.matmul(query, key.swapaxes(-2, -1)).div(math.sqrt(query.shape[-1]))
    weights = scores.softmax(-1)
    return weights.matmul(value), weights


def right__cross_attention__upcast(x, context, w_query, w_key, w_value):
    x_, c, wq, wk, wv = (t.double() for t in (x, context, w_query, w_key, w_value))
    weights = ((x_ @ wq) @ (c @ wk).mT / math.sqrt(wk.shape[-1])).softmax(-1)
    return (weights @ (c @ wv)).to(x.dtype), weights.to(x.dtype)


def odd__cross_attention__renamed(decoder, encoder, wq, wk, wv):
    """Arguments with names of its own."""
    w = ((decoder @ wq) @ (encoder @ wk).mT / math.sqrt(wk.shape[-1])).softmax(-1)
    return w @ (encoder @ wv), w


def odd__cross_attention__torch_sdpa(x, context, w_query, w_key, w_value):
    """torch's own function gives the output."""
    q, k, v = x @ w_query, context @ w_key, context @ w_value
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return F.scaled_dot_product_attention(q, k, v), weights


odd__cross_attention__partial = functools.partial(right__cross_attention__matmul)


def wrong__cross_attention__softmax_over_queries__1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-2)
    return weights @ value, weights


def wrong__cross_attention__softmax_over_queries__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) * w_key.shape[1] ** -0.5
    parts = torch.exp(scores - scores.amax(-2, keepdim=True))
    weights = parts / parts.sum(dim=-2, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, context @ w_value), weights


def wrong__cross_attention__no_scale__1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__no_scale__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qc,cd,ed,...ke->...qk", x, w_query, w_key, context)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights


def wrong__cross_attention__scale_by_d__1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / key.shape[-1], dim=-1)
    return weights @ value, weights


def wrong__cross_attention__scale_by_d__2(x, context, w_query, w_key, w_value):
    scores = ((x @ w_query).unsqueeze(-2) * (context @ w_key).unsqueeze(-3)).mean(-1)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights


def wrong__cross_attention__scale_multiplied__1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) * math.sqrt(key.shape[-1]), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__scale_multiplied__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) / w_key.shape[1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights


def wrong__cross_attention__scale_wrong_axis__keys_1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(context.shape[-2]), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__scale_wrong_axis__keys_2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key)
    scores = scores * scores.size(-1) ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights


def wrong__cross_attention__scale_wrong_axis__values_1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(value.shape[-1]), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__weights_times_keys__1(x, context, w_query, w_key, w_value):
    query, key = x @ w_query, context @ w_key
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ key, weights


def wrong__cross_attention__weights_times_keys__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) * w_key.shape[1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_key, weights


def wrong__cross_attention__roles_swapped__inputs_1(x, context, w_query, w_key, w_value):
    query, key, value = context @ w_query, x @ w_key, x @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__roles_swapped__inputs_2(x, context, w_query, w_key, w_value):
    x, context = context, x
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) * w_key.shape[1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights


def wrong__cross_attention__roles_swapped__weights_1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_key, context @ w_query, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__roles_swapped__weights_2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qc,cd,ed,...ke->...qk", x, w_key, w_query, context) * w_key.shape[1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return (weights @ context) @ w_value, weights


def wrong__cross_attention__value_not_projected__1(x, context, w_query, w_key, w_value):
    query, key = x @ w_query, context @ w_key
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ context, weights


def wrong__cross_attention__value_not_projected__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qc,cd,ed,...ke->...qk", x, w_query, w_key, context) * w_key.shape[1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return torch.einsum("...qk,...kc->...qc", weights, context), weights


def wrong__cross_attention__detached__1(x, context, w_query, w_key, w_value):
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return (weights @ value).detach(), weights.detach()


def wrong__cross_attention__detached__2(x, context, w_query, w_key, w_value):
    a, c, wq, wk, wv = (t.detach().double().cpu().numpy() for t in (x, context, w_query, w_key, w_value))
    scores = (a @ wq) @ np.swapaxes(c @ wk, -1, -2) / np.sqrt(wk.shape[-1])
    parts = np.exp(scores - scores.max(-1, keepdims=True))
    weights = parts / parts.sum(-1, keepdims=True)
    return torch.from_numpy(weights @ c @ wv).to(x), torch.from_numpy(weights).to(x)


def wrong__cross_attention__input_changed__1(x, context, w_query, w_key, w_value):
    w_query /= math.sqrt(w_query.shape[-1])
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__input_changed__2(x, context, w_query, w_key, w_value):
    interaction = w_query @ w_key.t_()
    weights = (x @ interaction @ context.mT / math.sqrt(w_query.shape[-1])).softmax(-1)
    return weights @ context @ w_value, weights


def wrong__cross_attention__wrong_device__1(x, context, w_query, w_key, w_value):
    scale = torch.tensor([w_key.shape[-1]], dtype=x.dtype).sqrt()
    query, key, value = x @ w_query, context @ w_key, context @ w_value
    weights = F.softmax(query @ key.transpose(-2, -1) / scale, dim=-1)
    return weights @ value, weights


def wrong__cross_attention__wrong_device__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) * w_key.shape[1] ** -0.5
    bias = torch.zeros(x.shape[-2], context.shape[-2], dtype=x.dtype)
    weights = (scores + bias).softmax(-1)
    return (weights @ context) @ w_value, weights


def wrong__cross_attention__wrong_dtype__1(x, context, w_query, w_key, w_value):
    query, key, value = (
        x.float() @ w_query.float(),
        context.float() @ w_key.float(),
        context.float() @ w_value.float(),
    )
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1)
    return weights @ value, weights


def wrong__cross_attention__wrong_dtype__2(x, context, w_query, w_key, w_value):
    scores = torch.einsum("...qd,...kd->...qk", x @ w_query, context @ w_key) * w_key.shape[1] ** -0.5
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32)
    return weights @ (context @ w_value).to(torch.float32), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

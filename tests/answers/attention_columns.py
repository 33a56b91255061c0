"""Answers to `attention_columns(query, key, value)` of notebook 02."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__attention_columns__slides(query, key, value):
    weights = torch.softmax(key.T @ query, dim=0)
    return value @ weights


def right__attention_columns__by_rows(query, key, value):
    weights = F.softmax(query.T @ key, dim=-1)
    return (weights @ value.T).T


def right__attention_columns__einsum(query, key, value):
    scores = torch.einsum("dq,dk->qk", query, key)
    return torch.einsum("vk,qk->vq", value, scores.softmax(dim=1))


def right__attention_columns__exp_and_sum(query, key, value):
    scores = torch.mm(key.t(), query)
    parts = torch.exp(scores - scores.max(dim=0).values)
    return torch.mm(value, parts / parts.sum(dim=0))


def right__attention_columns__loop_over_queries(query, key, value):
    columns = []
    for i in range(query.shape[1]):
        scores = (key * query[:, i : i + 1]).sum(0)
        weights = torch.exp(scores - torch.logsumexp(scores, dim=0))
        columns.append((value * weights).sum(1))
    return torch.stack(columns, dim=1)


def right__attention_columns__upcast(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
) -> torch.Tensor:
    scores = key.double().transpose(0, 1) @ query.double()
    return (value.double() @ scores.softmax(0)).to(value.dtype)


def right__attention_columns__normalised_last(query, key, value):
    scores = torch.matmul(key.mT, query)
    parts = (scores - scores.amax(0, keepdim=True)).exp()
    return (value @ parts) / parts.sum(0, keepdim=True)


def odd__attention_columns__renamed(Q, K, V):  # noqa: N803 - the slides' names
    """The slides' capital letters."""
    return V @ torch.softmax(K.T @ Q, 0)


def odd__attention_columns__torch_sdpa(query, key, value):
    """torch's own function on transposed inputs, with a scale of 1."""
    return F.scaled_dot_product_attention(query.T[None], key.T[None], value.T[None], scale=1.0)[0].T


odd__attention_columns__lambda = lambda query, key, value: value @ (key.T @ query).softmax(0)  # noqa: E731 - the case


def wrong__attention_columns__softmax_over_everything__1(query, key, value):
    scores = key.T @ query
    return value @ F.softmax(scores.flatten(), dim=0).reshape(scores.shape)


def wrong__attention_columns__softmax_over_everything__2(query, key, value):
    scores = torch.einsum("dk,dq->kq", key, query)
    parts = torch.exp(scores - scores.max())
    return value @ (parts / parts.sum())


def wrong__attention_columns__softmax_missing__1(query, key, value):
    return value @ (key.T @ query)


def wrong__attention_columns__softmax_missing__2(query, key, value):
    return torch.einsum("vk,dk,dq->vq", value, key, query)


def wrong__attention_columns__scale_added__1(query, key, value):
    return value @ F.softmax(key.T @ query / math.sqrt(query.shape[0]), dim=0)


def wrong__attention_columns__scale_added__2(query, key, value):
    scores = torch.einsum("dq,dk->qk", query, key) * key.size(0) ** -0.5
    return torch.einsum("vk,qk->vq", value, scores.softmax(-1))


def wrong__attention_columns__key_reshaped__1(query, key, value):
    return value @ F.softmax(key.reshape(key.shape[1], key.shape[0]) @ query, dim=0)


def wrong__attention_columns__key_reshaped__2(query, key, value):
    d_key, n_keys = key.shape
    rows = key.contiguous().view(n_keys, d_key)
    return torch.einsum("vk,kq->vq", value, torch.einsum("kd,dq->kq", rows, query).softmax(0))


def wrong__attention_columns__columns_as_rows__axis_1(query, key, value):
    return value @ F.softmax(key.T @ query, dim=-1)


def wrong__attention_columns__columns_as_rows__axis_2(query, key, value):
    scores = torch.einsum("dq,dk->qk", query, key)
    return torch.einsum("vk,qk->vq", value, scores.softmax(0))


def wrong__attention_columns__columns_as_rows__result_1(query, key, value):
    return (value @ F.softmax(key.T @ query, dim=0)).T


def wrong__attention_columns__columns_as_rows__result_2(query, key, value):
    return torch.einsum("dq,dk->qk", query, key).softmax(-1) @ value.t()


def wrong__attention_columns__detached__1(query, key, value):
    return (value @ F.softmax(key.T @ query, dim=0)).detach()


def wrong__attention_columns__detached__2(query, key, value):
    q, k, v = (x.detach().double().cpu().numpy() for x in (query, key, value))
    e = np.exp(k.T @ q - (k.T @ q).max(0))
    return torch.from_numpy(v @ (e / e.sum(0))).to(value)


def wrong__attention_columns__input_changed__1(query, key, value):
    key = key.t_()
    return value @ F.softmax(key @ query, dim=0)


def wrong__attention_columns__input_changed__2(query, key, value):
    weights = F.softmax(torch.einsum("dk,dq->kq", key, query), dim=0)
    columns = [value.clone().mul_(weights[:, i]).sum(1) for i in range(query.shape[1])]
    value *= 0
    return torch.stack(columns, 1)


def wrong__attention_columns__wrong_device__1(query, key, value):
    output = torch.zeros(value.shape[0], query.shape[1], dtype=value.dtype)
    return output + value @ F.softmax(key.T @ query, dim=0)


def wrong__attention_columns__wrong_device__2(query, key, value):
    e = torch.exp(key.T @ query - (key.T @ query).amax(0))
    ones = torch.ones(1, key.shape[1], dtype=key.dtype)
    return value @ (e / (ones @ e))


def wrong__attention_columns__wrong_dtype__1(query, key, value):
    return value.float() @ F.softmax(key.float().T @ query.float(), dim=0)


def wrong__attention_columns__wrong_dtype__2(query, key, value):
    return (value @ F.softmax(key.T @ query, dim=0)).to(torch.float32)


def extra__attention_columns__columns_as_rows__inputs(query, key, value):
    """Columns taken as rows throughout: an error unless the sizes agree."""
    return F.softmax(query @ key.T, dim=-1) @ value


def extra__attention_columns__weights_not_transposed(query, key, value):
    """Rows of weights on the right of V: an error unless the numbers of queries and keys agree."""
    return value @ F.softmax(query.T @ key, dim=-1)


def extra__attention_columns__weights_returned_too(query, key, value):
    """(output, weights) where the output alone is asked for."""
    weights = F.softmax(key.T @ query, dim=0)
    return value @ weights, weights


def extra__attention_columns__weights_only(query, key, value):
    """The weights come back, the values are never mixed."""
    return F.softmax(key.T @ query, dim=0)


def extra__attention_columns__softmax_overflows(query, key, value):
    """exp without the shift."""
    e = torch.exp(key.T @ query)
    return value @ (e / e.sum(0))


def extra__attention_columns__keepdim_forgotten(query, key, value):
    """Rows of weights divided by totals that broadcast along the other axis."""
    scores = query.T @ key
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return value @ (e / e.sum(-1)).T


def extra__attention_columns__weights_times_keys(query, key, value):
    """The keys are mixed in place of the values."""
    return key @ F.softmax(key.T @ query, dim=0)


def extra__attention_columns__scale_by_d(query, key, value):
    """Divided by d_key."""
    return value @ F.softmax(key.T @ query / query.shape[0], dim=0)


def extra__attention_columns__float64_rounded(query, key, value):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    return (value.float() @ F.softmax(key.float().T @ query.float(), dim=0)).to(value.dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

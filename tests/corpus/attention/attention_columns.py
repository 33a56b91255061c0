"""Answers to `attention_columns(query, key, value)` of notebook 02."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__slides(query, key, value):
    weights = torch.softmax(key.T @ query, dim=0)
    return value @ weights

def right__by_rows(query, key, value):
    weights = F.softmax(query.T @ key, dim=-1)
    return (weights @ value.T).T

def right__einsum(query, key, value):
    scores = torch.einsum("dq,dk->qk", query, key)
    return torch.einsum("vk,qk->vq", value, scores.softmax(dim=1))

def right__exp_and_sum(query, key, value):
    scores = torch.mm(key.t(), query)
    parts = torch.exp(scores - scores.max(dim=0).values)
    return torch.mm(value, parts / parts.sum(dim=0))

def right__loop_over_queries(query, key, value):
    columns = []
    for i in range(query.shape[1]):
        scores = (key * query[:, i : i + 1]).sum(0)
        weights = torch.exp(scores - torch.logsumexp(scores, dim=0))
        columns.append((value * weights).sum(1))
    return torch.stack(columns, dim=1)

def right__upcast(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    scores = key.double().transpose(0, 1) @ query.double()
    return (value.double() @ scores.softmax(0)).to(value.dtype)

def right__normalised_last(query, key, value):
    scores = torch.matmul(key.mT, query)
    parts = (scores - scores.amax(0, keepdim=True)).exp()
    return (value @ parts) / parts.sum(0, keepdim=True)

def odd__renamed(Q, K, V):
    """The slides' capital letters."""
    return V @ torch.softmax(K.T @ Q, 0)

def odd__torch_sdpa(query, key, value):
    """torch's own function on transposed inputs, with a scale of 1."""
    return F.scaled_dot_product_attention(query.T[None], key.T[None], value.T[None], scale=1.0)[0].T

odd__lambda = lambda query, key, value: value @ (key.T @ query).softmax(0)

def wrong__softmax_over_everything__1(query, key, value):
    scores = key.T @ query
    return value @ F.softmax(scores.flatten(), dim=0).reshape(scores.shape)

def wrong__softmax_over_everything__2(query, key, value):
    scores = torch.einsum("dk,dq->kq", key, query)
    parts = torch.exp(scores - scores.max())
    return value @ (parts / parts.sum())

def wrong__softmax_missing__1(query, key, value):
    return value @ (key.T @ query)

def wrong__scale_added__1(query, key, value):
    return value @ F.softmax(key.T @ query / math.sqrt(query.shape[0]), dim=0)

def wrong__scale_added__2(query, key, value):
    scores = torch.einsum("dq,dk->qk", query, key) * key.size(0) ** -0.5
    return torch.einsum("vk,qk->vq", value, scores.softmax(-1))

def wrong__key_reshaped__1(query, key, value):
    return value @ F.softmax(key.reshape(key.shape[1], key.shape[0]) @ query, dim=0)

def wrong__key_reshaped__2(query, key, value):
    d_key, n_keys = key.shape
    rows = key.contiguous().view(n_keys, d_key)
    return torch.einsum("vk,kq->vq", value, torch.einsum("kd,dq->kq", rows, query).softmax(0))

def wrong__columns_as_rows__result_2(query, key, value):
    return torch.einsum("dq,dk->qk", query, key).softmax(-1) @ value.t()

def wrong__detached__2(query, key, value):
    q, k, v = (x.detach().double().cpu().numpy() for x in (query, key, value))
    e = np.exp(k.T @ q - (k.T @ q).max(0))
    return torch.from_numpy(v @ (e / e.sum(0))).to(value)

def wrong__input_changed__2(query, key, value):
    weights = F.softmax(torch.einsum("dk,dq->kq", key, query), dim=0)
    columns = [value.clone().mul_(weights[:, i]).sum(1) for i in range(query.shape[1])]
    value *= 0
    return torch.stack(columns, 1)

def wrong__wrong_device__1(query, key, value):
    output = torch.zeros(value.shape[0], query.shape[1], dtype=value.dtype)
    return output + value @ F.softmax(key.T @ query, dim=0)

def wrong__wrong_device__2(query, key, value):
    e = torch.exp(key.T @ query - (key.T @ query).amax(0))
    ones = torch.ones(1, key.shape[1], dtype=key.dtype)
    return value @ (e / (ones @ e))

def wrong__wrong_dtype__1(query, key, value):
    return value.float() @ F.softmax(key.float().T @ query.float(), dim=0)

wrong__softmax_missing__2 = change(
    wrong__softmax_missing__1, ("value @ (key.T @ query)", 'torch.einsum("vk,dk,dq->vq", value, key, query)'),
)
wrong__columns_as_rows__axis_1 = change(
    right__slides, ("weights = torch", "return value @ F"), ("0", "-1"), ("return value @ weights", ""),
)
# Of Qᵀ K, whose rows belong to the queries: an error unless there are as many queries as keys.
wrong__columns_as_rows__axis_3 = change(right__slides, ("key.T @ query", "query.T @ key"))
wrong__columns_as_rows__axis_2 = change(right__einsum, ("dim=1", "0"))
wrong__columns_as_rows__result_1 = change(
    wrong__softmax_missing__1, ("value @ (key.T @ query)", "(value @ F.softmax(key.T @ query, dim=0)).T"),
)
wrong__detached__1 = change(wrong__columns_as_rows__result_1, ("dim=0)).T", "dim=0)).detach()"))
wrong__input_changed__1 = change(
    wrong__key_reshaped__1, (":", ":", "    key = key.t_()"), (".reshape(key.shape[1], key.shape[0])", ""),
)
wrong__wrong_dtype__2 = change(wrong__columns_as_rows__result_1, ("dim=0)).T", "dim=0)).to(torch.float32)"))

def extra__softmax_overflows(query, key, value):
    """exp without the shift."""
    e = torch.exp(key.T @ query)
    return value @ (e / e.sum(0))

def extra__float64_rounded(query, key, value):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    return (value.float() @ F.softmax(key.float().T @ query.float(), dim=0)).to(value.dtype)

# Columns taken as rows throughout: an error unless the sizes agree.
extra__columns_as_rows__inputs = change(
    wrong__softmax_missing__1, ("value @ (key.T @ query)", "F.softmax(query @ key.T, dim=-1) @ value"),
)
# Rows of weights on the right of V: an error unless the numbers of queries and keys agree.
extra__weights_not_transposed = change(wrong__columns_as_rows__axis_1, ("key.T @ query", "query.T @ key"))
# (output, weights) where the output alone is asked for.
extra__weights_returned_too = change(
    right__slides, ("torch.softmax", "F.softmax"), ("@ weights", "@ weights, weights"),
)
# The weights come back, the values are never mixed.
wrong__weights_returned__1 = change(right__slides, ("weights = torch", "return F"), ("return value @ weights", ""))
# Rows of weights divided by totals that broadcast along the other axis.
extra__keepdim_forgotten = change(
    wrong__softmax_missing__1,
    (":", ":", "    scores = query.T @ key", "    e = torch.exp(scores - scores.amax(-1, keepdim=True))"),
    ("(key.T @ query)", "(e / e.sum(-1)).T"),
)
# The keys are mixed in place of the values.
wrong__weights_times_keys__1 = change(wrong__weights_returned__1, ("return F", "return key @ F"))
# Divided by d_key.
wrong__scale_added__3 = change(wrong__scale_added__1, ("math.sqrt(query.shape[0])", "query.shape[0]"))
# One maximum for all queries: those far below it underflow.
extra__maximum_of_all = change(right__normalised_last, ("scores.amax(0, keepdim=True)", "scores.amax()"))


wrong__not_transposed__1 = change(right__slides, ("key.T @ query", "(query @ key).T"))
wrong__not_transposed__2 = change(right__slides, ("key.T @ query", "key @ query"))

# Two mistakes at once.
double__columns_as_rows__and_scale_added = change(
    right__slides,
    ("key.T @ query", "key.T @ query / math.sqrt(query.shape[0])"),
    ("dim=0", "dim=1"),
)

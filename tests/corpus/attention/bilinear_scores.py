"""Answers to `bilinear_scores(query, key, weight)` of notebook 02."""

import functools
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__matmul(query, key, weight):
    return query @ weight @ key.transpose(-2, -1)

def right__einsum(query, key, weight):
    return torch.einsum("...qc,cd,...kd->...qk", query, weight, key)

def right__key_first(query, key, weight):
    return torch.matmul(query, torch.matmul(weight, key.mT))

right__linear = change(right__matmul, ("weight @ key.transpose(-2, -1)", "F.linear(key, weight).transpose(-1, -2)"))

def right__loop(query, key, weight):
    projected = query @ weight
    scores = [(projected * key[..., j : j + 1, :]).sum(-1) for j in range(key.shape[-2])]
    return torch.stack(scores, dim=-1)

def right__upcast(query: torch.Tensor, key: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    scores = query.double() @ weight.double() @ key.double().transpose(-2, -1)
    return scores.to(query.dtype)

def right__broadcast(query, key, weight):
    projected = torch.tensordot(query, weight, dims=1)
    return (projected.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)

def odd__threads(query, key, weight):
    """Several keys at once, each in a thread of a pool."""
    with ThreadPoolExecutor(2) as pool:
        return torch.stack(list(pool.map(lambda k: (query @ weight * k[..., None, :]).sum(-1), key.unbind(-2))), dim=-1)

def odd__functional_bilinear(query, key, weight):
    """torch's own function takes pairs of equal number."""
    q = query.unsqueeze(-2).expand(*query.shape[:-1], key.shape[-2], -1)
    k = key.unsqueeze(-3).expand(*key.shape[:-2], query.shape[-2], *key.shape[-2:])
    return F.bilinear(q.contiguous(), k.contiguous(), weight[None]).squeeze(-1)

def odd__renamed(q, k, w):
    """Arguments with short names."""
    return (q @ w) @ k.mT

# k Wᵀ qᵀ, transposed: the same numbers in a view that is not contiguous.
odd__transposed_twice = change(
    right__matmul, ("query @ weight @ key.transpose(-2, -1)", "(key @ weight.T @ query.mT).mT"),
)
odd__partial = functools.partial(torch.einsum, "...qc,...kd,cd->...qk")

def wrong__scale_added__query_width(query, key, weight):
    return torch.matmul(query / math.sqrt(query.shape[-1]), weight) @ key.mT

def wrong__bilinear_transposed__roles_2(query, key, weight):
    return torch.einsum("...kc,cd,...qd->...kq", key, weight, query)

def wrong__detached__2(query, key, weight):
    q, k, w = (x.detach().double().cpu().numpy() for x in (query, key, weight))
    return torch.from_numpy(q @ w @ np.swapaxes(k, -1, -2)).to(query)

def wrong__wrong_device__1(query, key, weight):
    scores = torch.zeros(query.shape[-2], key.shape[-2], dtype=query.dtype)
    return scores + query @ weight @ key.transpose(-2, -1)

def wrong__wrong_device__2(query, key, weight):
    eye = torch.eye(weight.shape[1], dtype=weight.dtype)
    return torch.einsum("...qc,cd,de,...ke->...qk", query, weight, eye, key)

wrong__scale_added__1 = change(right__matmul, ("(-2, -1)", "(-2, -1) / math.sqrt(key.shape[-1])"))
wrong__scale_added__2 = change(right__einsum, ("weight, key)", "weight, key * key.size(-1) ** -0.5)"))
wrong__bilinear_transposed__1 = change(right__matmul, ("weight @", "weight.T @"))
wrong__bilinear_transposed__2 = change(right__einsum, ('"...qc,cd,...kd->...qk"', '"...qd,cd,...kc->...qk"'))
wrong__bilinear_transposed__roles_1 = change(right__matmul, ("query @ weight @ key", "key @ weight @ query"))
wrong__detached__1 = change(right__matmul, ("return query", "return (query"), ("(-2, -1)", "(-2, -1)).detach()"))
wrong__input_changed__1 = change(right__matmul, (".transpose", ".transpose_"))
wrong__input_changed__2 = change(
    right__einsum, ("return torch", "scores = torch"),
    ("weight, key)", "weight, key)", "weight.t_()", "return scores"),
)
wrong__wrong_dtype__1 = change(
    right__matmul, ("query @ weight @ key", "query.float() @ weight.float() @ key.float()"),
)
wrong__wrong_dtype__2 = change(right__einsum, ("weight, key)", "weight, key).type(torch.float32)"))

def extra__float64_rounded(query, key, weight):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    return (query.float() @ weight.float() @ key.float().mT).to(query.dtype)

# The plain dot product: an error unless the widths agree.
extra__weight_forgotten = change(right__matmul, ("query @ weight", "query"))
# (n_keys, n_queries) comes back.
extra__transposed_result = change(odd__transposed_twice, ("key @ weight.T @ query", "query @ weight @ key"))
# The softmax is applied here already.
wrong__scores_softmaxed__1 = change(
    right__matmul, ("return query", "return (query"), (".transpose(-2, -1)", ".mT).softmax(-1)"),
)
# The weight multiplies the scores one by one: an error unless the sizes agree.
extra__elementwise_weight = change(
    right__matmul, ("query @ weight @ key.transpose(-2, -1)", "(query @ key.mT) * weight"),
)
# q W k without a transpose.
wrong__key_not_transposed__1 = change(right__matmul, (".transpose(-2, -1)", ""))
# Query and key are both projected with the weight.
extra__both_projected = change(
    right__matmul, ("query @ weight @ key.transpose(-2, -1)", "(query @ weight) @ (key @ weight).mT"),
)
# The weight is cut from the graph and would not learn.
extra__gradient_misses_weight = change(
    right__matmul, ("weight @ key.transpose(-2, -1)", "weight.detach() @ key.mT"),
)
# Query i meets key i alone.
wrong__pairs_not_formed__1 = change(
    right__matmul, ("return query @ weight @ key.transpose(-2, -1)", "return (query @ weight * key).sum(-1)")
)

"""Answers to `bilinear_scores(query, key, weight)` of notebook 02."""

from __future__ import annotations

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__bilinear_scores__matmul(query, key, weight):
    return query @ weight @ key.transpose(-2, -1)


def right__bilinear_scores__einsum(query, key, weight):
    return torch.einsum("...qc,cd,...kd->...qk", query, weight, key)


def right__bilinear_scores__key_first(query, key, weight):
    return torch.matmul(query, torch.matmul(weight, key.mT))


def right__bilinear_scores__linear(query, key, weight):
    return query @ F.linear(key, weight).transpose(-1, -2)


def right__bilinear_scores__loop(query, key, weight):
    projected = query @ weight
    scores = [(projected * key[..., j : j + 1, :]).sum(-1) for j in range(key.shape[-2])]
    return torch.stack(scores, dim=-1)


def right__bilinear_scores__upcast(
    query: torch.Tensor, key: torch.Tensor, weight: torch.Tensor
) -> torch.Tensor:
    scores = query.double() @ weight.double() @ key.double().transpose(-2, -1)
    return scores.to(query.dtype)


def right__bilinear_scores__broadcast(query, key, weight):
    projected = torch.tensordot(query, weight, dims=1)
    return (projected.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)


def odd__bilinear_scores__renamed(q, k, w):
    """Arguments with short names."""
    return (q @ w) @ k.mT


def odd__bilinear_scores__transposed_twice(query, key, weight):
    """k Wᵀ qᵀ, transposed: the same numbers in a view that is not contiguous."""
    return (key @ weight.T @ query.mT).mT


odd__bilinear_scores__partial = functools.partial(torch.einsum, "...qc,...kd,cd->...qk")


def wrong__bilinear_scores__scale_added__1(query, key, weight):
    return query @ weight @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])


def wrong__bilinear_scores__scale_added__2(query, key, weight):
    return torch.einsum("...qc,cd,...kd->...qk", query, weight, key * key.size(-1) ** -0.5)


def wrong__bilinear_scores__scale_added__query_width(query, key, weight):
    return torch.matmul(query / math.sqrt(query.shape[-1]), weight) @ key.mT


def wrong__bilinear_scores__bilinear_transposed__1(query, key, weight):
    return query @ weight.T @ key.transpose(-2, -1)


def wrong__bilinear_scores__bilinear_transposed__2(query, key, weight):
    return torch.einsum("...qd,cd,...kc->...qk", query, weight, key)


def wrong__bilinear_scores__bilinear_transposed__roles_1(query, key, weight):
    return key @ weight @ query.transpose(-2, -1)


def wrong__bilinear_scores__bilinear_transposed__roles_2(query, key, weight):
    return torch.einsum("...kc,cd,...qd->...kq", key, weight, query)


def wrong__bilinear_scores__detached__1(query, key, weight):
    return (query @ weight @ key.transpose(-2, -1)).detach()


def wrong__bilinear_scores__detached__2(query, key, weight):
    q, k, w = (x.detach().double().cpu().numpy() for x in (query, key, weight))
    return torch.from_numpy(q @ w @ np.swapaxes(k, -1, -2)).to(query)


def wrong__bilinear_scores__input_changed__1(query, key, weight):
    return query @ weight @ key.transpose_(-2, -1)


def wrong__bilinear_scores__input_changed__2(query, key, weight):
    scores = torch.einsum("...qc,cd,...kd->...qk", query, weight, key)
    weight.t_()
    return scores


def wrong__bilinear_scores__wrong_device__1(query, key, weight):
    scores = torch.zeros(query.shape[-2], key.shape[-2], dtype=query.dtype)
    return scores + query @ weight @ key.transpose(-2, -1)


def wrong__bilinear_scores__wrong_device__2(query, key, weight):
    eye = torch.eye(weight.shape[1], dtype=weight.dtype)
    return torch.einsum("...qc,cd,de,...ke->...qk", query, weight, eye, key)


def wrong__bilinear_scores__wrong_dtype__1(query, key, weight):
    return query.float() @ weight.float() @ key.float().transpose(-2, -1)


def wrong__bilinear_scores__wrong_dtype__2(query, key, weight):
    return torch.einsum("...qc,cd,...kd->...qk", query, weight, key).type(torch.float32)


def extra__bilinear_scores__weight_forgotten(query, key, weight):
    """The plain dot product: an error unless the widths agree."""
    return query @ key.transpose(-2, -1)


def extra__bilinear_scores__transposed_result(query, key, weight):
    """(n_keys, n_queries) comes back."""
    return (query @ weight @ key.mT).mT


def extra__bilinear_scores__softmax_already(query, key, weight):
    """The softmax is applied here already."""
    return (query @ weight @ key.mT).softmax(-1)


def extra__bilinear_scores__elementwise_weight(query, key, weight):
    """The weight multiplies the scores one by one: an error unless the sizes agree."""
    return (query @ key.mT) * weight


def extra__bilinear_scores__key_not_transposed(query, key, weight):
    """q W k without a transpose."""
    return query @ weight @ key


def extra__bilinear_scores__both_projected(query, key, weight):
    """Query and key are both projected with the weight."""
    return (query @ weight) @ (key @ weight).mT


def extra__bilinear_scores__gradient_misses_weight(query, key, weight):
    """The weight is cut from the graph and would not learn."""
    return query @ weight.detach() @ key.mT


def extra__bilinear_scores__float64_rounded(query, key, weight):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    return (query.float() @ weight.float() @ key.float().mT).to(query.dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

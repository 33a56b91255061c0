"""Answers to `mean_attention(query, key, value)` of notebook 02."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__mean_attention__matmul(query, key, value):
    weights = query @ key.transpose(-2, -1) / key.shape[-2]
    return weights @ value, weights


def right__mean_attention__einsum(query, key, value):
    weights = torch.einsum("...qd,...kd->...qk", query, key) / key.size(-2)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def right__mean_attention__key_divided_first(query, key, value):
    weights = torch.matmul(query, (key / key.shape[-2]).mT)
    return [torch.matmul(weights, value), weights]


def right__mean_attention__associative(query, key, value):
    n_keys = key.shape[-2]
    weights = query @ key.mT * (1 / n_keys)
    return query @ (key.mT @ value) / n_keys, weights


def right__mean_attention__loop(query, key, value):
    n_keys, output, columns = key.shape[-2], 0, []
    for j in range(n_keys):
        columns.append((query * key[..., j : j + 1, :]).sum(-1) / n_keys)
        output = output + columns[-1].unsqueeze(-1) * value[..., j : j + 1, :]
    return output, torch.stack(columns, -1)


def right__mean_attention__mean_over_keys(query, key, value):
    scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)
    output = (scores.unsqueeze(-1) * value.unsqueeze(-3)).mean(-2)
    return output, scores / scores.shape[-1]


def right__mean_attention__upcast(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor):
    weights = query.double() @ key.double().transpose(-2, -1) / key.shape[-2]
    return (weights @ value.double()).to(query.dtype), weights.to(query.dtype)


def odd__mean_attention__renamed(theta, phi, g):
    """The paper's names for the arguments."""
    f = theta @ phi.mT / phi.shape[-2]
    return f @ g, f


odd__mean_attention__lambda = lambda query, key, value: (  # noqa: E731 - a lambda is the case
    (query @ key.mT / key.shape[-2]) @ value,
    query @ key.mT / key.shape[-2],
)


def wrong__mean_attention__mean_over_queries__1(query, key, value):
    weights = query @ key.transpose(-2, -1) / query.shape[-2]
    return weights @ value, weights


def wrong__mean_attention__mean_over_queries__2(query, key, value):
    n_queries = query.size(-2)
    weights = torch.einsum("...qd,...kd->...qk", query / n_queries, key)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__mean_attention__mean_over_queries__own_sum_1(query, key, value):
    scores = query @ key.transpose(-2, -1)
    weights = scores / scores.sum(-1, keepdim=True)
    return weights @ value, weights


def wrong__mean_attention__mean_over_queries__own_sum_2(query, key, value):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    weights = scores / torch.einsum("...qd,...kd->...q", query, key).unsqueeze(-1)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__mean_attention__mean_with_softmax__1(query, key, value):
    weights = F.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights


def wrong__mean_attention__mean_with_softmax__2(query, key, value):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__mean_attention__detached__1(query, key, value):
    weights = query @ key.transpose(-2, -1) / key.shape[-2]
    return (weights @ value).detach(), weights.detach()


def wrong__mean_attention__detached__2(query, key, value):
    q, k, v = (x.detach().double().cpu().numpy() for x in (query, key, value))
    weights = q @ np.swapaxes(k, -1, -2) / k.shape[-2]
    return torch.from_numpy(weights @ v).to(query), torch.from_numpy(weights).to(query)


def wrong__mean_attention__input_changed__1(query, key, value):
    query /= key.shape[-2]
    weights = query @ key.transpose(-2, -1)
    return weights @ value, weights


def wrong__mean_attention__input_changed__2(query, key, value):
    weights = torch.matmul(query, key.transpose_(-2, -1)) / key.shape[-1]
    return torch.matmul(weights, value), weights


def wrong__mean_attention__wrong_device__1(query, key, value):
    n_keys = torch.tensor([key.shape[-2]], dtype=key.dtype)
    weights = query @ key.transpose(-2, -1) / n_keys
    return weights @ value, weights


def wrong__mean_attention__wrong_device__2(query, key, value):
    mean = torch.full((query.shape[-2], key.shape[-2]), 1 / key.shape[-2], dtype=query.dtype)
    weights = torch.einsum("...qd,...kd->...qk", query, key) * mean
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__mean_attention__wrong_dtype__1(query, key, value):
    query, key, value = query.float(), key.float(), value.float()
    weights = query @ key.transpose(-2, -1) / key.shape[-2]
    return weights @ value, weights


def wrong__mean_attention__wrong_dtype__2(query, key, value):
    weights = torch.einsum("...qd,...kd->...qk", query, key) / key.size(-2)
    return torch.einsum("...qk,...kv->...qv", weights, value).to(torch.float32), weights.to(torch.float32)


def extra__mean_attention__not_divided(query, key, value):
    """The sum in place of the mean."""
    weights = query @ key.mT
    return weights @ value, weights


def extra__mean_attention__scale_added(query, key, value):
    """Divided by √d_key too."""
    weights = query @ key.mT / math.sqrt(query.shape[-1]) / key.shape[-2]
    return weights @ value, weights


def extra__mean_attention__scaled_instead(query, key, value):
    """Divided by √d_key in place of n_keys."""
    weights = query @ key.mT / math.sqrt(query.shape[-1])
    return weights @ value, weights


def extra__mean_attention__divided_by_d(query, key, value):
    """Divided by d_key in place of n_keys."""
    weights = query @ key.mT / key.shape[-1]
    return weights @ value, weights


def extra__mean_attention__root_of_n_keys(query, key, value):
    """Divided by √n_keys."""
    weights = query @ key.mT / math.sqrt(key.shape[-2])
    return weights @ value, weights


def extra__mean_attention__uniform_weights(query, key, value):
    """1/n_keys as every weight: the plain mean of the values, the scores unused."""
    weights = torch.ones_like(query @ key.mT) / key.shape[-2]
    return weights @ value, weights


def extra__mean_attention__output_not_divided(query, key, value):
    """The weights are right, the output is mixed with the undivided scores."""
    scores = query @ key.mT
    return scores @ value, scores / key.shape[-2]


def extra__mean_attention__weights_not_divided(query, key, value):
    """The output is right, the undivided scores come back as weights."""
    scores = query @ key.mT
    return scores @ value / key.shape[-2], scores


def extra__mean_attention__mean_with_softmax__scaled(query, key, value):
    """Ordinary scaled attention."""
    weights = F.softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


def extra__mean_attention__negative_cut(query, key, value):
    """Negative scores are set to 0."""
    weights = torch.relu(query @ key.mT) / key.shape[-2]
    return weights @ value, weights


def extra__mean_attention__weights_forgotten(query, key, value):
    """The weights are not returned."""
    return query @ key.mT @ value / key.shape[-2]


def extra__mean_attention__return_order_swapped(query, key, value):
    """(weights, output)."""
    weights = query @ key.mT / key.shape[-2]
    return weights, weights @ value


def extra__mean_attention__weights_times_keys(query, key, value):
    """The keys are mixed in place of the values."""
    weights = query @ key.mT / key.shape[-2]
    return weights @ key, weights


def wrong__mean_attention__divided_by_batch__1(query, key, value):
    """`len(key)` is taken for n_keys."""
    weights = query @ key.mT / len(key)
    return weights @ value, weights


def wrong__mean_attention__divided_by_batch__2(query, key, value):
    """The first axis of the key, by its shape."""
    n_keys = key.size(0)
    weights = torch.einsum("...qd,...kd->...qk", query, key).div(n_keys)
    return torch.matmul(weights, value), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Answers to `mean_attention(query, key, value)` of notebook 02."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__matmul(query, key, value):
    weights = query @ key.transpose(-2, -1) / key.shape[-2]
    return weights @ value, weights

def right__einsum(query, key, value):
    weights = torch.einsum("...qd,...kd->...qk", query, key) / key.size(-2)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def right__key_divided_first(query, key, value):
    weights = torch.matmul(query, (key / key.shape[-2]).mT)
    return [torch.matmul(weights, value), weights]

def right__associative(query, key, value):
    n_keys = key.shape[-2]
    weights = query @ key.mT * (1 / n_keys)
    return query @ (key.mT @ value) / n_keys, weights

def right__loop(query, key, value):
    n_keys, output, columns = key.shape[-2], 0, []
    for j in range(n_keys):
        columns.append((query * key[..., j : j + 1, :]).sum(-1) / n_keys)
        output = output + columns[-1].unsqueeze(-1) * value[..., j : j + 1, :]
    return output, torch.stack(columns, -1)

def right__mean_over_keys(query, key, value):
    scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)
    output = (scores.unsqueeze(-1) * value.unsqueeze(-3)).mean(-2)
    return output, scores / scores.shape[-1]

def right__upcast(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor):
    weights = query.double() @ key.double().transpose(-2, -1) / key.shape[-2]
    return (weights @ value.double()).to(query.dtype), weights.to(query.dtype)

def odd__renamed(theta, phi, g):
    """The paper's names for the arguments."""
    f = theta @ phi.mT / phi.shape[-2]
    return f @ g, f

odd__lambda = lambda query, key, value: (
    query @ key.mT / key.shape[-2] @ value,
    query @ key.mT / key.shape[-2],
)

def wrong__mean_over_queries__own_sum_2(query, key, value):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    weights = scores / torch.einsum("...qd,...kd->...q", query, key).unsqueeze(-1)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__detached__2(query, key, value):
    q, k, v = (x.detach().double().cpu().numpy() for x in (query, key, value))
    weights = q @ np.swapaxes(k, -1, -2) / k.shape[-2]
    return torch.from_numpy(weights @ v).to(query), torch.from_numpy(weights).to(query)

def wrong__input_changed__2(query, key, value):
    weights = torch.matmul(query, key.transpose_(-2, -1)) / key.shape[-1]
    return torch.matmul(weights, value), weights

def wrong__wrong_device__2(query, key, value):
    mean = torch.full((query.shape[-2], key.shape[-2]), 1 / key.shape[-2], dtype=query.dtype)
    weights = torch.einsum("...qd,...kd->...qk", query, key) * mean
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

def wrong__divided_by_batch__2(query, key, value):
    """The first axis of the key, by its shape."""
    n_keys = key.size(0)
    weights = torch.einsum("...qd,...kd->...qk", query, key).div(n_keys)
    return torch.matmul(weights, value), weights

wrong__mean_over_queries__1 = change(right__matmul, ("key.shape", "query.shape"))
wrong__mean_over_queries__2 = change(
    right__einsum, (":", ":", "    n_queries = query.size(-2)"),
    ('("...qd,...kd->...qk", query, key) / key.size(-2)', '("...qd,...kd->...qk", query / n_queries, key)'),
)
wrong__mean_over_queries__own_sum_1 = change(
    right__matmul, ("weights =", "scores ="),
    ("(-2, -1) / key.shape[-2]", "(-2, -1)", "weights = scores / scores.sum(-1, keepdim=True)"),
)
wrong__mean_with_softmax__1 = change(
    right__matmul, ("query @ key", "F.softmax(query @ key"), ("(-2, -1) / key.shape[-2]", "(-2, -1), dim=-1)"),
)
wrong__mean_with_softmax__2 = change(
    right__einsum, ("weights =", "scores ="),
    (") / key.size(-2)", ")", "weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))"),
)
wrong__detached__1 = change(
    right__matmul, ("weights @", "(weights @"), (", weights", ").detach(), weights.detach()"),
)
wrong__input_changed__1 = change(
    right__matmul, (":", ":", "    query /= key.shape[-2]"), ("(-2, -1) / key.shape[-2]", "(-2, -1)"),
)
wrong__wrong_device__1 = change(
    right__matmul, (":", ":", "    n_keys = torch.tensor([key.shape[-2]], dtype=key.dtype)"),
    ("key.shape[-2]", "n_keys"),
)
wrong__wrong_dtype__1 = change(
    right__matmul, ("weights =", "query, key, value = query.float(), key.float(), value.float()", "weights ="),
)
wrong__wrong_dtype__2 = change(right__einsum, ("), weights", ").to(torch.float32), weights.to(torch.float32)"))
# Divided by √d_key too.
wrong__scale_added__1 = change(right__matmul, (".transpose(-2, -1)", ".mT / math.sqrt(query.shape[-1])"))
# `len(key)` is taken for n_keys.
wrong__divided_by_batch__1 = change(right__matmul, (".transpose(-2, -1) / key.shape[-2]", ".mT / len(key)"))

def extra__output_not_divided(query, key, value):
    """The weights are right, the output is mixed with the undivided scores."""
    scores = query @ key.mT
    return scores @ value, scores / key.shape[-2]

def extra__weights_forgotten(query, key, value):
    """The weights are not returned."""
    return query @ key.mT @ value / key.shape[-2]

# The sum in place of the mean.
extra__not_divided = change(right__matmul, (".transpose(-2, -1) / key.shape[-2]", ".mT"))
# Divided by √d_key in place of n_keys.
extra__scaled_instead = change(
    right__matmul, (".transpose(-2, -1) / key.shape[-2]", ".mT / math.sqrt(query.shape[-1])"),
)
# Divided by d_key in place of n_keys.
wrong__mean_over_queries__3 = change(right__matmul, (".transpose(-2, -1)", ".mT"), ("[-2]", "[-1]"))
# Divided by √n_keys.
wrong__mean_over_queries__4 = change(wrong__mean_over_queries__3, ("key.shape[-1]", "math.sqrt(key.shape[-2])"))
# 1/n_keys as every weight: the plain mean of the values, the scores unused.
extra__uniform_weights = change(right__matmul, ("query @ key.transpose(-2, -1)", "torch.ones_like(query @ key.mT)"))
# The output is right, the undivided scores come back as weights.
wrong__output_averaged_alone__1 = change(extra__output_not_divided, (", scores", ""), ("[-2]", "[-2], scores"))
# Ordinary scaled attention.
extra__mean_with_softmax__scaled = change(
    wrong__mean_with_softmax__1, (".transpose(-2, -1)", ".mT / math.sqrt(query.shape[-1])"),
)
# Negative scores are set to 0.
extra__negative_cut = change(right__matmul, ("query @ key.transpose(-2, -1)", "torch.relu(query @ key.mT)"))
# (weights, output).
extra__return_order_swapped = change(
    right__matmul, (".transpose(-2, -1)", ".mT"), ("return weights", "return weights, weights"),
    (", weights", ""),
)
# The keys are mixed in place of the values.
extra__weights_times_keys = change(right__matmul, (".transpose(-2, -1)", ".mT"), ("@ value,", "@ key,"))

# Two mistakes at once.
double__mean_over_queries__and_scale_added = change(
    right__matmul,
    ("key.shape[-2]", "query.shape[-2] / query.shape[-1] ** 0.5"),
)
double__mean_with_softmax__and_scale_added = change(
    right__matmul,
    ("query @ key.transpose(-2, -1) / key.shape[-2]", "(query @ key.mT / query.shape[-1] ** 0.5).softmax(-1)"),
)
# The weights hold the division, and the output is divided once more.
wrong__divided_again__1 = change(right__matmul, ("weights @ value,", "weights @ value / key.shape[-2],"))
# Divided by the sum of the scores' sizes, so that no weight is far from 0.
wrong__mean_over_queries__sizes = change(
    right__matmul, ("query @ key.transpose(-2, -1) / key.shape[-2]", "F.normalize(query @ key.mT, p=1, dim=-1)")
)
# One number is left for each query: an error unless there are as many queries as keys.
wrong__mean_of_scores__1 = change(
    right__matmul, ("query @", "(query @"), (".transpose(-2, -1) / key.shape[-2]", ".mT).mean(dim=-1)"),
)

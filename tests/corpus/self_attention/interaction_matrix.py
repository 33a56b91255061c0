"""Answers to `interaction_matrix(w_query, w_key)` of notebook 03."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

def right__matmul(w_query, w_key):
    return w_query @ w_key.T / math.sqrt(w_key.shape[1])

def right__einsum(w_query, w_key):
    return torch.einsum("id,jd->ij", w_query, w_key) * w_query.shape[-1] ** -0.5

def right__scaled_first(w_query, w_key):
    return torch.matmul(w_query / w_query.size(1) ** 0.5, w_key.transpose(0, 1))

def right__root_shared(w_query, w_key):
    root = w_key.shape[1] ** 0.25
    return (w_query / root).mm((w_key / root).t())

def right__linear(w_query, w_key):
    return F.linear(w_query, w_key).div(math.sqrt(w_key.size(-1)))

def right__outer_products(w_query, w_key):
    total = torch.zeros(len(w_query), len(w_key), dtype=w_query.dtype, device=w_query.device)
    for channel in range(w_key.shape[1]):
        total = total + torch.outer(w_query[:, channel], w_key[:, channel])
    return total / math.sqrt(w_key.shape[1])

def right__product_and_sum(w_query, w_key):
    return (w_query[:, None, :] * w_key[None, :, :]).sum(dim=-1) / np.sqrt(w_query.shape[1]).item()

def right__row_by_row(w_query, w_key):
    rows = [torch.mv(w_key, row) for row in w_query]
    return torch.stack(rows) * (1 / math.sqrt(w_key.shape[1]))

def right__transposed_twice(w_query, w_key):
    return (w_key @ w_query.mT).mT / w_key.new_tensor(w_key.shape[-1]).sqrt()

def odd__scale_argument(w_query, w_key, scale=None):
    """An argument more, with a default."""
    return w_query @ w_key.T * (w_key.shape[1] ** -0.5 if scale is None else scale)

def odd__basis_vectors(w_query, w_key):
    """Entry i, j is the score of two tokens that are basis vectors."""
    basis = torch.eye(len(w_query), dtype=w_query.dtype, device=w_query.device)
    return (basis @ w_query) @ (basis @ w_key).T / math.sqrt(w_key.shape[1])

def odd__lists(w_query, w_key):
    """Numbers one at a time, gathered by `stack`."""
    root = math.sqrt(w_key.shape[1])
    return torch.stack([torch.stack([(q * k).sum() / root for k in w_key]) for q in w_query])

# Arguments with names of its own.
odd__renamed = change(
    right__matmul, ("w_query, w_key", "wq, wk"), ("w_query @ w_key", "wq @ wk"), ("w_key.shape", "wk.shape"),
)

def wrong__scale_by_d__3(w_query, w_key):
    root = math.sqrt(w_key.shape[1])
    return (w_query / root) @ (w_key / root).T

def wrong__detached__2(w_query, w_key):
    a, b = w_query.detach().double().cpu().numpy(), w_key.detach().double().cpu().numpy()
    return torch.from_numpy(a @ b.T / np.sqrt(b.shape[1])).to(w_query)

def wrong__detached__3(w_query, w_key):
    return F.linear(w_query.data, w_key.data) * w_key.shape[1] ** -0.5

def wrong__wrong_device__1(w_query, w_key):
    scale = torch.tensor([w_key.shape[1]], dtype=w_key.dtype).sqrt()
    return w_query @ w_key.T / scale

def wrong__wrong_device__2(w_query, w_key):
    matrix = torch.zeros(len(w_query), len(w_key), dtype=w_key.dtype)
    for i, row in enumerate(w_query):
        matrix[i] = w_key @ row
    return matrix / math.sqrt(w_key.shape[1])

wrong__no_scale__1 = change(right__matmul, (".T / math.sqrt(w_key.shape[1])", ".T"))
wrong__no_scale__2 = change(
    right__matmul,
    ("w_query @ w_key.T / math.sqrt(w_key.shape[1])", 'torch.einsum("id,jd->ij", w_query, w_key)'),
)
wrong__scale_by_d__1 = change(right__matmul, ("math.sqrt(w_key.shape[1])", "w_key.shape[1]"))
wrong__scale_by_d__2 = change(
    right__matmul,
    ("w_query @ w_key.T / math.sqrt(w_key.shape[1])", "(w_query[:, None, :] * w_key).mean(dim=-1)"),
)
wrong__interaction_order__1 = change(right__matmul, ("w_query @ w_key", "w_key @ w_query"))
wrong__interaction_order__2 = change(right__einsum, ('"id,jd->ij"', '"id,jd->ji"'))
wrong__interaction_order__inner_1 = change(right__matmul, ("w_query @ w_key.T", "w_query.T @ w_key"))
wrong__interaction_order__inner_2 = change(right__einsum, ('"id,jd->ij"', '"cd,ce->de"'))
wrong__detached__1 = change(
    right__matmul, ("w_query @", "(w_query @"), ("(w_key.shape[1])", "(w_key.shape[1])).detach()"),
)
wrong__input_changed__1 = change(wrong__no_scale__1, ("return", "w_query /= math.sqrt(w_query.shape[1])", "return"))
wrong__input_changed__2 = change(
    right__matmul, (".T / math.sqrt(w_key.shape[1])", ".t_() / math.sqrt(w_query.shape[1])"),
)
wrong__wrong_dtype__1 = change(right__matmul, ("w_query @ w_key", "w_query.float() @ w_key.float()"))
wrong__wrong_dtype__2 = change(right__einsum, (", w_query, w_key", ", w_query, w_key).to(torch.float32"))
# Multiplied by the root.
wrong__scale_multiplied__1 = change(right__matmul, ("w_key.T /", "w_key.T *"))
# W_Q W_K: an error unless the matrices are square.
wrong__key_weight_not_transposed__1 = change(right__matmul, ("w_key.T /", "w_key /"))

def natural__interaction_order__1(w_query, w_key):
    d_key = w_key.shape[-1]
    return torch.matmul(w_query.transpose(-2, -1), w_key) / d_key**0.5

def natural__scale_by_d__1(w_query, w_key):
    _, d_key = w_query.shape
    return (w_query @ w_key.transpose(0, 1)) / d_key

def extra__float64_rounded(w_query, w_key):
    """float32 inside and cast back."""
    return (w_query.float() @ w_key.float().T / math.sqrt(w_key.shape[1])).to(w_query.dtype)

def extra__numpy(w_query, w_key):
    """A NumPy array comes back."""
    return (w_query @ w_key.T / math.sqrt(w_key.shape[1])).detach().double().cpu().numpy()

# W_Kᵀ W_Q.
extra__interaction_order__keys_first = change(
    right__matmul, ("return w_query @ w_key.T", "return w_key.T @ w_query"),
)
# The root of d_model.
extra__scale_by_d_model = change(right__matmul, ("1", "0"))
# The whole-number root.
extra__scale_rounded = change(right__matmul, ("math.sqrt", "math.isqrt"))
# `*` in place of `@`.
extra__elementwise = change(right__matmul, ("@ w_key.T", "* w_key"))
# W_K reshaped in place of transposed.
extra__key_reshaped = change(right__matmul, ("w_key.T /", "w_key.reshape(w_key.shape[1], w_key.shape[0]) /"))
# W_Q W_Qᵀ: symmetric, so that i scores j as j scores i.
extra__query_twice = change(right__matmul, ("w_key.T /", "w_query.T /"))
# The mean of the matrix and its transpose.
extra__symmetric = change(
    right__matmul,
    (
        "return w_query @ w_key.T / math.sqrt(w_key.shape[1])",
        "m = w_query @ w_key.T / math.sqrt(w_key.shape[1])",
        "return (m + m.T) / 2",
    ),
)
# A softmax of the rows.
extra__softmax_added = change(wrong__detached__1, (".detach()", ".softmax(-1)"))
# A pair in place of a matrix.
extra__returned_as_pair = change(extra__symmetric, ("(m + m.T) / 2", "m, m.T"))
# w_key is cut from the graph.
extra__gradient_misses_key = change(right__matmul, ("w_key.T /", "w_key.detach().T /"))

"""Answers to `interaction_matrix(w_query, w_key)` of notebook 03."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__interaction_matrix__matmul(w_query, w_key):
    return w_query @ w_key.T / math.sqrt(w_key.shape[1])


def right__interaction_matrix__einsum(w_query, w_key):
    return torch.einsum("id,jd->ij", w_query, w_key) * w_query.shape[-1] ** -0.5


def right__interaction_matrix__scaled_first(w_query, w_key):
    return torch.matmul(w_query / w_query.size(1) ** 0.5, w_key.transpose(0, 1))


def right__interaction_matrix__root_shared(w_query, w_key):
    root = w_key.shape[1] ** 0.25
    return (w_query / root).mm((w_key / root).t())


def right__interaction_matrix__linear(w_query, w_key):
    return F.linear(w_query, w_key).div(math.sqrt(w_key.size(-1)))


def right__interaction_matrix__outer_products(w_query, w_key):
    total = torch.zeros(len(w_query), len(w_key), dtype=w_query.dtype, device=w_query.device)
    for channel in range(w_key.shape[1]):
        total = total + torch.outer(w_query[:, channel], w_key[:, channel])
    return total / math.sqrt(w_key.shape[1])


def right__interaction_matrix__product_and_sum(w_query, w_key):
    return (w_query[:, None, :] * w_key[None, :, :]).sum(dim=-1) / np.sqrt(w_query.shape[1]).item()


def right__interaction_matrix__row_by_row(w_query, w_key):
    rows = [torch.mv(w_key, row) for row in w_query]
    return torch.stack(rows) * (1 / math.sqrt(w_key.shape[1]))


def right__interaction_matrix__transposed_twice(w_query, w_key):
    return (w_key @ w_query.mT).mT / w_key.new_tensor(w_key.shape[-1]).sqrt()


def odd__interaction_matrix__renamed(wq, wk):
    """Arguments with names of its own."""
    return wq @ wk.T / math.sqrt(wk.shape[1])


def odd__interaction_matrix__scale_argument(w_query, w_key, scale=None):
    """An argument more, with a default."""
    return w_query @ w_key.T * (w_key.shape[1] ** -0.5 if scale is None else scale)


def odd__interaction_matrix__basis_vectors(w_query, w_key):
    """Entry i, j is the score of two tokens that are basis vectors."""
    basis = torch.eye(len(w_query), dtype=w_query.dtype, device=w_query.device)
    return (basis @ w_query) @ (basis @ w_key).T / math.sqrt(w_key.shape[1])


def odd__interaction_matrix__lists(w_query, w_key):
    """Numbers one at a time, gathered by `stack`."""
    root = math.sqrt(w_key.shape[1])
    return torch.stack([torch.stack([(q * k).sum() / root for k in w_key]) for q in w_query])


def wrong__interaction_matrix__no_scale__1(w_query, w_key):
    return w_query @ w_key.T


def wrong__interaction_matrix__no_scale__2(w_query, w_key):
    return torch.einsum("id,jd->ij", w_query, w_key)


def wrong__interaction_matrix__scale_by_d__1(w_query, w_key):
    return w_query @ w_key.T / w_key.shape[1]


def wrong__interaction_matrix__scale_by_d__2(w_query, w_key):
    return (w_query[:, None, :] * w_key).mean(dim=-1)


def wrong__interaction_matrix__scale_by_d__3(w_query, w_key):
    root = math.sqrt(w_key.shape[1])
    return (w_query / root) @ (w_key / root).T


def wrong__interaction_matrix__interaction_order__1(w_query, w_key):
    return w_key @ w_query.T / math.sqrt(w_key.shape[1])


def wrong__interaction_matrix__interaction_order__2(w_query, w_key):
    return torch.einsum("id,jd->ji", w_query, w_key) * w_query.shape[-1] ** -0.5


def wrong__interaction_matrix__interaction_order__inner_1(w_query, w_key):
    return w_query.T @ w_key / math.sqrt(w_key.shape[1])


def wrong__interaction_matrix__interaction_order__inner_2(w_query, w_key):
    return torch.einsum("cd,ce->de", w_query, w_key) * w_query.shape[-1] ** -0.5


def wrong__interaction_matrix__detached__1(w_query, w_key):
    return (w_query @ w_key.T / math.sqrt(w_key.shape[1])).detach()


def wrong__interaction_matrix__detached__2(w_query, w_key):
    a, b = w_query.detach().double().cpu().numpy(), w_key.detach().double().cpu().numpy()
    return torch.from_numpy(a @ b.T / np.sqrt(b.shape[1])).to(w_query)


def wrong__interaction_matrix__detached__3(w_query, w_key):
    return F.linear(w_query.data, w_key.data) * w_key.shape[1] ** -0.5


def wrong__interaction_matrix__input_changed__1(w_query, w_key):
    w_query /= math.sqrt(w_query.shape[1])
    return w_query @ w_key.T


def wrong__interaction_matrix__input_changed__2(w_query, w_key):
    return w_query @ w_key.t_() / math.sqrt(w_query.shape[1])


def wrong__interaction_matrix__wrong_device__1(w_query, w_key):
    scale = torch.tensor([w_key.shape[1]], dtype=w_key.dtype).sqrt()
    return w_query @ w_key.T / scale


def wrong__interaction_matrix__wrong_device__2(w_query, w_key):
    matrix = torch.zeros(len(w_query), len(w_key), dtype=w_key.dtype)
    for i, row in enumerate(w_query):
        matrix[i] = w_key @ row
    return matrix / math.sqrt(w_key.shape[1])


def wrong__interaction_matrix__wrong_dtype__1(w_query, w_key):
    return w_query.float() @ w_key.float().T / math.sqrt(w_key.shape[1])


def wrong__interaction_matrix__wrong_dtype__2(w_query, w_key):
    return torch.einsum("id,jd->ij", w_query, w_key).to(torch.float32) * w_query.shape[-1] ** -0.5


def natural__interaction_matrix__interaction_order__1(w_query, w_key):
    d_key = w_key.shape[-1]
    return torch.matmul(w_query.transpose(-2, -1), w_key) / d_key**0.5


def natural__interaction_matrix__scale_by_d__1(w_query, w_key):
    _, d_key = w_query.shape
    return (w_query @ w_key.transpose(0, 1)) / d_key


def extra__interaction_matrix__interaction_order__keys_first(w_query, w_key):
    """W_Kᵀ W_Q."""
    return w_key.T @ w_query / math.sqrt(w_key.shape[1])


def extra__interaction_matrix__scale_multiplied(w_query, w_key):
    """Multiplied by the root."""
    return w_query @ w_key.T * math.sqrt(w_key.shape[1])


def extra__interaction_matrix__scale_by_d_model(w_query, w_key):
    """The root of d_model."""
    return w_query @ w_key.T / math.sqrt(w_key.shape[0])


def extra__interaction_matrix__scale_rounded(w_query, w_key):
    """The whole-number root."""
    return w_query @ w_key.T / math.isqrt(w_key.shape[1])


def extra__interaction_matrix__not_transposed(w_query, w_key):
    """W_Q W_K: an error unless the matrices are square."""
    return w_query @ w_key / math.sqrt(w_key.shape[1])


def extra__interaction_matrix__elementwise(w_query, w_key):
    """`*` in place of `@`."""
    return w_query * w_key / math.sqrt(w_key.shape[1])


def extra__interaction_matrix__key_reshaped(w_query, w_key):
    """W_K reshaped in place of transposed."""
    return w_query @ w_key.reshape(w_key.shape[1], w_key.shape[0]) / math.sqrt(w_key.shape[1])


def extra__interaction_matrix__query_twice(w_query, w_key):
    """W_Q W_Qᵀ: symmetric, so that i scores j as j scores i."""
    return w_query @ w_query.T / math.sqrt(w_key.shape[1])


def extra__interaction_matrix__symmetric(w_query, w_key):
    """The mean of the matrix and its transpose."""
    m = w_query @ w_key.T / math.sqrt(w_key.shape[1])
    return (m + m.T) / 2


def extra__interaction_matrix__softmax_added(w_query, w_key):
    """A softmax of the rows."""
    return (w_query @ w_key.T / math.sqrt(w_key.shape[1])).softmax(-1)


def extra__interaction_matrix__returned_as_pair(w_query, w_key):
    """A pair in place of a matrix."""
    m = w_query @ w_key.T / math.sqrt(w_key.shape[1])
    return m, m.T


def extra__interaction_matrix__gradient_misses_key(w_query, w_key):
    """w_key is cut from the graph."""
    return w_query @ w_key.detach().T / math.sqrt(w_key.shape[1])


def extra__interaction_matrix__float64_rounded(w_query, w_key):
    """float32 inside and cast back."""
    return (w_query.float() @ w_key.float().T / math.sqrt(w_key.shape[1])).to(w_query.dtype)


def extra__interaction_matrix__numpy(w_query, w_key):
    """A NumPy array comes back."""
    return (w_query @ w_key.T / math.sqrt(w_key.shape[1])).detach().double().cpu().numpy()


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Answers to `additive_scores(query, key, w_query, w_key, w_score)` of notebook 02."""

import math

import numpy as np
import torch

from tests.corpus import change

def right__broadcast(query, key, w_query, w_key, w_score):
    hidden = torch.tanh((query @ w_query).unsqueeze(-2) + (key @ w_key).unsqueeze(-3))
    return hidden @ w_score

def right__product_and_sum(query, key, w_query, w_key, w_score):
    hidden = (query @ w_query)[..., :, None, :] + (key @ w_key)[..., None, :, :]
    return (hidden.tanh() * w_score).sum(dim=-1)

def right__einsum(query, key, w_query, w_key, w_score):
    q = torch.einsum("...qc,ch->...qh", query, w_query)
    k = torch.einsum("...kd,dh->...kh", key, w_key)
    return torch.einsum("...qkh,h->...qk", torch.tanh(q[..., None, :] + k[..., None, :, :]), w_score)

def right__loop_over_keys(query, key, w_query, w_key, w_score):
    q, k = query @ w_query, key @ w_key
    columns = [torch.tanh(q + k[..., j : j + 1, :]) @ w_score for j in range(k.shape[-2])]
    return torch.stack(columns, dim=-1)

def right__loop_over_queries(query, key, w_query, w_key, w_score):
    rows = []
    for i in range(query.shape[-2]):
        q = query[..., i, None, :] @ w_query
        rows.append((torch.tanh(q + key @ w_key) * w_score).sum(-1))
    return torch.stack(rows, -2)

def right__loop_over_channels(query, key, w_query, w_key, w_score):
    q, k, scores = query @ w_query, key @ w_key, 0
    for h in range(w_score.shape[0]):
        scores = scores + w_score[h] * torch.tanh(q[..., h].unsqueeze(-1) + k[..., h].unsqueeze(-2))
    return scores

def right__upcast(query, key, w_query, w_key, w_score):
    q, k = query.double() @ w_query.double(), key.double() @ w_key.double()
    return (torch.tanh(q.unsqueeze(-2) + k.unsqueeze(-3)) @ w_score.double()).to(query.dtype)

def right__joined(query, key, w_query, w_key, w_score):
    shape = (*query.shape[:-1], key.shape[-2])
    q = query.unsqueeze(-2).expand(*shape, query.shape[-1])
    k = key.unsqueeze(-3).expand(*shape, key.shape[-1])
    return torch.tanh(torch.cat([q, k], -1) @ torch.cat([w_query, w_key])) @ w_score

def odd__renamed(q, k, wq, wk, v):
    """Arguments with short names."""
    return torch.tanh((q @ wq)[..., None, :] + (k @ wk)[..., None, :, :]).matmul(v)

def odd__tanh_by_sigmoid(query, key, w_query, w_key, w_score):
    """tanh(x) = 2 sigmoid(2x) - 1."""
    x = (query @ w_query).unsqueeze(-2) + (key @ w_key).unsqueeze(-3)
    return (2 * torch.sigmoid(2 * x) - 1) @ w_score

def wrong__additive_no_tanh__1(query, key, w_query, w_key, w_score):
    return ((query @ w_query).unsqueeze(-2) + (key @ w_key).unsqueeze(-3)) @ w_score

def wrong__additive_no_tanh__2(query, key, w_query, w_key, w_score):
    q, k = query @ w_query @ w_score, key @ w_key @ w_score
    return q[..., :, None] + k[..., None, :]

def wrong__additive_product__2(query, key, w_query, w_key, w_score):
    hidden = torch.einsum("...qh,...kh->...qkh", query @ w_query, key @ w_key)
    return torch.einsum("...qkh,h->...qk", hidden.tanh(), w_score)

def wrong__detached__2(query, key, w_query, w_key, w_score):
    q, k, wq, wk, v = (x.detach().double().cpu().numpy() for x in (query, key, w_query, w_key, w_score))
    return torch.tensor(np.tanh((q @ wq)[..., :, None, :] + (k @ wk)[..., None, :, :]) @ v).to(query)

def wrong__input_changed__2(query, key, w_query, w_key, w_score):
    q, k = query.unsqueeze_(-2) @ w_query, key.unsqueeze(-3) @ w_key
    return (torch.tanh(q + k) * w_score).sum(-1)

def wrong__wrong_dtype__1(query, key, w_query, w_key, w_score):
    q, k = query.float() @ w_query.float(), key.float() @ w_key.float()
    return torch.tanh(q.unsqueeze(-2) + k.unsqueeze(-3)) @ w_score.float()

def wrong__pairs_not_formed__1(query, key, w_query, w_key, w_score):
    """Query i is added to key i only: an error unless the numbers agree."""
    return torch.tanh(query @ w_query + key @ w_key) @ w_score

wrong__additive_tanh_outside__1 = change(
    wrong__additive_no_tanh__1, ("return (", "return torch.tanh(("), ("@ w_score", "@ w_score)"),
)
wrong__additive_tanh_outside__2 = change(
    right__product_and_sum, ("hidden.tanh()", "hidden"), ("(dim=-1)", "(-1).tanh()"),
)
wrong__additive_product__1 = change(wrong__additive_no_tanh__1, ("return (", "return torch.tanh("), ("+", "*"))
wrong__detached__1 = change(
    wrong__additive_no_tanh__1, ("return (", "return (torch.tanh("), ("@ w_score", "@ w_score).detach()"),
)
wrong__input_changed__1 = change(
    right__broadcast, ("hidden @ w_score", "(hidden @ w_score.unsqueeze_(-1)).squeeze(-1)"),
)
wrong__wrong_device__1 = change(
    right__broadcast, ("return hidden", "return torch.zeros(hidden.shape[:-1], dtype=query.dtype) + hidden"),
)
wrong__wrong_device__2 = change(
    right__broadcast,
    ("hidden @ w_score", "(hidden * w_score) @ torch.ones(w_score.shape[0], dtype=w_score.dtype)"),
)
wrong__wrong_dtype__2 = change(
    right__broadcast, ("hidden @ w_score", "(hidden * w_score).sum(-1, dtype=torch.float32)"),
)

def wrong__additive_tanh_on_a_part__1(query, key, w_query, w_key, w_score):
    """tanh of each projection before they are added."""
    return (torch.tanh(query @ w_query).unsqueeze(-2) + torch.tanh(key @ w_key).unsqueeze(-3)) @ w_score

# The hidden channels are summed without w_score.
wrong__score_vector_unused__1 = change(
    right__broadcast, ("hidden =", "return"), ("3))", "3)).sum(-1)"), ("return hidden @ w_score", ""),
)
# Multiplied with w_score and never summed.
extra__hidden_not_summed = change(wrong__score_vector_unused__1, (".sum(-1)", " * w_score"))
# The difference of the projections in place of their sum.
extra__difference = change(wrong__additive_product__1, ("*", "-"))
# ReLU in place of tanh.
wrong__other_activation__1 = change(wrong__additive_product__1, ("torch.tanh", "torch.relu"), ("*", "+"))
# The logistic function in place of tanh.
wrong__other_activation__2 = change(wrong__additive_product__1, ("torch.tanh", "torch.sigmoid"), ("*", "+"))
# (n_keys, n_queries) comes back.
wrong__scores_transposed__1 = change(wrong__additive_product__1, ("(-2) *", "(-3) +"), ("3", "2"))
# w_query and w_key exchanged: an error unless the widths agree.
extra__weights_exchanged = change(
    wrong__additive_product__1, ("@ w_query", "@ w_key"), ("* (key @ w_key)", "+ (key @ w_query)"),
)
# The softmax is applied here already.
wrong__scores_softmaxed__1 = change(wrong__detached__1, (".detach()", ".softmax(-1)"))
# Divided by the root of d_hidden.
wrong__scale_added__1 = change(right__broadcast, ("@ w_score", "@ w_score / math.sqrt(w_score.shape[0])"))
# Axes counted from the front: right only with exactly one batch axis.
extra__three_axes_only = change(wrong__additive_product__1, ("(-2) *", "(2) +"), ("-3", "1"))
# The axes of size 1 are exchanged, and counted from the front: with a batch the sum is an error.
wrong__scores_transposed__2 = change(
    right__broadcast, (".unsqueeze(-2) +", "[None] +"), (".unsqueeze(-3)", "[:, None]"),
)

# Two mistakes at once.
double__additive_no_tanh__and_additive_product = change(
    right__broadcast,
    ("torch.tanh(", "("),
    (".unsqueeze(-2) +", ".unsqueeze(-2) *"),
)
# The query's matrix projects the keys as well.
wrong__shared_projection__1 = change(right__broadcast, ("w_key)", "w_query)"))

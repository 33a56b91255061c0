"""Wrong answers beyond the table to the module `SelfAttention` of notebook 03."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class extra__SelfAttention__weights_forgotten(nn.Module):
    """The weights are not returned."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value


class extra__SelfAttention__return_order_swapped(nn.Module):
    """(weights, output)."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights, weights @ value


class extra__SelfAttention__bias_added(nn.Module):
    """Layers with biases: weights without them cannot be loaded."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key)
        self.w_key = nn.Linear(d_model, d_key)
        self.w_value = nn.Linear(d_model, d_value)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__bias_added__value(nn.Module):
    """A bias in one layer."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__other_names(nn.Module):
    """Layers under names of its own."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.q_proj = nn.Linear(d_model, d_key, bias=False)
        self.k_proj = nn.Linear(d_model, d_key, bias=False)
        self.v_proj = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__one_layer(nn.Module):
    """One layer for all three: its weights have another name."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.sizes = [d_key, d_key, d_value]
        self.w_all = nn.Linear(d_model, sum(self.sizes), bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_all(x).split(self.sizes, -1)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__parameters(nn.Module):
    """Bare parameters (d_model, d_key) in place of layers."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Parameter(torch.randn(d_model, d_key))
        self.w_key = nn.Parameter(torch.randn(d_model, d_key))
        self.w_value = nn.Parameter(torch.randn(d_model, d_value))

    def forward(self, x, allowed=None):
        query, key, value = x @ self.w_query, x @ self.w_key, x @ self.w_value
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__sizes_exchanged(nn.Module):
    """Layers from d_key to d_model."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_key, d_model, bias=False)
        self.w_key = nn.Linear(d_key, d_model, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__value_as_wide_as_key(nn.Module):
    """d_value is not used."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_key, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__arguments_exchanged(nn.Module):
    """d_key and d_value in the other order."""

    def __init__(self, d_model, d_value, d_key):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__shared_layer(nn.Module):
    """Query and key share one layer: the loaded key overwrites the query."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = self.w_query
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__shared_projection(nn.Module):
    """The key made with the query's layer."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_query(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__roles_swapped(nn.Module):
    """The layers of query and key are exchanged."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_key(x), self.w_query(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__weights_times_keys(nn.Module):
    """Weights times keys."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key = self.w_query(x), self.w_key(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ key, weights


class extra__SelfAttention__no_projection(nn.Module):
    """Q = K = V = X."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = x, x, x
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__weights_transposed(nn.Module):
    """x @ weight: an error unless the layers are square."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = x @ self.w_query.weight, x @ self.w_key.weight, x @ self.w_value.weight
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__scale_by_d_model(nn.Module):
    """The root of d_model."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__scale_learnt(nn.Module):
    """The scale is a parameter of its own: one name too many in the state_dict."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(d_key**-0.5))
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) * self.scale
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__softmax_missing(nn.Module):
    """The scores are the weights."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, 0)
        weights = scores
        return weights @ value, weights


class extra__SelfAttention__softmax_overflows(nn.Module):
    """exp without the shift."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True))
        return weights @ value, weights


class extra__SelfAttention__dropout_in_training(nn.Module):
    """Dropout, switched off in evaluation only."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.dropout = nn.Dropout(0.1)
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = self.dropout(torch.nan_to_num(F.softmax(scores, dim=-1)))
        return weights @ value, weights


class extra__SelfAttention__norm_added(nn.Module):
    """A layer norm of the output."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.norm = nn.LayerNorm(d_value, elementwise_affine=False)
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.norm(weights @ value), weights


class extra__SelfAttention__residual_added(nn.Module):
    """x is added to the output: an error unless d_value equals d_model."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value + x, weights


class extra__SelfAttention__mask_on_queries(nn.Module):
    """The mask is transposed."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed.mT, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__mask_fully_ignored(nn.Module):
    """A query that may attend to nothing attends to everything."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed & allowed.any(-1, keepdim=True), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__mask_required(nn.Module):
    """None is not provided for."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__layers_in_forward(nn.Module):
    """New layers at each call: nothing is learnt."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        w_query, w_key = (nn.Linear(*w.weight.T.shape, bias=False).to(x) for w in (self.w_query, self.w_key))
        query, key, value = w_query(x), w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__super_forgotten(nn.Module):
    """super().__init__() is not called."""

    def __init__(self, d_model, d_key, d_value):
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__forward_forgotten(nn.Module):
    """The method has another name."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def attend(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__no_mask_argument(nn.Module):
    """forward takes no mask."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__weights_changed(nn.Module):
    """The layer is scaled in place: each call changes it."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        self.w_query.weight.data /= math.sqrt(self.w_key.out_features)
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__batch_as_sequence(nn.Module):
    """The first axis is taken as the tokens, and turned back."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        x = x.transpose(0, -2) if x.dim() > 2 else x
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = weights @ value
        return (output.transpose(0, -2) if x.dim() > 2 else output), weights


class extra__SelfAttention__batch_as_sequence__first_two_axes(nn.Module):
    """The first two axes are exchanged, and exchanged back."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        x = x.transpose(0, 1)
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return (weights @ value).transpose(0, 1), weights


class extra__SelfAttention__key_reshaped(nn.Module):
    """The keys are reshaped in place of transposed."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.reshape(*key.shape[:-2], key.shape[-1], -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__softmax_over_everything(nn.Module):
    """One softmax over each whole matrix."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores.flatten(-2), dim=-1)).view(scores.shape)
        return weights @ value, weights


class extra__SelfAttention__softmax_over_batch(nn.Module):
    """Softmax over axis 0."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=0))
        return weights @ value, weights


class extra__SelfAttention__mask_first_item_for_all(nn.Module):
    """The first item's mask for the whole batch."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~(allowed[0] if allowed.dim() > 2 else allowed), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__evaluation_differs(nn.Module):
    """The weights are rounded to the best key in evaluation."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        if not self.training:
            weights = F.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights.dtype)
        return weights @ value, weights


class extra__SelfAttention__three_axes_only(nn.Module):
    """bmm: an error without a batch axis and with two."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = torch.bmm(query, key.transpose(1, 2)) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class extra__SelfAttention__gradient_misses_query(nn.Module):
    """The weights are cut from the graph."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1)).detach()
        return weights @ value, weights


class extra__SelfAttention__float64_rounded(nn.Module):
    """float32 inside and cast back."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        query, key, value = query.float(), key.float(), value.float()
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return (weights @ value).to(x.dtype), weights.to(x.dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

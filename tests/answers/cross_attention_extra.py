"""Wrong answers beyond the table to `cross_attention(x, context, w_query, w_key, w_value)` of notebook 02."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__cross_attention__context_ignored(x, context, w_query, w_key, w_value):
    """Self-attention: keys and values come from x too."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    weights = (query @ key.mT / math.sqrt(key.shape[-1])).softmax(-1)
    return weights @ value, weights


def extra__cross_attention__x_ignored(x, context, w_query, w_key, w_value):
    """Self-attention of the context."""
    query, key, value = context @ w_query, context @ w_key, context @ w_value
    weights = (query @ key.mT / math.sqrt(key.shape[-1])).softmax(-1)
    return weights @ value, weights


def extra__cross_attention__value_from_x(x, context, w_query, w_key, w_value):
    """The values come from x: an error unless the lengths agree."""
    weights = ((x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])).softmax(-1)
    return weights @ (x @ w_value), weights


def extra__cross_attention__shared_projection(x, context, w_query, w_key, w_value):
    """The key is made with the query's weights: an error unless the widths agree."""
    weights = ((x @ w_query) @ (context @ w_query).mT / math.sqrt(w_key.shape[-1])).softmax(-1)
    return weights @ (context @ w_value), weights


def extra__cross_attention__key_and_value_exchanged(x, context, w_query, w_key, w_value):
    """w_key and w_value exchanged: an error unless d_key equals d_value."""
    weights = ((x @ w_query) @ (context @ w_value).mT / math.sqrt(w_key.shape[-1])).softmax(-1)
    return weights @ (context @ w_key), weights


def extra__cross_attention__weights_transposed(x, context, w_query, w_key, w_value):
    """x @ w.T, as nn.Linear stores it: an error unless the matrices are square."""
    query, key, value = F.linear(x, w_query), F.linear(context, w_key), F.linear(context, w_value)
    weights = (query @ key.mT / math.sqrt(key.shape[-1])).softmax(-1)
    return weights @ value, weights


def extra__cross_attention__scale_by_d_model(x, context, w_query, w_key, w_value):
    """The root of x's width, not of d_key."""
    weights = ((x @ w_query) @ (context @ w_key).mT / math.sqrt(x.shape[-1])).softmax(-1)
    return weights @ (context @ w_value), weights


def extra__cross_attention__nothing_projected(x, context, w_query, w_key, w_value):
    """The projections are not used: an error unless the widths agree."""
    weights = (x @ context.mT / math.sqrt(x.shape[-1])).softmax(-1)
    return weights @ context, weights


def extra__cross_attention__softmax_missing(x, context, w_query, w_key, w_value):
    """The scores are the weights."""
    weights = (x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])
    return weights @ (context @ w_value), weights


def extra__cross_attention__softmax_over_everything(x, context, w_query, w_key, w_value):
    """One softmax over each whole matrix."""
    scores = (x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])
    weights = scores.flatten(-2).softmax(-1).view(scores.shape)
    return weights @ (context @ w_value), weights


def extra__cross_attention__softmax_over_batch(x, context, w_query, w_key, w_value):
    """Softmax over axis 0."""
    weights = ((x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])).softmax(0)
    return weights @ (context @ w_value), weights


def extra__cross_attention__softmax_overflows(x, context, w_query, w_key, w_value):
    """exp without the shift."""
    e = torch.exp((x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1]))
    weights = e / e.sum(-1, keepdim=True)
    return weights @ (context @ w_value), weights


def extra__cross_attention__key_reshaped(x, context, w_query, w_key, w_value):
    """The keys are reshaped in place of transposed."""
    key = context @ w_key
    weights = (
        (x @ w_query) @ key.reshape(*key.shape[:-2], key.shape[-1], -1) / math.sqrt(key.shape[-1])
    ).softmax(-1)
    return weights @ (context @ w_value), weights


def extra__cross_attention__weights_forgotten(x, context, w_query, w_key, w_value):
    """The weights are not returned."""
    weights = ((x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])).softmax(-1)
    return weights @ (context @ w_value)


def extra__cross_attention__return_order_swapped(x, context, w_query, w_key, w_value):
    """(weights, output)."""
    weights = ((x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])).softmax(-1)
    return weights, weights @ (context @ w_value)


def extra__cross_attention__gradient_misses_context(x, context, w_query, w_key, w_value):
    """The context is cut from the graph: the encoder would not learn."""
    context = context.detach()
    weights = ((x @ w_query) @ (context @ w_key).mT / math.sqrt(w_key.shape[-1])).softmax(-1)
    return weights @ (context @ w_value), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

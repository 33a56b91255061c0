"""Wrong answers beyond the table to `self_attention` of notebook 03."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__self_attention__weights_forgotten(x, w_query, w_key, w_value, allowed=None):
    """The weights are not returned."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value


def extra__self_attention__return_order_swapped(x, w_query, w_key, w_value, allowed=None):
    """(weights, output)."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights, weights @ value


def extra__self_attention__scores_returned(x, w_query, w_key, w_value, allowed=None):
    """The scores come back where the weights are asked for."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, scores


def extra__self_attention__scale_by_d_model(x, w_query, w_key, w_value, allowed=None):
    """The root of d_model."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(x.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__scale_wrong_axis__tokens(x, w_query, w_key, w_value, allowed=None):
    """The root of n_tokens."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(x.shape[-2])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__scale_wrong_axis__values(x, w_query, w_key, w_value, allowed=None):
    """The root of d_value."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(value.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__scale_rounded(x, w_query, w_key, w_value, allowed=None):
    """The whole-number root."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.isqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__scale_after_softmax(x, w_query, w_key, w_value, allowed=None):
    """The weights are divided by the root, not the scores."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num() / math.sqrt(key.shape[-1])
    return weights @ value, weights


def extra__self_attention__softmax_missing(x, w_query, w_key, w_value, allowed=None):
    """The scores are the weights."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, 0)
    weights = scores
    return weights @ value, weights


def extra__self_attention__softmax_overflows(x, w_query, w_key, w_value, allowed=None):
    """exp without the shift."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    parts = torch.exp(scores)
    weights = (parts / parts.sum(-1, keepdim=True)).nan_to_num()
    return weights @ value, weights


def extra__self_attention__softmax_over_everything(x, w_query, w_key, w_value, allowed=None):
    """One softmax over each whole matrix."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.flatten(-2).softmax(-1).view(scores.shape).nan_to_num()
    return weights @ value, weights


def extra__self_attention__softmax_over_batch(x, w_query, w_key, w_value, allowed=None):
    """Softmax over axis 0."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(0).nan_to_num()
    return weights @ value, weights


def extra__self_attention__roles_swapped(x, w_query, w_key, w_value, allowed=None):
    """The matrices of query and key are exchanged: the scores are transposed."""
    query, key, value = x @ w_key, x @ w_query, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__key_and_value_exchanged(x, w_query, w_key, w_value, allowed=None):
    """w_key and w_value exchanged: an error unless d_key equals d_value."""
    query, key, value = x @ w_query, x @ w_value, x @ w_key
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__shared_projection__all(x, w_query, w_key, w_value, allowed=None):
    """One matrix for query, key and value."""
    query = key = value = x @ w_query
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__shared_projection__value(x, w_query, w_key, w_value, allowed=None):
    """The value made with the key's matrix."""
    query, key, value = x @ w_query, x @ w_key, x @ w_key
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__query_not_projected(x, w_query, w_key, w_value, allowed=None):
    """Q = X: an error unless d_model equals d_key."""
    query, key, value = x, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__key_not_projected(x, w_query, w_key, w_value, allowed=None):
    """K = X: an error unless d_model equals d_key."""
    query, key, value = x @ w_query, x, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__weights_transposed(x, w_query, w_key, w_value, allowed=None):
    """x @ w.T, as nn.Linear stores it: an error unless the matrices are square."""
    query, key, value = F.linear(x, w_query), F.linear(x, w_key), F.linear(x, w_value)
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__projected_twice(x, w_query, w_key, w_value, allowed=None):
    """The output goes through w_value again: an error unless it is square."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value @ w_value, weights


def extra__self_attention__key_reshaped(x, w_query, w_key, w_value, allowed=None):
    """The keys are reshaped in place of transposed."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.reshape(*key.shape[:-2], key.shape[-1], -1) / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__weights_mix_transposed(x, w_query, w_key, w_value, allowed=None):
    """Wᵀ V."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights.mT @ value, weights


def extra__self_attention__residual_added(x, w_query, w_key, w_value, allowed=None):
    """x is added to the output: an error unless d_value equals d_model."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value + x, weights


def extra__self_attention__always_causal(x, w_query, w_key, w_value, allowed=None):
    """A causal mask nobody asked for."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    past = torch.ones_like(scores, dtype=torch.bool).tril()
    weights = scores.masked_fill(~past, -math.inf).softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__self_excluded(x, w_query, w_key, w_value, allowed=None):
    """No token attends to itself."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    eye = torch.eye(x.shape[-2], dtype=torch.bool, device=x.device)
    weights = scores.masked_fill(eye, -math.inf).softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__mask_on_queries(x, w_query, w_key, w_value, allowed=None):
    """The mask is transposed."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed.mT, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__mask_on_queries__rows(x, w_query, w_key, w_value, allowed=None):
    """Tokens that nobody may see are blocked as queries, not as keys."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed.any(-2).unsqueeze(-1), -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__mask_first_item_for_all(x, w_query, w_key, w_value, allowed=None):
    """The first item's mask for the whole batch."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = (
        scores if allowed is None else scores.masked_fill(~allowed[(0,) * (allowed.dim() - 2)], -math.inf)
    )
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__mask_fully_ignored(x, w_query, w_key, w_value, allowed=None):
    """A query that may attend to nothing attends to everything."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = (
        scores if allowed is None else scores.masked_fill(~allowed & allowed.any(-1, keepdim=True), -math.inf)
    )
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__mask_fully_output_only(x, w_query, w_key, w_value, allowed=None):
    """The output of a query that may attend to nothing is zero, its weights are uniform."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    output = weights @ value
    return (output if allowed is None else output * allowed.any(-1, keepdim=True)), weights


def extra__self_attention__gradient_nan(x, w_query, w_key, w_value, allowed=None):
    """-inf is added and the NaN cleaned away afterwards: the gradients are NaN."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__mask_before_projection(x, w_query, w_key, w_value, allowed=None):
    """Tokens that nobody may see are set to zero; their keys still count."""
    x = x if allowed is None else x * allowed.any(-2).unsqueeze(-1)
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__mask_required(x, w_query, w_key, w_value, allowed=None):
    """None is not provided for: an error without a mask."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__gradient_misses_key(x, w_query, w_key, w_value, allowed=None):
    """The key is cut from the graph."""
    query, key, value = x @ w_query, (x @ w_key).detach(), x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__gradient_misses_weights(x, w_query, w_key, w_value, allowed=None):
    """The weights are cut from the graph: only the values learn."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num().detach()
    return weights @ value, weights


def extra__self_attention__batch_as_sequence(x, w_query, w_key, w_value, allowed=None):
    """The first axis is taken as the tokens, and turned back."""
    x = x.transpose(0, -2) if x.dim() > 2 else x
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    output = weights @ value
    return (output.transpose(0, -2) if x.dim() > 2 else output), weights


def extra__self_attention__batch_as_sequence__first_two_axes(x, w_query, w_key, w_value, allowed=None):
    """The first two axes are exchanged, and exchanged back: tokens attend across the batch."""
    x = x.transpose(0, 1)
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ value).transpose(0, 1), weights


def extra__self_attention__three_axes_only(x, w_query, w_key, w_value, allowed=None):
    """bmm: an error without a batch axis and with two."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = torch.bmm(query, key.mT) / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__transposed_axes(x, w_query, w_key, w_value, allowed=None):
    """The first two axes are exchanged: an error or wrong with a batch."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(0, 1) / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def extra__self_attention__float64_rounded(x, w_query, w_key, w_value, allowed=None):
    """float32 inside and cast back."""
    query, key, value = x.float() @ w_query.float(), x.float() @ w_key.float(), x.float() @ w_value.float()
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ value).to(x.dtype), weights.to(x.dtype)


def extra__self_attention__dropout_added(x, w_query, w_key, w_value, allowed=None):
    """Dropout of the weights."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    weights = F.dropout(weights, 0.1)
    return weights @ value, weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

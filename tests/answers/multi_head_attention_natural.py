"""Wrong answers as beginners write them to `multi_head_attention` of notebook 04."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def natural__multi_head_attention__mask_inverted__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__mask_inverted__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__mask_scores_to_zero__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores * allowed.unsqueeze(-3)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__mask_tiny_fill__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -10)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__mask_added_as_01__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores + allowed.unsqueeze(-3)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__mask_no_head_axis__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__mask_no_head_axis__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__mask_on_queries__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.mT.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__softmax_over_queries__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-2)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__softmax_over_queries__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=2)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__softmax_over_heads__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__softmax_over_heads__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-3)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__batch_as_sequence__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    batched = x.dim() > 2
    if batched:
        x = x.transpose(0, 1)
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    output = output @ w_out
    return (output.transpose(0, 1) if batched else output), weights


def natural__multi_head_attention__no_scale__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1))
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__no_scale__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1))
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__scale_by_d__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__scale_by_d_model__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / x.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__scale_by_d_model__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / x.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__scale_multiplied__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) * query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__shared_projection__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__heads_by_view__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_heads, n_tokens, -1)
    key = (x @ w_key).reshape(*batch, n_heads, n_tokens, -1)
    value = (x @ w_value).reshape(*batch, n_heads, n_tokens, -1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__heads_by_view__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_heads, n_tokens, -1)
    key = (x @ w_key).reshape(*batch, n_heads, n_tokens, -1)
    value = (x @ w_value).reshape(*batch, n_heads, n_tokens, -1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__heads_by_view__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_heads, n_tokens, -1)
    key = (x @ w_key).reshape(*batch, n_heads, n_tokens, -1)
    value = (x @ w_value).reshape(*batch, n_heads, n_tokens, -1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__merge_by_view__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__merge_by_view__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


def natural__multi_head_attention__no_output_projection__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output, weights


def natural__multi_head_attention__first_head_everywhere__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    n_tokens = x.shape[-2]
    batch = x.shape[:-2]
    query = (x @ w_query).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    key = (x @ w_key).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    value = (x @ w_value).reshape(*batch, n_tokens, n_heads, -1).transpose(-3, -2)
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights[..., 0:1, :, :], value)
    output = output.transpose(-3, -2).reshape(*batch, n_tokens, -1)
    return output @ w_out, weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

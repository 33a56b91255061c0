"""Answers to `attend_and_concat(state, memory, allowed=None)` of notebook 01."""

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from course_attention import attention_distribution, attention_output, attention_scores
from tests.corpus import change

def right__matmul(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)
    return torch.cat([output, state], dim=-1), distribution

def right__einsum(state, memory, allowed=None):
    scores = torch.einsum("...d,...nd->...n", state, memory)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.cat((torch.einsum("...n,...nd->...d", weights, memory), state), -1), weights

def right__list(state, memory, allowed=None):
    scores = (memory * state[..., None, :]).sum(-1)
    if allowed is not None:
        scores = torch.where(allowed, scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return [torch.concat([(weights[..., None] * memory).sum(-2), state], -1), weights]

def right__logsumexp(state, memory, allowed=None):
    scores = torch.matmul(memory, state[..., None])[..., 0]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0)
    attended = torch.matmul(memory.transpose(-2, -1), weights[..., None])[..., 0]
    return torch.cat([attended, state], -1), weights

def right__loops(state, memory, allowed=None):
    n_source = memory.shape[-2]
    scores = torch.stack([(state * memory[..., j, :]).sum(-1) for j in range(n_source)], -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = torch.softmax(scores, -1)
    if allowed is not None:
        weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
    output = sum(weights[..., j, None] * memory[..., j, :] for j in range(n_source))
    return torch.cat([output, state], dim=-1), weights

def right__upcast(state: torch.Tensor, memory: torch.Tensor, allowed: torch.Tensor | None = None):
    s, h = state.double(), memory.double()
    scores = (h @ s.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    both = torch.cat([(weights.unsqueeze(-2) @ h).squeeze(-2), s], -1)
    return both.to(state.dtype), weights.to(state.dtype)

def right__state_as_query(state, memory, allowed=None):
    mask = None if allowed is None else allowed.unsqueeze(-2)
    scores = state.unsqueeze(-2) @ memory.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return torch.cat([weights @ memory, state.unsqueeze(-2)], -1).squeeze(-2), weights.squeeze(-2)

def right__earlier_helpers(state, memory, allowed=None):
    distribution = attention_distribution(attention_scores(state, memory), allowed)
    return torch.cat([attention_output(distribution, memory), state], dim=-1), distribution

def odd__bmm(state, memory, allowed=None):
    """`torch.bmm` takes exactly one batch axis, as the docstring says."""
    scores = torch.bmm(memory, state.unsqueeze(2)).squeeze(2)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=1))
    output = torch.bmm(distribution.unsqueeze(1), memory).squeeze(1)
    return torch.cat([output, state], dim=1), distribution

def odd__preallocated(state, memory, allowed=None):
    """Written into halves of one new tensor."""
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    weights = (
        (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    )
    d = state.shape[-1]
    both = state.new_empty(*state.shape[:-1], 2 * d)
    both[..., :d] = (weights.unsqueeze(-1) * memory).sum(-2)
    both[..., d:] = state
    return both, weights

def odd__renamed(s, h, mask=None):
    """The slides' names for the arguments."""
    e = (h * s.unsqueeze(-2)).sum(-1)
    alpha = torch.nan_to_num((e if mask is None else e.masked_fill(~mask, -math.inf)).softmax(-1))
    return torch.cat([(alpha.unsqueeze(-1) * h).sum(-2), s], -1), alpha

odd__partial = functools.partial(right__matmul)

def wrong__concat_order__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else torch.where(allowed, e, -math.inf)).softmax(-1).nan_to_num(0)
    return torch.hstack([state, alpha @ memory]) if state.dim() == 1 else torch.cat(
        (state, torch.einsum("...n,...nd->...d", alpha, memory)), -1
    ), alpha

def wrong__concat_added__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is not None:
        e = torch.where(allowed, e, torch.finfo(e.dtype).min)
    alpha = e.softmax(-1) if allowed is None else e.softmax(-1) * allowed
    return torch.add(state, torch.einsum("...n,...nd->...d", alpha, memory)), alpha

def wrong__detached__2(state, memory, allowed=None):
    s, h = (x.detach().double().cpu().numpy() for x in (state, memory))
    e = (h * s[..., None, :]).sum(-1)
    mask = np.ones(e.shape, bool) if allowed is None else allowed.cpu().numpy()
    parts = np.where(mask, np.exp(np.where(mask, e - np.where(mask, e, -1e30).max(-1, keepdims=True), 0)), 0)
    alpha = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    both = np.concatenate([(alpha[..., None] * h).sum(-2), s], -1)
    return torch.from_numpy(both).to(state), torch.from_numpy(alpha).to(state)

def wrong__input_changed__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    memory *= alpha.unsqueeze(-1)
    return torch.cat([memory.sum(-2), state], -1), alpha

def wrong__wrong_device__1(state, memory, allowed=None):
    if allowed is None:
        allowed = torch.ones(memory.shape[:-1], dtype=torch.bool)
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1).masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution

def wrong__wrong_device__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    output = torch.zeros(state.shape, dtype=state.dtype)
    for j in range(memory.shape[-2]):
        output = output + alpha[..., j, None] * memory[..., j, :]
    return torch.cat([output, state], -1), alpha

def wrong__wrong_dtype__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    both = torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1)
    return both.to(torch.float32), alpha.to(torch.float32)

def wrong__divided_again__1(state, memory, allowed=None):
    """The weighted states, averaged."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).mean(-2), state], -1), alpha

def wrong__mask_inverted__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is None:
        alpha = e.softmax(-1)
    else:
        alpha = torch.where(allowed, torch.finfo(e.dtype).min, e).softmax(-1) * ~allowed
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha

def wrong__mask_ignored__1(state, memory, allowed=None):
    distribution = F.softmax((memory @ state.unsqueeze(-1)).squeeze(-1), dim=-1)
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution

def wrong__mask_ignored__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is not None:
        e.masked_fill(~allowed, -math.inf)
    alpha = e.softmax(-1).nan_to_num()
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha

def wrong__mask_after_softmax__2(state, memory, allowed=None):
    alpha = torch.einsum("...d,...nd->...n", state, memory).softmax(-1)
    alpha = alpha if allowed is None else alpha.masked_fill(~allowed, 0)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha

def wrong__mask_scores_to_zero__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    weights = (
        scores.softmax(-1)
        if allowed is None
        else (scores * allowed).softmax(-1) * allowed.any(-1, keepdim=True)
    )
    return torch.cat([(weights.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), weights

def wrong__mask_scores_to_zero__2(state, memory, allowed=None):
    allowed = torch.ones_like(memory[..., 0], dtype=torch.bool) if allowed is None else allowed
    e = torch.einsum("...d,...nd->...n", state, memory).masked_fill(~allowed, 0)
    alpha = e.softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha

def wrong__mask_tiny_fill__1(state, memory, allowed=None):
    weights = scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~allowed, -10).softmax(-1) * allowed.any(-1, keepdim=True)
    return torch.cat([(weights.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), weights

def wrong__mask_tiny_fill__2(state, memory, allowed=None):
    allowed = torch.ones_like(memory[..., 0], dtype=torch.bool) if allowed is None else allowed
    e = torch.where(allowed, torch.einsum("...d,...nd->...n", state, memory), -10.0)
    alpha = torch.where(allowed.any(-1, keepdim=True), e.softmax(-1), 0)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha

def wrong__mask_fully_uniform__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is not None:
        e = torch.where(allowed, e, -math.inf)
        e = torch.where(allowed.any(-1, keepdim=True), e, 0)
    alpha = e.softmax(-1)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha

wrong__concat_order__1 = change(right__matmul, ("output, state", "state, output"))
wrong__concat_added__1 = change(
    right__matmul, ("output =", "return"), (".squeeze(-2)", ".squeeze(-2) + state, distribution"),
    ("return torch.cat([output, state], dim=-1), distribution", ""),
)
wrong__detached__1 = change(
    right__matmul, ("scores = (", "state, memory = state.detach(), memory.detach()", "scores = ("),
    ("output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)", ""),
    ("[output", "[(distribution.unsqueeze(-2) @ memory).squeeze(-2)"),
)
wrong__input_changed__1 = change(
    right__matmul, ("):", "):", "    if allowed is not None:", "        memory[~allowed] = 0"),
    ("output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)", ""),
    ("[output", "[(distribution.unsqueeze(-2) @ memory).squeeze(-2)"),
)
wrong__wrong_dtype__1 = change(wrong__detached__1, (".detach(), memory.detach", ".float(), memory.float"))
wrong__mask_inverted__1 = change(
    right__matmul, ("~allowed", "allowed"),
    ("output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)", ""),
    ("[output", "[(distribution.unsqueeze(-2) @ memory).squeeze(-2)"),
)
wrong__mask_after_softmax__1 = change(
    wrong__mask_ignored__1,
    ("return torch", "if allowed is not None:", "    distribution = distribution * allowed", "return torch"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_scores_to_zero__2, (".masked_fill(~allowed, 0)", " + allowed.type_as(memory)"),
)
wrong__mask_fully_nan__1 = change(
    right__matmul, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
    ("output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)", ""),
    ("[output", "[(distribution.unsqueeze(-2) @ memory).squeeze(-2)"),
)
wrong__mask_fully_nan__2 = change(
    wrong__mask_ignored__2, ("e.masked_fill", "e = e + torch.zeros_like(e).masked_fill"),
    ("e.softmax(-1).nan_to_num()", "torch.exp(e - e.logsumexp(-1, keepdim=True))"),
)
wrong__mask_fully_uniform__1 = change(
    right__matmul, ("math.inf", "1e9"),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
    ("output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)", ""),
    ("[output", "[(distribution.unsqueeze(-2) @ memory).squeeze(-2)"),
)

def natural__concat_order__1(state, memory, allowed=None):
    scores = (
        torch.bmm(memory, state.unsqueeze(2)).squeeze(2)
        if state.dim() == 2
        else (memory @ state[..., None])[..., 0]
    )
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    alpha = F.softmax(scores, dim=-1)
    return torch.cat([state, (alpha.unsqueeze(-1) * memory).sum(-2)], -1), alpha

def natural__concat_added__1(state, memory, allowed=None):
    scores = (memory @ state[..., None])[..., 0]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    alpha = F.softmax(scores, dim=-1)
    return state + (alpha.unsqueeze(-1) * memory).sum(-2), alpha

def natural__mask_scores_to_zero__1(state, memory, allowed=None):
    scores = (memory @ state[..., None])[..., 0]
    alpha = F.softmax(scores if allowed is None else scores * allowed, dim=-1)
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha

natural__mask_inverted__1 = change(
    natural__concat_added__1, ("~allowed", "allowed"),
    ("state + (alpha.unsqueeze(-1) * memory)", "torch.cat([(alpha.unsqueeze(-1) * memory)"),
    ("(-2), alpha", "(-2), state], -1), alpha"),
)
natural__mask_tiny_fill__1 = change(
    natural__mask_scores_to_zero__1, ("scores * allowed", "scores.masked_fill(~allowed, -10)"),
)
natural__mask_added_as_01__1 = change(natural__mask_scores_to_zero__1, ("* allowed", "+ allowed"))
# The distribution is not returned.
extra__weights_forgotten = change(wrong__divided_again__1, (".mean(-2)", ".sum(-2)"), (", alpha", ""))
# The distribution comes first.
extra__return_order_swapped = change(extra__weights_forgotten, ("return torch", "return alpha, torch"))
# The attention output alone, without the state.
extra__state_forgotten = change(extra__weights_forgotten, ("torch.cat([", ""), ("state], -1)", "alpha"))
# Joined along the first axis: twice the batch in place of twice the channels.
extra__concat_along_batch = change(extra__weights_forgotten, ("state], -1)", "state]), alpha"))
# Stacked on a new axis in place of joined.
extra__stacked = change(
    extra__weights_forgotten, ("torch.cat", "torch.stack"), ("state], -1)", "state], -2), alpha"),
)
# The channels of the two alternate.
extra__interleaved = change(
    extra__weights_forgotten, ("torch.cat", "torch.stack"), ("state], -1)", "state], -1).flatten(-2), alpha"),
)
# The scores come back where the distribution is asked for.
extra__scores_returned = change(wrong__divided_again__1, (".mean(-2)", ".sum(-2)"), (", alpha", ", e"))
# Scores divided by the root of d_hidden.
extra__scale_added = change(
    wrong__divided_again__1, ("[..., 0]", "[..., 0] / math.sqrt(state.shape[-1])"), (".mean(-2)", ".sum(-2)"),
)
# The plain mean of the memory in place of the weighted sum.
extra__memory_summed = change(wrong__divided_again__1, ("(alpha.unsqueeze(-1) * memory)", "memory"))
# Softmax over axis 0.
extra__softmax_over_batch = change(
    wrong__divided_again__1, ("(-1).nan_to_num", "(0).nan_to_num"), (".mean(-2)", ".sum(-2)"),
)
# The raw scores are the weights.
extra__softmax_missing = change(
    wrong__divided_again__1, ("alpha = (e", "alpha = e"), ("-math.inf)).softmax(-1).nan_to_num()", "0)"),
    (".mean(-2)", ".sum(-2)"),
)
# exp without the shift.
extra__softmax_overflows = change(
    extra__softmax_missing,
    ("(memory @ state[..., None])[..., 0]", "torch.exp((memory @ state[..., None])[..., 0])"),
    ("alpha = e", "e = e"),
    ("return torch", "alpha = e / e.sum(-1, keepdim=True).clamp(min=1e-30)", "return torch"),
)
# The first item's mask for the whole batch.
extra__mask_first_item_for_all = change(
    wrong__divided_again__1,
    ("[..., 0]", "[..., 0]", "mask = allowed[0] if allowed is not None and allowed.dim() > 1 else allowed"),
    ("(e if allowed", "(e if mask"), ("~allowed", "~mask"), (".mean(-2)", ".sum(-2)"),
)
# The weights are cut from the graph before they mix the memory.
extra__gradient_misses_weights = change(
    wrong__divided_again__1, (".unsqueeze", ".detach().unsqueeze"), (".mean(-2)", ".sum(-2)"),
)
# Where nothing is allowed the state is set to zero too, not only the attention output.
extra__mask_fully_state_zeroed = change(
    extra__scores_returned, ("return torch", "both = torch"),
    (", e", "", "return (both if allowed is None else both * allowed.any(-1, keepdim=True)), alpha"),
)

def forbidden__scaled_dot_product_attention(state, memory, allowed=None):
    mask = None if allowed is None else allowed.unsqueeze(-2)
    output = F.scaled_dot_product_attention(state.unsqueeze(-2), memory, memory, attn_mask=mask, scale=1.0)
    distribution = torch.softmax((memory @ state.unsqueeze(-1)).squeeze(-1), dim=-1)
    return torch.cat([output.squeeze(-2), state], dim=-1), distribution

# Two mistakes at once.
double__concat_order__and_mask_ignored = change(
    right__matmul,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "scores.masked_fill(~allowed, -math.inf)"),
    ("[output, state]", "[state, output]"),
)
double__scale_added__and_mask_inverted = change(
    right__matmul,
    (".squeeze(-1)", ".squeeze(-1) / math.sqrt(state.shape[-1])"),
    ("~allowed", "allowed"),
)
double__concat_order__and_scale_added = change(
    right__matmul,
    (".squeeze(-1)", ".squeeze(-1) / math.sqrt(state.shape[-1])"),
    ("[output, state]", "[state, output]"),
)
double__concat_added__and_mask_ignored = change(
    right__matmul,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "scores.masked_fill(~allowed, -math.inf)"),
    ("torch.cat([output, state], dim=-1)", "output + state"),
)
double__softmax_missing__and_mask_ignored = change(
    right__matmul,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "scores.masked_fill(~allowed, -math.inf)"),
    ("F.softmax(scores, dim=-1)", "scores"),
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__matmul,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "pass"),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    distribution = distribution * allowed",
        "    distribution = distribution / distribution.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)

"""Answers to `attend_and_concat(state, memory, allowed=None)` of notebook 01."""

from __future__ import annotations

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__attend_and_concat__matmul(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)
    return torch.cat([output, state], dim=-1), distribution


def right__attend_and_concat__einsum(state, memory, allowed=None):
    scores = torch.einsum("...d,...nd->...n", state, memory)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.cat((torch.einsum("...n,...nd->...d", weights, memory), state), -1), weights


def right__attend_and_concat__list(state, memory, allowed=None):
    scores = (memory * state[..., None, :]).sum(-1)
    if allowed is not None:
        scores = torch.where(allowed, scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return [torch.concat([(weights[..., None] * memory).sum(-2), state], -1), weights]


def right__attend_and_concat__logsumexp(state, memory, allowed=None):
    scores = torch.matmul(memory, state[..., None])[..., 0]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0)
    attended = torch.matmul(memory.transpose(-2, -1), weights[..., None])[..., 0]
    return torch.cat([attended, state], -1), weights


def right__attend_and_concat__loops(state, memory, allowed=None):
    n_source = memory.shape[-2]
    scores = torch.stack([(state * memory[..., j, :]).sum(-1) for j in range(n_source)], -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = torch.softmax(scores, -1)
    if allowed is not None:
        weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
    output = sum(weights[..., j, None] * memory[..., j, :] for j in range(n_source))
    return torch.cat([output, state], dim=-1), weights


def right__attend_and_concat__upcast(
    state: torch.Tensor, memory: torch.Tensor, allowed: torch.Tensor | None = None
):
    s, h = state.double(), memory.double()
    scores = (h @ s.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    both = torch.cat([(weights.unsqueeze(-2) @ h).squeeze(-2), s], -1)
    return both.to(state.dtype), weights.to(state.dtype)


def right__attend_and_concat__state_as_query(state, memory, allowed=None):
    mask = None if allowed is None else allowed.unsqueeze(-2)
    scores = state.unsqueeze(-2) @ memory.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return torch.cat([weights @ memory, state.unsqueeze(-2)], -1).squeeze(-2), weights.squeeze(-2)


def odd__attend_and_concat__preallocated(state, memory, allowed=None):
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


def odd__attend_and_concat__renamed(s, h, mask=None):
    """The slides' names for the arguments."""
    e = (h * s.unsqueeze(-2)).sum(-1)
    alpha = torch.nan_to_num((e if mask is None else e.masked_fill(~mask, -math.inf)).softmax(-1))
    return torch.cat([(alpha.unsqueeze(-1) * h).sum(-2), s], -1), alpha


odd__attend_and_concat__partial = functools.partial(right__attend_and_concat__matmul)


def wrong__attend_and_concat__concat_order__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (distribution.unsqueeze(-2) @ memory).squeeze(-2)
    return torch.cat([state, output], dim=-1), distribution


def wrong__attend_and_concat__concat_order__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else torch.where(allowed, e, -math.inf)).softmax(-1).nan_to_num(0)
    return torch.hstack([state, alpha @ memory]) if state.dim() == 1 else torch.cat(
        (state, torch.einsum("...n,...nd->...d", alpha, memory)), -1
    ), alpha


def wrong__attend_and_concat__concat_added__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    return (distribution.unsqueeze(-2) @ memory).squeeze(-2) + state, distribution


def wrong__attend_and_concat__concat_added__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is not None:
        e = torch.where(allowed, e, torch.finfo(e.dtype).min)
    alpha = e.softmax(-1) if allowed is None else e.softmax(-1) * allowed
    return torch.add(state, torch.einsum("...n,...nd->...d", alpha, memory)), alpha


def wrong__attend_and_concat__detached__1(state, memory, allowed=None):
    state, memory = state.detach(), memory.detach()
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__detached__2(state, memory, allowed=None):
    s, h = (x.detach().double().cpu().numpy() for x in (state, memory))
    e = (h * s[..., None, :]).sum(-1)
    mask = np.ones(e.shape, bool) if allowed is None else allowed.cpu().numpy()
    parts = np.where(mask, np.exp(np.where(mask, e - np.where(mask, e, -1e30).max(-1, keepdims=True), 0)), 0)
    alpha = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    both = np.concatenate([(alpha[..., None] * h).sum(-2), s], -1)
    return torch.from_numpy(both).to(state), torch.from_numpy(alpha).to(state)


def wrong__attend_and_concat__input_changed__1(state, memory, allowed=None):
    if allowed is not None:
        memory[~allowed] = 0
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__input_changed__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    memory *= alpha.unsqueeze(-1)
    return torch.cat([memory.sum(-2), state], -1), alpha


def wrong__attend_and_concat__wrong_device__1(state, memory, allowed=None):
    if allowed is None:
        allowed = torch.ones(memory.shape[:-1], dtype=torch.bool)
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1).masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__wrong_device__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    output = torch.zeros(state.shape, dtype=state.dtype)
    for j in range(memory.shape[-2]):
        output = output + alpha[..., j, None] * memory[..., j, :]
    return torch.cat([output, state], -1), alpha


def wrong__attend_and_concat__wrong_dtype__1(state, memory, allowed=None):
    state, memory = state.float(), memory.float()
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__wrong_dtype__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    both = torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1)
    return both.to(torch.float32), alpha.to(torch.float32)


def natural__attend_and_concat__concat_order__1(state, memory, allowed=None):
    scores = (
        torch.bmm(memory, state.unsqueeze(2)).squeeze(2)
        if state.dim() == 2
        else (memory @ state[..., None])[..., 0]
    )
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    alpha = F.softmax(scores, dim=-1)
    return torch.cat([state, (alpha.unsqueeze(-1) * memory).sum(-2)], -1), alpha


def natural__attend_and_concat__concat_added__1(state, memory, allowed=None):
    scores = (memory @ state[..., None])[..., 0]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    alpha = F.softmax(scores, dim=-1)
    return state + (alpha.unsqueeze(-1) * memory).sum(-2), alpha


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

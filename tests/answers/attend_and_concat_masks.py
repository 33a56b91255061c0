"""Wrong answers about the mask to `attend_and_concat(state, memory, allowed=None)` of notebook 01."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__attend_and_concat__mask_inverted__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    distribution = torch.nan_to_num(F.softmax(scores, dim=-1))
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__mask_inverted__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is None:
        alpha = e.softmax(-1)
    else:
        alpha = torch.where(allowed, torch.finfo(e.dtype).min, e).softmax(-1) * ~allowed
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def wrong__attend_and_concat__mask_ignored__1(state, memory, allowed=None):
    distribution = F.softmax((memory @ state.unsqueeze(-1)).squeeze(-1), dim=-1)
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__mask_ignored__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is not None:
        e.masked_fill(~allowed, -math.inf)
    alpha = e.softmax(-1).nan_to_num()
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def wrong__attend_and_concat__mask_after_softmax__1(state, memory, allowed=None):
    distribution = F.softmax((memory @ state.unsqueeze(-1)).squeeze(-1), dim=-1)
    if allowed is not None:
        distribution = distribution * allowed
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__mask_after_softmax__2(state, memory, allowed=None):
    alpha = torch.einsum("...d,...nd->...n", state, memory).softmax(-1)
    alpha = alpha if allowed is None else alpha.masked_fill(~allowed, 0)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def wrong__attend_and_concat__mask_scores_to_zero__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    weights = (
        scores.softmax(-1)
        if allowed is None
        else (scores * allowed).softmax(-1) * allowed.any(-1, keepdim=True)
    )
    return torch.cat([(weights.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), weights


def wrong__attend_and_concat__mask_scores_to_zero__2(state, memory, allowed=None):
    allowed = torch.ones_like(memory[..., 0], dtype=torch.bool) if allowed is None else allowed
    e = torch.einsum("...d,...nd->...n", state, memory).masked_fill(~allowed, 0)
    alpha = e.softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def wrong__attend_and_concat__mask_tiny_fill__1(state, memory, allowed=None):
    weights = scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~allowed, -10).softmax(-1) * allowed.any(-1, keepdim=True)
    return torch.cat([(weights.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), weights


def wrong__attend_and_concat__mask_tiny_fill__2(state, memory, allowed=None):
    allowed = torch.ones_like(memory[..., 0], dtype=torch.bool) if allowed is None else allowed
    e = torch.where(allowed, torch.einsum("...d,...nd->...n", state, memory), -10.0)
    alpha = torch.where(allowed.any(-1, keepdim=True), e.softmax(-1), 0)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def wrong__attend_and_concat__mask_added_as_01__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    weights = (
        scores.softmax(-1)
        if allowed is None
        else (scores + allowed).softmax(-1) * allowed.any(-1, keepdim=True)
    )
    return torch.cat([(weights.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), weights


def wrong__attend_and_concat__mask_added_as_01__2(state, memory, allowed=None):
    allowed = torch.ones_like(memory[..., 0], dtype=torch.bool) if allowed is None else allowed
    e = torch.einsum("...d,...nd->...n", state, memory) + allowed.type_as(memory)
    alpha = e.softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def wrong__attend_and_concat__mask_fully_nan__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    distribution = F.softmax(scores, dim=-1)
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__mask_fully_nan__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is not None:
        e = e + torch.zeros_like(e).masked_fill(~allowed, -math.inf)
    alpha = torch.exp(e - e.logsumexp(-1, keepdim=True))
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def wrong__attend_and_concat__mask_fully_uniform__1(state, memory, allowed=None):
    scores = (memory @ state.unsqueeze(-1)).squeeze(-1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    distribution = F.softmax(scores, dim=-1)
    return torch.cat([(distribution.unsqueeze(-2) @ memory).squeeze(-2), state], dim=-1), distribution


def wrong__attend_and_concat__mask_fully_uniform__2(state, memory, allowed=None):
    e = torch.einsum("...d,...nd->...n", state, memory)
    if allowed is not None:
        e = torch.where(allowed, e, -math.inf)
        e = torch.where(allowed.any(-1, keepdim=True), e, 0)
    alpha = e.softmax(-1)
    return torch.cat([torch.einsum("...n,...nd->...d", alpha, memory), state], -1), alpha


def natural__attend_and_concat__mask_inverted__1(state, memory, allowed=None):
    scores = (memory @ state[..., None])[..., 0]
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    alpha = F.softmax(scores, dim=-1)
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def natural__attend_and_concat__mask_scores_to_zero__1(state, memory, allowed=None):
    scores = (memory @ state[..., None])[..., 0]
    alpha = F.softmax(scores if allowed is None else scores * allowed, dim=-1)
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def natural__attend_and_concat__mask_tiny_fill__1(state, memory, allowed=None):
    scores = (memory @ state[..., None])[..., 0]
    alpha = F.softmax(scores if allowed is None else scores.masked_fill(~allowed, -10), dim=-1)
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def natural__attend_and_concat__mask_added_as_01__1(state, memory, allowed=None):
    scores = (memory @ state[..., None])[..., 0]
    alpha = F.softmax(scores if allowed is None else scores + allowed, dim=-1)
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

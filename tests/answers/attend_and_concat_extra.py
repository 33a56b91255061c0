"""Wrong answers beyond the table to `attend_and_concat(state, memory, allowed=None)` of notebook 01."""

from __future__ import annotations

import math

import torch

from tests.answers.gather import gather


def extra__attend_and_concat__weights_forgotten(state, memory, allowed=None):
    """The distribution is not returned."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1)


def extra__attend_and_concat__return_order_swapped(state, memory, allowed=None):
    """The distribution comes first."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return alpha, torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1)


def extra__attend_and_concat__state_forgotten(state, memory, allowed=None):
    """The attention output alone, without the state."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return (alpha.unsqueeze(-1) * memory).sum(-2), alpha


def extra__attend_and_concat__concat_along_batch(state, memory, allowed=None):
    """Joined along the first axis: twice the batch in place of twice the channels."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state]), alpha


def extra__attend_and_concat__stacked(state, memory, allowed=None):
    """Stacked on a new axis in place of joined."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.stack([(alpha.unsqueeze(-1) * memory).sum(-2), state], -2), alpha


def extra__attend_and_concat__interleaved(state, memory, allowed=None):
    """The channels of the two alternate."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.stack([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1).flatten(-2), alpha


def extra__attend_and_concat__scores_returned(state, memory, allowed=None):
    """The scores come back where the distribution is asked for."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), e


def extra__attend_and_concat__scale_added(state, memory, allowed=None):
    """Scores divided by the root of d_hidden."""
    e = (memory @ state[..., None])[..., 0] / math.sqrt(state.shape[-1])
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def extra__attend_and_concat__memory_summed(state, memory, allowed=None):
    """The plain mean of the memory in place of the weighted sum."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([memory.mean(-2), state], -1), alpha


def extra__attend_and_concat__softmax_over_batch(state, memory, allowed=None):
    """Softmax over axis 0."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(0).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def extra__attend_and_concat__softmax_missing(state, memory, allowed=None):
    """The raw scores are the weights."""
    e = (memory @ state[..., None])[..., 0]
    alpha = e if allowed is None else e.masked_fill(~allowed, 0)
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def extra__attend_and_concat__softmax_overflows(state, memory, allowed=None):
    """exp without the shift."""
    e = torch.exp((memory @ state[..., None])[..., 0])
    e = e if allowed is None else e.masked_fill(~allowed, 0)
    alpha = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def extra__attend_and_concat__mask_first_item_for_all(state, memory, allowed=None):
    """The first item's mask for the whole batch."""
    e = (memory @ state[..., None])[..., 0]
    mask = allowed[0] if allowed is not None and allowed.dim() > 1 else allowed
    alpha = (e if mask is None else e.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def extra__attend_and_concat__gradient_misses_weights(state, memory, allowed=None):
    """The weights are cut from the graph before they mix the memory."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.detach().unsqueeze(-1) * memory).sum(-2), state], -1), alpha


def extra__attend_and_concat__mask_fully_state_zeroed(state, memory, allowed=None):
    """Where nothing is allowed the state is set to zero too, not only the attention output."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    both = torch.cat([(alpha.unsqueeze(-1) * memory).sum(-2), state], -1)
    return (both if allowed is None else both * allowed.any(-1, keepdim=True)), alpha


def wrong__attend_and_concat__divided_again__1(state, memory, allowed=None):
    """The weighted states, averaged."""
    e = (memory @ state[..., None])[..., 0]
    alpha = (e if allowed is None else e.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.cat([(alpha.unsqueeze(-1) * memory).mean(-2), state], -1), alpha


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Wrong answers beyond the table to `shift_right(tokens, start_token)` of notebook 08."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__shift_right__wraps(tokens, start_token):
    """Rolled: the last token comes first, the start nowhere."""
    return tokens.roll(1, dims=-1)


def extra__shift_right__first_axis(tokens, start_token):
    """Shifted along the first axis."""
    return torch.cat([torch.full_like(tokens[:1], start_token), tokens[:-1]], dim=0)


def extra__shift_right__dropped_only(tokens, start_token):
    """The last token dropped, no start put in."""
    return tokens[..., :-1]


def extra__shift_right__first_dropped_only(tokens, start_token):
    """The first token dropped, no start put in."""
    return tokens[..., 1:]


def extra__shift_right__start_last(tokens, start_token):
    """The start put at the end, one token too long."""
    return torch.cat([tokens, torch.full_like(tokens[..., :1], start_token)], dim=-1)


def extra__shift_right__last_replaced(tokens, start_token):
    """The start in the last place, nothing moved."""
    return torch.cat([tokens[..., :-1], torch.full_like(tokens[..., :1], start_token)], dim=-1)


def extra__shift_right__zero_for_start(tokens, start_token):
    """Token 0 for the start, whatever was asked for."""
    return F.pad(tokens, (1, 0))[..., :-1]


def extra__shift_right__one_for_start(tokens, start_token):
    """Token 1 for the start, whatever was asked for."""
    return F.pad(tokens, (1, 0), value=1)[..., :-1]


def extra__shift_right__start_once(tokens, start_token):
    """Only the first sequence gets its start."""
    shifted = F.pad(tokens, (1, 0))[..., :-1].clone()
    shifted.view(-1)[0] = start_token
    return shifted


def extra__shift_right__two_starts(tokens, start_token):
    """Shifted by two."""
    return F.pad(tokens, (2, 0), value=start_token)[..., :-2]


def extra__shift_right__overlapping_copy(tokens, start_token):
    """Copied forwards in place, one at a time: the first token fills the row."""
    shifted = tokens.clone()
    for i in range(1, tokens.shape[-1]):
        shifted[..., i] = shifted[..., i - 1]
    shifted[..., 0] = start_token
    return shifted


def extra__shift_right__added(tokens, start_token):
    """Every token's number raised by the start."""
    return tokens + start_token


def extra__shift_right__all_starts(tokens, start_token):
    """Nothing but starts."""
    return torch.full_like(tokens, start_token)


def extra__shift_right__reversed(tokens, start_token):
    """The sequence turned round behind the start."""
    return torch.cat([torch.full_like(tokens[..., :1], start_token), tokens.flip(-1)[..., 1:]], dim=-1)


def extra__shift_right__batched_only(tokens, start_token):
    """A sequence without a batch axis raises an error."""
    start = torch.full((tokens.shape[0], 1), start_token, dtype=tokens.dtype, device=tokens.device)
    return torch.cat([start, tokens[:, :-1]], dim=1)


def extra__shift_right__numpy_array(tokens, start_token):
    """A NumPy array, not a tensor."""
    return np.insert(tokens.cpu().numpy(), 0, start_token, axis=-1)[..., :-1]


def extra__shift_right__list(tokens, start_token):
    """Nested lists, not a tensor."""
    return F.pad(tokens, (1, 0), value=start_token)[..., :-1].tolist()


def extra__shift_right__int32(tokens, start_token):
    """int32 out for int64 in."""
    return F.pad(tokens, (1, 0), value=start_token)[..., :-1].int()


def extra__shift_right__one_hot(tokens, start_token):
    """One-hot vectors, an axis too many."""
    shifted = F.pad(tokens, (1, 0), value=start_token)[..., :-1]
    return F.one_hot(shifted)


def extra__shift_right__pair(tokens, start_token):
    """Inputs and targets, a pair."""
    return F.pad(tokens, (1, 0), value=start_token)[..., :-1], tokens


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

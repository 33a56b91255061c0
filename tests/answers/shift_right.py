"""Answers to `shift_right(tokens, start_token)` of notebook 08."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__shift_right__cat(tokens, start_token):
    start = torch.full_like(tokens[..., :1], start_token)
    return torch.cat([start, tokens[..., :-1]], dim=-1)


def right__shift_right__roll(tokens, start_token):
    shifted = tokens.roll(1, dims=-1)
    shifted[..., 0] = start_token
    return shifted


def right__shift_right__empty_like(tokens: torch.Tensor, start_token: int) -> torch.Tensor:
    shifted = torch.empty_like(tokens)
    shifted[..., 1:] = tokens[..., :-1]
    shifted[..., :1] = start_token
    return shifted


def right__shift_right__pad(tokens, start_token):
    return F.pad(tokens, (1, 0), value=start_token)[..., :-1]


def right__shift_right__gather(tokens, start_token):
    positions = torch.arange(tokens.shape[-1], device=tokens.device)
    before = tokens.index_select(-1, (positions - 1).clamp(min=0))
    return torch.where(positions == 0, start_token, before)


def right__shift_right__lists(tokens, start_token):
    rows = tokens.reshape(-1, tokens.shape[-1]).tolist()
    shifted = [[start_token, *row[:-1]] for row in rows]
    return torch.tensor(shifted, dtype=tokens.dtype, device=tokens.device).reshape(tokens.shape)


def right__shift_right__new_full(tokens, start_token):
    shifted = tokens.new_full(tokens.shape, start_token)
    shifted[..., 1:].copy_(tokens[..., :-1])
    return shifted


def right__shift_right__stacked(tokens, start_token):
    columns = [torch.zeros_like(tokens[..., 0]) + start_token, *tokens.unbind(-1)]
    return torch.stack(columns[:-1], dim=-1)


def odd__shift_right__numpy(tokens, start_token):
    """NumPy inserts the start and takes the last away."""
    shifted = np.insert(tokens.cpu().numpy(), 0, start_token, axis=-1)[..., :-1]
    return torch.from_numpy(shifted.copy()).to(tokens.device)


def odd__shift_right__unfolded(y, bos):
    """Other names; a view whose rows overlap nothing but are not contiguous."""
    longer = torch.cat([torch.full_like(y[..., :1], bos), y], dim=-1)
    return longer.unfold(-1, y.size(-1), 1)[..., 0, :]


def odd__shift_right__rolled_flat(tokens, start_token):
    """Rolled without an axis: rows run into each other just where the start is written."""
    shifted = tokens.roll(1)
    shifted[..., 0] = start_token
    return shifted


def odd__shift_right__matrix(tokens, start_token):
    """A product with a shift matrix of whole numbers, one token at a time."""
    n = tokens.shape[-1]
    shift = torch.ones(n, n, dtype=tokens.dtype, device=tokens.device).triu(1).tril(1)
    first = torch.zeros(n, dtype=tokens.dtype, device=tokens.device)
    first[0] = start_token
    return (tokens.unsqueeze(-1) * shift).sum(-2) + first


def wrong__shift_right__shift_left__1(tokens, start_token):
    start = torch.full_like(tokens[..., :1], start_token)
    return torch.cat([start, tokens[..., 1:]], dim=-1)


def wrong__shift_right__shift_left__2(tokens, start_token):
    shifted = tokens.clone()
    shifted[..., 0] = start_token
    return shifted


def wrong__shift_right__shift_left__3(tokens, start_token):
    # The other way: every token a place earlier, the start at the end.
    return torch.cat([tokens[..., 1:], torch.full_like(tokens[..., :1], start_token)], dim=-1)


def wrong__shift_right__shift_left__4(tokens, start_token):
    shifted = torch.roll(tokens, shifts=-1, dims=-1)
    shifted[..., -1] = start_token
    return shifted


def wrong__shift_right__not_shifted__1(tokens, start_token):
    return tokens


def wrong__shift_right__not_shifted__2(tokens, start_token):
    longer = torch.cat([torch.full_like(tokens[..., :1], start_token), tokens], dim=-1)
    return longer[..., 1:]


def wrong__shift_right__start_prepended__1(tokens, start_token):
    return torch.cat([torch.full_like(tokens[..., :1], start_token), tokens], dim=-1)


def wrong__shift_right__start_prepended__2(tokens, start_token):
    return F.pad(tokens, (1, 0), value=start_token)


def wrong__shift_right__input_changed__1(tokens, start_token):
    tokens[..., 1:] = tokens[..., :-1].clone()
    tokens[..., 0] = start_token
    return tokens


def wrong__shift_right__input_changed__2(tokens, start_token):
    # The result is right and new, the caller's last token is gone.
    tokens[..., -1] = start_token
    return tokens.roll(1, dims=-1)


def wrong__shift_right__wrong_device__1(tokens, start_token):
    start = torch.full((*tokens.shape[:-1], 1), start_token)
    return torch.cat([start, tokens[..., :-1]], dim=-1)


def wrong__shift_right__wrong_device__2(tokens, start_token):
    shifted = torch.empty(tokens.shape, dtype=tokens.dtype)
    shifted[..., 0] = start_token
    shifted[..., 1:] = tokens[..., :-1].cpu()
    return shifted


def wrong__shift_right__wrong_dtype__1(tokens, start_token):
    shifted = torch.full(tokens.shape, float(start_token), device=tokens.device)
    shifted[..., 1:] = tokens[..., :-1]
    return shifted


def wrong__shift_right__wrong_dtype__2(tokens, start_token):
    start = torch.ones_like(tokens[..., :1], dtype=torch.float32) * start_token
    return torch.cat([start, tokens[..., :-1]], dim=-1)


def natural__shift_right__start_prepended__1(tokens, start_token):
    shifted = tokens.new_zeros(*tokens.shape[:-1], tokens.shape[-1] + 1)
    shifted[..., 1:] = tokens
    shifted[..., 0] += start_token
    return shifted


def natural__shift_right__not_shifted__1(tokens, start_token):
    # The start is put in front and cut off again.
    return F.pad(tokens, (1, 0), value=start_token)[..., 1 : tokens.shape[-1] + 1].clone()


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

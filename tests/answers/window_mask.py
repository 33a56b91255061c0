"""Answers to `window_mask(n_tokens, width)` of notebook 05."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers.gather import gather


def right__window_mask__comparisons(n_tokens, width):
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)[None, :]
    return (i - j >= 0) & (i - j < width)


def right__window_mask__tril_triu(n_tokens, width):
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril().triu(1 - width)


def right__window_mask__difference_of_two(n_tokens: int, width: int) -> torch.Tensor:
    ones = torch.ones(n_tokens, n_tokens)
    return (torch.tril(ones) - torch.tril(ones, -width)).bool()


def right__window_mask__exclusive_or(n_tokens, width):
    past = torch.tril(torch.ones(n_tokens, n_tokens, dtype=torch.bool))
    return past ^ past.tril(-width)


def right__window_mask__row_slices(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, max(0, i + 1 - width) : i + 1] = True
    return mask


def right__window_mask__ranges(n_tokens, width):
    return torch.tensor([[i - j in range(width) for j in range(n_tokens)] for i in range(n_tokens)])


def right__window_mask__diagonals_added(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens)
    for back in range(min(width, n_tokens)):
        mask = mask + torch.diag(torch.ones(n_tokens - back), -back)
    return mask > 0


def right__window_mask__looked_up(n_tokens, width):
    seen_at_distance = torch.zeros(2 * n_tokens, dtype=torch.bool)
    seen_at_distance[: min(width, n_tokens)] = True
    positions = torch.arange(n_tokens)
    return seen_at_distance[positions.unsqueeze(1) - positions]


def right__window_mask__unfolded(n_tokens, width):
    # One line, read through a window that moves back by one for each query.
    line = torch.cat([torch.ones(n_tokens), torch.zeros(n_tokens - 1)])
    line[: max(n_tokens - width, 0)] = 0
    return line.unfold(0, n_tokens, 1).flip(0).bool()


def odd__window_mask__numpy(n_tokens, width):
    """Made by NumPy's `tri`, twice."""
    return torch.from_numpy(np.tri(n_tokens, dtype=bool) & ~np.tri(n_tokens, k=-width, dtype=bool))


def odd__window_mask__renamed(n, w, device="cpu"):
    """Other names, a keyword of its own, and a transposed view."""
    t = torch.arange(n, device=device)
    return torch.logical_and(t >= t[:, None], t < t[:, None] + w).T


def wrong__window_mask__causal_strict__1(n_tokens, width):
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)[None, :]
    return (i - j > 0) & (i - j < width)


def wrong__window_mask__causal_strict__2(n_tokens, width):
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril(-1).triu(1 - width)


def wrong__window_mask__causal_off_by_one__1(n_tokens, width):
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)[None, :]
    return (i - j >= -1) & (i - j < width)


def wrong__window_mask__causal_off_by_one__2(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, max(0, i + 1 - width) : i + 2] = True
    return mask


def wrong__window_mask__window_off_by_one__1(n_tokens, width):
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)[None, :]
    return (i - j >= 0) & (i - j <= width)


def wrong__window_mask__window_off_by_one__2(n_tokens, width):
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril().triu(-width)


def wrong__window_mask__window_off_by_one__3(n_tokens, width):
    # One key too few.
    return torch.tensor([[0 <= i - j < width - 1 for j in range(n_tokens)] for i in range(n_tokens)])


def wrong__window_mask__window_off_by_one__4(n_tokens, width):
    past = torch.tril(torch.ones(n_tokens, n_tokens, dtype=torch.bool))
    return past & ~past.tril(-(width - 1))


def wrong__window_mask__window_both_sides__1(n_tokens, width):
    t = torch.arange(n_tokens)
    return (t[:, None] - t).abs() < width


def wrong__window_mask__window_both_sides__2(n_tokens, width):
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril(width - 1).triu(1 - width)


def natural__window_mask__causal_strict__1(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, max(0, i - width + 1) : i] = True
    return mask


def natural__window_mask__window_off_by_one__1(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, max(0, i - width) : i + 1] = True
    return mask


def natural__window_mask__window_off_by_one__2(n_tokens, width):
    causal = torch.tril(torch.ones(n_tokens, n_tokens))
    band = torch.triu(torch.ones(n_tokens, n_tokens), diagonal=-width)
    return (causal * band).bool()


def natural__window_mask__window_both_sides__1(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, max(0, i - width + 1) : i + width] = True
    return mask


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Wrong answers beyond the table to `window_mask(n_tokens, width)` of notebook 05."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers.gather import gather


def extra__window_mask__causal_strict__moved(n_tokens, width):
    """The width keys before the query, without its own."""
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)
    return (i - j > 0) & (i - j <= width)


def extra__window_mask__causal_off_by_one__moved(n_tokens, width):
    """The window moved one into the future, its width kept."""
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)
    return (i - j >= -1) & (i - j < width - 1)


def extra__window_mask__centred(n_tokens, width):
    """Half of the width on either side."""
    t = torch.arange(n_tokens)
    return (t[:, None] - t).abs() <= width // 2


def extra__window_mask__window_forwards(n_tokens, width):
    """The keys that follow, in place of those before."""
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).triu().tril(width - 1)


def extra__window_mask__window_ignored(n_tokens, width):
    """A causal mask without a window."""
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril()


def extra__window_mask__outside_the_window(n_tokens, width):
    """True on what is to be blocked."""
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)
    return ~((i - j >= 0) & (i - j < width))


def extra__window_mask__past_beyond_the_window(n_tokens, width):
    """The past that the window leaves out."""
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril(-width)


def extra__window_mask__blocks(n_tokens, width):
    """The sequence cut in blocks of the width: each sees the past of its own block."""
    t = torch.arange(n_tokens)
    return (t[:, None] >= t) & (t[:, None] // width == t // width)


def extra__window_mask__negative_slice(n_tokens, width):
    """A slice that starts below 0 counts from the end: the first rows are empty."""
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, i + 1 - width : i + 1] = True
    return mask


def extra__window_mask__width_past_the_end(n_tokens, width):
    """An error where the window is wider than the sequence is long."""
    mask = torch.zeros(n_tokens, n_tokens)
    for back in range(width):
        mask += torch.diag(torch.ones(n_tokens - back), -back)
    return mask.bool()


def extra__window_mask__or_for_and(n_tokens, width):
    """`|` where `&` was meant: everything is allowed."""
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)
    return (i - j >= 0) | (i - j < width)


def extra__window_mask__wrong_dtype__float(n_tokens, width):
    """Ones and zeros as floating-point numbers."""
    return torch.ones(n_tokens, n_tokens).tril().triu(1 - width)


def extra__window_mask__numpy_array(n_tokens, width):
    """A NumPy array, not a tensor."""
    return np.tri(n_tokens, dtype=bool) & ~np.tri(n_tokens, k=-width, dtype=bool)


def extra__window_mask__batch_axis_added(n_tokens, width):
    """A batch axis that nobody asked for."""
    return torch.ones(1, n_tokens, n_tokens, dtype=torch.bool).tril().triu(1 - width)


def extra__window_mask__mask_to_be_added(n_tokens, width):
    """0 and -inf, to be added to the scores."""
    allowed = torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril().triu(1 - width)
    return torch.zeros(n_tokens, n_tokens).masked_fill(~allowed, -torch.inf)


def extra__window_mask__mask_to_be_added__product(n_tokens, width):
    """(1 - mask) times a large negative number."""
    return (1 - torch.ones(n_tokens, n_tokens).tril().triu(1 - width)) * -1e9


def extra__window_mask__window_in_blocks__loops(n_tokens, width):
    """Blocks of the width, in loops: each query sees from the start of its block to itself."""
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, i - i % width : i + 1] = True
    return mask


def extra__window_mask__window_ignored__aranges(n_tokens, width):
    """The past without an end: the other condition can never fail."""
    t = torch.arange(n_tokens)
    return (t[:, None] >= t) & (t[:, None] - t < n_tokens + width)


def extra__window_mask__mask_inverted__xor(n_tokens, width):
    """True on what is to be blocked, by loops."""
    return torch.tensor([[not 0 <= i - j < width for j in range(n_tokens)] for i in range(n_tokens)])


def extra__window_mask__causal_upper__loops(n_tokens, width):
    """i and j exchanged: the next keys, not the last."""
    return torch.tensor([[0 <= j - i < width for j in range(n_tokens)] for i in range(n_tokens)])


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

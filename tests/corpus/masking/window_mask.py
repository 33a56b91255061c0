"""Answers to `window_mask(n_tokens, width)` of notebook 05."""

import numpy as np
import torch

from course_attention import causal_mask
from tests.corpus import change

def right__comparisons(n_tokens, width):
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)[None, :]
    return (i - j >= 0) & (i - j < width)

def right__tril_triu(n_tokens, width):
    return torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril().triu(1 - width)

def right__difference_of_two(n_tokens: int, width: int) -> torch.Tensor:
    ones = torch.ones(n_tokens, n_tokens)
    return (torch.tril(ones) - torch.tril(ones, -width)).bool()

def right__exclusive_or(n_tokens, width):
    past = torch.tril(torch.ones(n_tokens, n_tokens, dtype=torch.bool))
    return past ^ past.tril(-width)

def right__row_slices(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, max(0, i + 1 - width) : i + 1] = True
    return mask

def right__ranges(n_tokens, width):
    return torch.tensor([[i - j in range(width) for j in range(n_tokens)] for i in range(n_tokens)])

def right__diagonals_added(n_tokens, width):
    mask = torch.zeros(n_tokens, n_tokens)
    for back in range(min(width, n_tokens)):
        mask = mask + torch.diag(torch.ones(n_tokens - back), -back)
    return mask > 0

def right__looked_up(n_tokens, width):
    seen_at_distance = torch.zeros(2 * n_tokens, dtype=torch.bool)
    seen_at_distance[: min(width, n_tokens)] = True
    positions = torch.arange(n_tokens)
    return seen_at_distance[positions.unsqueeze(1) - positions]

def right__unfolded(n_tokens, width):
    # One line, read through a window that moves back by one for each query.
    line = torch.cat([torch.ones(n_tokens), torch.zeros(n_tokens - 1)])
    line[: max(n_tokens - width, 0)] = 0
    return line.unfold(0, n_tokens, 1).flip(0).bool()

def right__earlier_helpers(n_tokens, width):
    seen = causal_mask(n_tokens)
    return seen & ~causal_mask(n_tokens).tril(-width)

def odd__numpy(n_tokens, width):
    """Made by NumPy's `tri`, twice."""
    return torch.from_numpy(np.tri(n_tokens, dtype=bool) & ~np.tri(n_tokens, k=-width, dtype=bool))

def odd__renamed(n, w, device="cpu"):
    """Other names, a keyword of its own, and a transposed view."""
    t = torch.arange(n, device=device)
    return torch.logical_and(t >= t[:, None], t < t[:, None] + w).T

def wrong__window_both_sides__1(n_tokens, width):
    t = torch.arange(n_tokens)
    return (t[:, None] - t).abs() < width

wrong__causal_strict__1 = change(right__comparisons, ("- j >= 0", "- j > 0"))
wrong__causal_strict__2 = change(right__tril_triu, ("()", "(-1)"))
wrong__causal_off_by_one__1 = change(right__comparisons, ("- j >= 0", "- j >= -1"))
wrong__causal_off_by_one__2 = change(right__row_slices, (": i + 1", ": i + 2"))
wrong__window_off_by_one__1 = change(right__comparisons, ("j < width", "j <= width"))
wrong__window_off_by_one__2 = change(right__tril_triu, ("1 - width", "-width"))
# One key too few.
wrong__window_off_by_one__3 = change(right__ranges, ("i - j in range(width)", "0 <= i - j < width - 1"))
wrong__window_off_by_one__4 = change(right__exclusive_or, ("^ past.tril(-width)", "& ~past.tril(-(width - 1))"))
wrong__window_both_sides__2 = change(right__tril_triu, ("()", "(width - 1)"))
# The keys that follow, in place of those before.
wrong__causal_upper__1 = change(right__tril_triu, (".tril().triu(1 - width)", ".triu().tril(width - 1)"))
# True on what is to be blocked, by loops.
wrong__mask_inverted__1 = change(right__ranges, ("i - j in range(width)", "not 0 <= i - j < width"))

def natural__window_off_by_one__2(n_tokens, width):
    causal = torch.tril(torch.ones(n_tokens, n_tokens))
    band = torch.triu(torch.ones(n_tokens, n_tokens), diagonal=-width)
    return (causal * band).bool()

natural__causal_strict__1 = change(right__row_slices, ("(0, i + 1 - width) : i + 1", "(0, i - width + 1) : i"))
natural__window_off_by_one__1 = change(right__row_slices, ("0, i + 1", "0, i"))
natural__window_both_sides__1 = change(natural__causal_strict__1, (": i", ": i + width"))

def extra__window_ignored__aranges(n_tokens, width):
    """The past without an end: the other condition can never fail."""
    t = torch.arange(n_tokens)
    return (t[:, None] >= t) & (t[:, None] - t < n_tokens + width)

def extra__mask_to_be_added(n_tokens, width):
    """0 and -inf, to be added to the scores."""
    allowed = torch.ones(n_tokens, n_tokens, dtype=torch.bool).tril().triu(1 - width)
    return torch.zeros(n_tokens, n_tokens).masked_fill(~allowed, -torch.inf)

# The width keys before the query, without its own.
extra__causal_strict__moved = change(wrong__causal_strict__1, ("[None, :]", ""), ("j < width", "j <= width"))
# The window moved one into the future, its width kept.
extra__causal_off_by_one__moved = change(
    right__comparisons, ("[None, :]", ""), ("- j >= 0", "- j >= -1"), ("j < width", "j < width - 1"),
)
# Half of the width on either side.
extra__centred = change(wrong__window_both_sides__1, ("() < width", "() <= width // 2"))
# A causal mask without a window.
extra__window_ignored = change(right__tril_triu, ("().triu(1 - width)", "()"))
# True on what is to be blocked.
extra__outside_the_window = change(
    right__comparisons, ("[None, :]", ""),
    ("(i - j >= 0) & (i - j < width)", "~((i - j >= 0) & (i - j < width))"),
)
# The past that the window leaves out.
extra__past_beyond_the_window = change(right__tril_triu, ("().triu(1 - width)", "(-width)"))
# The sequence cut in blocks of the width: each sees the past of its own block.
extra__blocks = change(extra__window_ignored__aranges, ("- t < n_tokens +", "// width == t //"))
# A slice that starts below 0 counts from the end: the first rows are empty.
wrong__slice_before_start__1 = change(right__row_slices, ("i, max(0, i + 1 - width)", "i, i + 1 - width"))
# An error where the window is wider than the sequence is long.
extra__width_past_the_end = change(
    right__diagonals_added, ("min(width, n_tokens)", "width"), ("= mask +", "+="), ("mask > 0", "mask.bool()"),
)
# `|` where `&` was meant: everything is allowed.
extra__or_for_and = change(right__comparisons, ("[None, :]", ""), ("(i - j >= 0) &", "(i - j >= 0) |"))
# Ones and zeros as floating-point numbers.
extra__wrong_dtype__float = change(right__tril_triu, (", dtype=torch.bool", ""))
# A NumPy array, not a tensor.
extra__numpy_array = change(odd__numpy, ("torch.from_numpy(", ""), ("dtype=bool))", "dtype=bool)"))
# A batch axis that nobody asked for.
extra__batch_axis_added = change(right__tril_triu, ("n_tokens, n_tokens", "1, n_tokens, n_tokens"))
# (1 - mask) times a large negative number.
extra__mask_to_be_added__product = change(
    extra__wrong_dtype__float, ("return torch", "return (1 - torch"), ("(1 - width)", "(1 - width)) * -1e9"),
)
# Blocks of the width, in loops: each query sees from the start of its block to itself.
extra__window_in_blocks__loops = change(right__row_slices, ("max(0, i + 1 - width)", "i - i % width"))
# i and j exchanged: the next keys, not the last.
extra__causal_upper__loops = change(right__ranges, ("i - j in range(width)", "0 <= j - i < width"))
# Every key of the future, and a bound on the past alone.
wrong__window_both_sides__past_bounded = change(
    right__comparisons, ("(i - j >= 0) & (i - j < width)", "i - j < width")
)

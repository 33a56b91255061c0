"""Answers to the practice `mended(n_tokens, n_trained)` of notebook 11."""

import numpy as np
import torch

from course_attention.mechanisms.masking import causal_mask, document_mask, window_mask
from tests.corpus import change

def right__window(n_tokens, n_trained):
    return window_mask(n_tokens, n_trained)

def right__comparisons(n_tokens, n_trained):
    place = torch.arange(n_tokens)
    away = place[:, None] - place
    return (away >= 0) & (away < n_trained)

# Pieces that do not see one another.
def right__pieces(n_tokens, n_trained):
    piece = torch.arange(n_tokens) // n_trained
    return causal_mask(n_tokens) & (piece[:, None] == piece)

def right__documents(n_tokens, n_trained):
    return document_mask(torch.arange(n_tokens) // n_trained)

def right__loop(n_tokens, n_trained):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, max(0, i - n_trained + 1) : i + 1] = True
    return mask

def right__triangles(n_tokens, n_trained):
    return torch.ones(n_tokens, n_tokens).bool().tril().triu(1 - n_trained)

# The pieces are counted from the end, so that the first one is the short one.
def right__pieces_from_the_end(n_tokens, n_trained):
    piece = torch.arange(n_tokens).flip(0) // n_trained
    return causal_mask(n_tokens) & (piece[:, None] == piece)

# The same comparisons by functions.
def odd__functions(n_tokens, n_trained):
    place = torch.arange(n_tokens)
    near = torch.le(torch.sub(place.unsqueeze(1), place), n_trained - 1)
    return torch.logical_and(near, causal_mask(n_tokens))

# The start of the cell in the notebook that this task was once.
wrong__mended_still_all_keys__1 = change(right__window, ("window_mask(n_tokens, n_trained)", "causal_mask(n_tokens)"))
wrong__mended_still_all_keys__2 = change(right__comparisons, (" & (away < n_trained)", ""))
wrong__mended_too_wide__1 = change(
    right__window, ("window_mask(n_tokens, n_trained)", "window_mask(n_tokens, 2 * n_trained)")
)
wrong__mended_too_wide__2 = change(right__loop, ("i - n_trained + 1", "i - 2 * n_trained + 1"))
# "The distance may be that of the training's length."
wrong__mended_one_too_far__1 = change(right__comparisons, ("away < n_trained", "away <= n_trained"))
wrong__mended_one_too_far__2 = change(right__loop, ("i - n_trained + 1", "i - n_trained"))
wrong__mended_one_too_far__3 = change(right__triangles, ("1 - n_trained", "-n_trained"))
# To be on the safe side.
wrong__mended_narrower_than_needed__1 = change(
    right__window, ("window_mask(n_tokens, n_trained)", "window_mask(n_tokens, n_trained // 2)")
)
wrong__mended_narrower_than_needed__2 = change(
    right__window, ("window_mask(n_tokens, n_trained)", "window_mask(n_tokens, n_trained - 1)")
)
wrong__mended_few_keys__1 = change(
    right__comparisons,
    ("(away < n_trained)", "((away < n_trained // 2) | (away >= n_trained) & (away < n_trained + n_trained // 2))"),
)
wrong__mended_future__1 = change(right__comparisons, ("(away >= 0) & (away < n_trained)", "away < n_trained"))
wrong__mended_future__2 = change(right__comparisons, ("(away >= 0) & (away < n_trained)", "away.abs() < n_trained"))
# The pieces are apart, and nothing keeps them causal.
wrong__mended_future__3 = change(right__pieces, ("causal_mask(n_tokens) & ", ""))
# The difference the other way round.
wrong__mended_only_future__1 = change(right__comparisons, ("place[:, None] - place", "place - place[:, None]"))
wrong__mended_without_itself__1 = change(right__comparisons, ("away >= 0", "away > 0"))
wrong__mended_without_itself__2 = change(right__loop, ("i - n_trained + 1) : i + 1", "i - n_trained) : i"))
wrong__mended_only_itself__1 = change(right__window, ("window_mask(n_tokens, n_trained)", "torch.eye(n_tokens).bool()"))
wrong__mended_last_keys__1 = change(
    right__pieces, ("piece[:, None] == piece", "torch.arange(n_tokens) >= n_tokens - n_trained")
)
wrong__mended_first_keys__1 = change(right__pieces, ("piece[:, None] == piece", "torch.arange(n_tokens) < n_trained"))
# True on what is to be blocked.
wrong__mended_far_keys__1 = change(
    right__comparisons, ("return (away >= 0) & (away < n_trained)", "return away >= n_trained")
)
wrong__mended_far_keys__2 = change(right__window, ("window_mask", "~window_mask"))

# Slices that begin before the text.
wrong__mended_from_behind__1 = change(right__loop, ("max(0, i - n_trained + 1)", "i - n_trained + 1"))
# A mask of numbers.
wrong__mended_numbers__1 = change(right__triangles, (".bool()", ""))
wrong__mended_numbers__2 = change(right__loop, ("torch.bool", "torch.int64"))

# The number of keys is counted from the text and not from the training.
extra__half_of_the_text = change(
    right__window, ("window_mask(n_tokens, n_trained)", "window_mask(n_tokens, n_tokens // 2)")
)
# NumPy has the same functions, and an array has no `.to(device())`.
wrong__mended_array__1 = change(
    right__triangles,
    (
        "torch.ones(n_tokens, n_tokens).bool().tril().triu(1 - n_trained)",
        "np.tri(n_tokens, dtype=bool) & ~np.tri(n_tokens, k=-n_trained, dtype=bool)",
    ),
)
# One sink besides: for late queries it is further away than anything in the training.
extra__sink = change(
    right__window,
    (
        "window_mask(n_tokens, n_trained)",
        "window_mask(n_tokens, n_trained) | (causal_mask(n_tokens) & (torch.arange(n_tokens) < 1))",
    ),
)
# Every second key of a window twice as wide: as many keys, and new distances.
extra__every_second = change(right__comparisons, ("(away < n_trained)", "(away < 2 * n_trained) & (away % 2 == 0)"))
# The first piece is read, and what comes after it is not.
extra__first_piece = change(
    right__comparisons, ("(away < n_trained)", "((place[:, None] < n_trained) | (away == 0))")
)
# The mask of the notebook, whatever is asked.
extra__size_of_the_notebook = change(right__window, ("window_mask(n_tokens, n_trained)", "window_mask(4096, 512)"))

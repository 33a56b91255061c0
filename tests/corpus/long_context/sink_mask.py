"""Answers to `sink_mask(n_tokens, width, n_sinks)` of notebook 11."""

import torch

from course_attention import causal_mask, window_mask
from tests.corpus import change

def right__positions(n_tokens, width, n_sinks):
    i, j = torch.arange(n_tokens)[:, None], torch.arange(n_tokens)
    return (j <= i) & ((i - j < width) | (j < n_sinks))

def right__earlier_helpers(n_tokens, width, n_sinks):
    sinks = torch.arange(n_tokens) < n_sinks
    return window_mask(n_tokens, width) | (sinks & causal_mask(n_tokens))

def right__columns_filled(n_tokens, width, n_sinks):
    mask = torch.ones(n_tokens, n_tokens, dtype=torch.bool).triu(1 - width)
    mask[:, :n_sinks] = True
    return mask.tril()

def right__loops(n_tokens: int, width: int, n_sinks: int) -> torch.Tensor:
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        for j in range(i + 1):
            mask[i, j] = i - j < width or j < n_sinks
    return mask

def right__ranges(n_tokens, width, n_sinks):
    seen = [{*range(max(0, i + 1 - width), i + 1), *range(min(n_sinks, i + 1))} for i in range(n_tokens)]
    return torch.tensor([[j in row for j in range(n_tokens)] for row in seen])

def right__blocked(n_tokens, width, n_sinks):
    too_far = torch.ones(n_tokens, n_tokens).tril(-width).bool()
    too_far[:, :n_sinks] = False
    return causal_mask(n_tokens) & ~too_far

def odd__renamed(n, w, s, device=None):
    """Other names, and a keyword of its own."""
    t = torch.arange(n, device=device)
    back = t[:, None] - t
    return torch.where(t < s, back >= 0, (back >= 0) & (back < w))

wrong__sinks_not_causal__1 = change(
    right__positions,
    ("(j <= i) & ((i - j < width) | (j < n_sinks))", "((j <= i) & (i - j < width)) | (j < n_sinks)"),
)
wrong__sinks_not_causal__2 = change(right__earlier_helpers, ("(sinks & causal_mask(n_tokens))", "sinks"))
wrong__sinks_forgotten__1 = change(right__positions, ("((i - j < width) | (j < n_sinks))", "(i - j < width)"))
wrong__sinks_forgotten__2 = change(right__columns_filled, ("    mask[:, :n_sinks] = True\n", ""))
wrong__window_forgotten__1 = change(right__positions, ("((i - j < width) | (j < n_sinks))", "(j < n_sinks)"))
wrong__window_forgotten__2 = change(right__earlier_helpers, ("window_mask(n_tokens, width) | ", ""))
wrong__sinks_within_the_width__1 = change(right__positions, ("j < width", "j < width - n_sinks"))
wrong__sinks_within_the_width__2 = change(right__loops, ("< width", "< width - n_sinks"))
wrong__sinks_off_by_one__1 = change(right__positions, ("j < n_sinks", "j <= n_sinks"))
wrong__sinks_off_by_one__2 = change(right__loops, ("j < n_sinks", "j < n_sinks - 1"))
wrong__window_off_by_one__1 = change(right__positions, ("j < width", "j <= width"))
wrong__window_off_by_one__2 = change(right__blocked, ("tril(-width)", "tril(-width - 1)"))
wrong__window_off_by_one__3 = change(right__loops, ("< width", "< width - 1"))
wrong__sinks_as_queries__1 = change(right__positions, ("j < n_sinks", "i < n_sinks"))
wrong__sinks_as_queries__2 = change(right__columns_filled, ("mask[:, :n_sinks]", "mask[:n_sinks]"))
wrong__window_both_sides__1 = change(right__positions, ("(j <= i) & ((i - j < width)", "(((i - j).abs() < width)"))

def wrong__window_both_sides__2(n_tokens, width, n_sinks):
    mask = torch.ones(n_tokens, n_tokens, dtype=torch.bool).triu(1 - width).tril(width - 1)
    mask[:, :n_sinks] = True
    return mask

wrong__mask_inverted__1 = change(right__positions, ("return ", "return ~(") , ("n_sinks))", "n_sinks)))"))
wrong__mask_inverted__2 = change(right__columns_filled, ("return mask", "return ~mask"))
wrong__mask_to_be_added__1 = change(
    right__columns_filled,
    ("return mask.tril()", "return torch.zeros(n_tokens, n_tokens).masked_fill(~mask.tril(), -torch.inf)"),
)
wrong__mask_to_be_added__2 = change(
    right__columns_filled,
    ("return mask.tril()", "return (1 - mask.tril().float()) * -1e9"),
)
wrong__wrong_dtype__1 = change(right__columns_filled, ("return mask", "return mask.float()"))
wrong__wrong_dtype__2 = change(right__loops, ("return mask", "return mask.int()"))

def extra__last_tokens(n_tokens, width, n_sinks):
    """The last tokens in place of the first."""
    mask = window_mask(n_tokens, width)
    mask[:, n_tokens - n_sinks :] = True
    return mask

wrong__causality_lost__1 = change(right__positions, ("(j <= i) & ", ""))
wrong__causal_strict__1 = change(right__positions, ("(j <= i)", "(j < i)"))
wrong__causality_lost__2 = change(
    right__blocked, ("causal_mask(n_tokens) & ~too_far", "~too_far")
)
wrong__causal_strict__2 = change(right__columns_filled, (".tril()", ".tril(-1)"))
wrong__window_not_yet_full__1 = change(
    right__positions, ("((i - j < width) |", "(((i - j < width) & (i >= width - 1)) |")
)

def wrong__window_not_yet_full__2(n_tokens, width, n_sinks):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, : min(n_sinks, i + 1)] = True
        if i >= width:
            mask[i, i + 1 - width : i + 1] = True
    return mask

# The slice begins before 0, and is empty.
wrong__window_not_yet_full__3 = change(
    wrong__window_not_yet_full__2, ("if i >= width:", "if True:")
)
# Only the window leaves the token itself out.
extra__own_token_as_sink_alone = change(
    right__positions, ("((i - j < width) |", "(((i - j < width) & (j < i)) |")
)

# The rows of the sinks are filled, after the mask was made causal.
wrong__sinks_as_queries__3 = change(
    right__columns_filled,
    ("mask[:, :n_sinks] = True", ""),
    ("mask.tril()", "mask.tril() | (torch.arange(n_tokens) < n_sinks)[:, None]"),
)
# What the sinks add is taken away.
wrong__sinks_blocked__1 = change(right__positions, ("| (j < n_sinks))", "& (j >= n_sinks))"))
# Only tokens that are no sinks see them.
wrong__sinks_for_later_tokens_only__1 = change(right__positions, ("(j < n_sinks)", "(j < n_sinks) & (i >= n_sinks)"))
wrong__sinks_at_the_end__1 = change(right__positions, ("(j < n_sinks)", "(n_tokens - j <= n_sinks)"))
# `&` is taken to come after the comparisons.
wrong__comparison_unbracketed__1 = change(
    right__positions, ("(j <= i) & ((i - j < width) | (j < n_sinks))", "j <= i & (i - j < width) | (j < n_sinks)")
)

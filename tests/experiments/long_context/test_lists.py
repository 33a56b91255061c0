"""The lists of notebook 11 are what they say."""

from __future__ import annotations

import torch

from course_attention.experiments.long_context.lists import N_DIGITS, N_NAMES, NOT_THERE, draw_lists


def test_names_and_answers():
    """Names differ; half of the questions ask for a name of the list, and their answer is its digit."""
    names, digits, asked, answers = draw_lists(1000, 8, torch.Generator().manual_seed(0))
    assert all(len(set(row)) == 8 for row in names.tolist())
    assert names.unique().numel() == N_NAMES and digits.unique().numel() == N_DIGITS
    found = names == asked[:, None]
    is_there = found.any(dim=-1)
    assert 0.4 < is_there.double().mean() < 0.6
    assert (digits[found] == answers[is_there]).all() and (answers[~is_there] == NOT_THERE).all()


def test_one_line():
    """A list may have a single name, and nothing depends on torch's own generator where another is given."""
    once, again = (draw_lists(50, 1, torch.Generator().manual_seed(3)) for _ in range(2))
    assert all((a == b).all() for a, b in zip(once, again, strict=True))
    assert set(once[3].tolist()) > {NOT_THERE}

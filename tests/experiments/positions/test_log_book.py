"""The questions about a log book are what they say."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.positions.log_book import N_DIGITS, N_LETTERS, QUESTIONS, draw_books


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_last() -> None:
    """The target is the digit under the nearest earlier line of the same letter, and −1 where there is none."""
    letters, digits, targets = (t[0].tolist() for t in draw_books("last", 1, 40, generator()))
    for i, target in enumerate(targets):
        earlier = [j for j in range(i) if letters[j] == letters[i]]
        assert target == (digits[earlier[-1]] if earlier else -1)


def test_third_back() -> None:
    """The target is the digit three lines before."""
    _, digits, targets = draw_books("third back", 2, 20, generator())
    assert torch.equal(targets[:, 3:], digits[:, :-3]) and (targets[:, :3] == -1).all()


@pytest.mark.parametrize("question", QUESTIONS)
def test_drawn_evenly(question: str) -> None:
    """Every letter and every digit is about equally frequent, among the targets as well."""
    letters, digits, targets = draw_books(question, 200, 50, generator())
    for numbers, n in ((letters, N_LETTERS), (digits, N_DIGITS), (targets[targets >= 0], N_DIGITS)):
        shares = numbers.flatten().bincount() / numbers.numel()
        assert len(shares) == n and (shares - 1 / n).abs().max() < 0.02


def test_unknown_question() -> None:
    """A question that nobody can answer is refused, with those that there are."""
    with pytest.raises(ValueError, match="one of last, third back; got 'first'"):
        draw_books("first", 1, 5)

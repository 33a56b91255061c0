"""Rotary's scores are one along each diagonal; those of an added encoding are not."""

from __future__ import annotations

import torch

from course_attention.experiments.positions.relative_scores import shifted_scores, spread_along_diagonals


def test_along_diagonals() -> None:
    """Without positions and with rotary nothing changes along a diagonal; with an added encoding much does."""
    torch.manual_seed(0)
    scores = shifted_scores(torch.randn(8).double(), torch.randn(8).double(), 20)
    assert spread_along_diagonals(scores["none"]) < 1e-12 and spread_along_diagonals(scores["rotary"]) < 1e-9
    assert spread_along_diagonals(scores["added"]) > 0.5
    assert scores["rotary"].std() > 0.1  # it is not constant altogether


def test_functions_are_used() -> None:
    """Functions that do nothing leave the scores as they are without positions."""
    query, key = torch.randn(2, 4)
    scores = shifted_scores(query, key, 5, encode=torch.zeros, rotate=lambda x, place: x)
    torch.testing.assert_close(scores["added"], scores["none"])
    torch.testing.assert_close(scores["rotary"], scores["none"])

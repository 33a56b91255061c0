"""Programs ask for what was set, and their answers are what a reader would say."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.linear.assignments import ASKED, N_VARIABLES, draw_programs


@pytest.mark.parametrize(("n_lines", "n_constants"), [(16, 8), (20, 3), (9, 2)])
def test_answers(n_lines: int, n_constants: int) -> None:
    """A question has the latest digit of its name, or −1; a line that sets a name has no target."""
    names, digits, targets = draw_programs(12, n_lines, n_constants, torch.Generator().manual_seed(0))
    assert names.shape == digits.shape == targets.shape == (12, n_lines)
    for program in zip(names.tolist(), digits.tolist(), targets.tolist(), strict=True):
        held: dict[int, int] = {}
        for name, digit, target in zip(*program, strict=True):
            assert target == (held.get(name, -1) if digit == ASKED else -1)
            if digit != ASKED:
                held[name] = digit


def test_constants() -> None:
    """Each constant is set once, in the first half, and asked for once, in the second."""
    names, digits, targets = draw_programs(12, 20, 7, torch.Generator().manual_seed(0))
    for name, digit, target in zip(names, digits, targets, strict=True):
        first, second = name[:10][name[:10] >= N_VARIABLES], name[10:][name[10:] >= N_VARIABLES]
        assert sorted(first.tolist()) == sorted(second.tolist()) and first.unique().numel() == 7
        assert (digit[:10][name[:10] >= N_VARIABLES] != ASKED).all()
        assert (target[10:][name[10:] >= N_VARIABLES] >= 0).all()

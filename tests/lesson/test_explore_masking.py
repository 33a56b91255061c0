"""The mask explorer joins the parts that it is asked for, and follows its controls."""

from __future__ import annotations

import pytest
import torch

from course_attention.lesson.explore_masking import TOKENS, MaskExplorer, build_mask
from course_attention.mechanisms.masking import causal_mask, padding_mask, window_mask

N = len(TOKENS)


@pytest.fixture(scope="module")
def explorer():
    return build_mask()


def test_parts(explorer):
    """Each part blocks what it should, and together they block what any does."""
    whole = torch.ones(N, N, dtype=torch.bool)
    assert torch.equal(explorer.mask(causal=False), whole)
    assert torch.equal(explorer.mask(), causal_mask(N))
    assert torch.equal(explorer.mask(width=3), window_mask(N, 3))
    padded = padding_mask(torch.tensor([5]), N)[0]
    assert torch.equal(explorer.mask(causal=False, length=5), padded.expand(N, N))
    assert torch.equal(explorer.mask(width=2, length=5), window_mask(N, 2) & padded)
    assert torch.equal(explorer.mask(causal=False, width=2), window_mask(N, 2) | ~causal_mask(N))
    assert torch.equal(explorer.mask(moved=1, width=2), window_mask(N + 1, 3)[1:, :-1])


@pytest.mark.parametrize("moved", [-2, -1, 0, 1, 2])
def test_moved(explorer, moved):
    """The diagonal of the causal mask moves by as many places as are asked for."""
    assert torch.equal(explorer.mask(moved=moved), torch.ones(N, N, dtype=torch.bool).tril(moved))


def test_controls_redraw():
    """Each of the five controls changes the picture shown, a mask that blocks everything included."""
    explorer = build_mask()
    *boxes, image = explorer.widget.children
    controls = [cell.children[-1] if hasattr(cell, "children") else cell for box in boxes for cell in box.children]
    seen = [image.value]
    for control, value in zip(controls[::-1], (1, 6, 0, 1, False), strict=True):
        control.value = value
        seen.append(image.value)
    assert len(controls) == 5 and len(set(seen)) == 6
    controls[3].value = 0
    assert image.value not in seen


def test_passed_functions_are_used():
    """The parts are made by the functions handed in."""
    explorer = MaskExplorer(window=lambda n, width: torch.eye(n, dtype=torch.bool))
    assert torch.equal(explorer.mask(width=4), torch.eye(N, dtype=torch.bool))


def test_words_say_who_sees_whom() -> None:
    """The words of the picture have a row of the mask each, and tell two equal words apart."""
    explorer = MaskExplorer()
    assert "near sees old and cats and near. the 4 sees cats and near and the 4." in explorer.alt()
    words = explorer.alt(causal=True, moved=0, width=0, length=1)
    assert "the 0 sees the 0." in words and "it sees the 0." in words
    assert "the 0 sees nothing" in explorer.alt(length=0)

"""The race is fair: the questions are what they say, the schemes differ in positions alone."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.positions.length_extrapolation import (
    SCHEMES,
    PositionFunctions,
    RecallModel,
    draw_lines,
    train_short_test_long,
)


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_last() -> None:
    """The target is the digit under the nearest earlier line of the same letter, and −1 where there is none."""
    letters, digits, targets = (t[0].tolist() for t in draw_lines("last", 1, 40, generator()))
    for i, target in enumerate(targets):
        earlier = [j for j in range(i) if letters[j] == letters[i]]
        assert target == (digits[earlier[-1]] if earlier else -1)


def test_third_back() -> None:
    """The target is the digit three lines before."""
    _, digits, targets = draw_lines("third back", 2, 20, generator())
    assert torch.equal(targets[:, 3:], digits[:, :-3]) and (targets[:, :3] == -1).all()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_sees_the_past_only(scheme: str) -> None:
    """A token's answer does not change with its own digit's successors."""
    model = RecallModel(scheme, n_seeds=2)
    letters, digits, _ = draw_lines("last", 2, 12, generator())
    changed = digits.clone()
    changed[:, 7:] = (changed[:, 7:] + 1) % 10
    with torch.no_grad():
        before, after = model(letters, digits), model(letters, changed)
    torch.testing.assert_close(before[:, :, :7], after[:, :, :7])
    assert (before[:, :, 8:] - after[:, :, 8:]).abs().max() > 1e-3


def test_place() -> None:
    """Rotary answers the same when all positions are moved; learned vectors, moved, give another answer."""
    letters, digits, _ = draw_lines("last", 2, 9, generator())
    turned, learned = RecallModel("rotary"), RecallModel("learned")
    with torch.no_grad():
        before = [model(letters, digits) for model in (turned, learned)]
        turned.functions = PositionFunctions(
            rotary=lambda x, place: PositionFunctions().rotary(x, place + 100)
        )
        learned.learned = learned.learned.roll(-100, 2)
        after = [model(letters, digits) for model in (turned, learned)]
    torch.testing.assert_close(before[0], after[0], rtol=0, atol=1e-3)
    assert (before[1] - after[1]).abs().max() > 0.1


def test_ways_are_used() -> None:
    """The functions handed in are those that are used."""
    letters, digits, _ = draw_lines("last", 1, 6, generator())
    silent = PositionFunctions(
        sinusoidal_encoding=lambda n, d: torch.zeros(n, d),
        relative_bias=lambda table, n, m: torch.zeros(len(table), n, m),
        rotary=lambda x, place: x,
        alibi_bias=lambda h, n, m: torch.zeros(h, n, m),
    )
    plain = RecallModel("none")(letters, digits)
    for scheme in ("sinusoidal", "relative", "rotary", "ALiBi"):
        torch.testing.assert_close(RecallModel(scheme, functions=silent)(letters, digits), plain)
        if scheme != "relative":  # its table starts at 0
            assert (RecallModel(scheme)(letters, digits) - plain).abs().max() > 1e-3


def test_learns() -> None:
    """In a hundred steps “third back” is learned by rotary at length 12, and lost at 96."""
    race = train_short_test_long("rotary", "third back", n_steps=100, n_tokens=12, lengths=(12, 96))
    assert race.at(12).min() > 0.8 and race.at(96).max() < 0.5

"""The measurements of the model card: an n-gram model, functions that the model continues, and the card itself."""

from __future__ import annotations

import sys

import numpy as np
import pytest

evaluation = pytest.importorskip("tools.evaluate_language_model", reason="safetensors is not installed: make .venv/dev")


def test_ngram_probabilities_sum_to_1() -> None:
    """After any context, known or new, the probabilities of all tokens sum to 1."""
    seen = np.random.default_rng(0).integers(0, 5, size=300)
    for context in ([0, 1], [4, 4], [6, 6]):  # 6 has never been seen
        bits = [evaluation.ngram_bits(seen, np.array([*context, token]), 7, order=3)[0] for token in range(7)]
        assert sum(2.0 ** -np.array(bits)) == pytest.approx(1.0)


def test_ngram_learns_a_pattern() -> None:
    """What always follows costs next to nothing, and what never does costs a lot."""
    seen = np.array([0, 1, 2] * 100)
    usual, never = evaluation.ngram_bits(seen, np.array([0, 1, 2]), 3, 3), None
    never = evaluation.ngram_bits(seen, np.array([0, 1, 1]), 3, 3)
    assert usual[0] < 0.1 and never[0] > 5


@pytest.mark.parametrize(
    ("text", "good"),
    [("def f(x):\n    return x\n", True), ("def f(x):\n", False), ("def f(x):\n    return )\n", False)],
)
def test_parses(text: str, good: bool) -> None:
    """A whole function is accepted, one without a body or with a bracket too many is not."""
    assert evaluation.parses(text) is good


def test_card_is_filled_in(tmp_path, monkeypatch) -> None:
    """The measurements stand between the marks, and what stood there is gone; the rest of the card stays."""
    card = tmp_path / "card.md"
    card.write_text(f"# Card\n{evaluation.BEGIN}\nold\n{evaluation.END}\nthe end\n")
    monkeypatch.setattr(evaluation, "table", lambda: "new")
    monkeypatch.setattr(sys, "argv", ["evaluate", "--write", str(card)])
    evaluation.main()
    assert card.read_text() == f"# Card\n{evaluation.BEGIN}\nnew\n{evaluation.END}\nthe end\n"


def test_the_card_has_the_marks() -> None:
    """`docs/language_model.md` can be filled in."""
    card = (evaluation.STORE.parents[2] / "docs" / "language_model.md").read_text(encoding="utf-8")
    assert card.count(evaluation.BEGIN) == card.count(evaluation.END) == 1

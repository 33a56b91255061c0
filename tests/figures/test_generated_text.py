"""What is said stands under who said it."""

from __future__ import annotations

from course_attention.figures.generated_text import generated_text


def test_lines():
    """A column for each name, its lines in order; a long one is cut to the width."""
    axes = generated_text({"one": ["a b .", "c ."], "two": ["x" * 50]}, width=10)
    said = [[text.get_text() for text in ax.texts] for ax in axes]
    titles = [ax.get_title(loc="left") for ax in axes]
    assert titles == ["one", "two"]
    assert said == [["a b .", "c ."], ["x" * 9 + "…"]]

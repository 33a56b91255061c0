"""What `course-attention explain` prints."""

from __future__ import annotations

import pytest

from course_attention import cli
from course_attention.encyclopedia.errors import NoSuchEntry
from course_attention.encyclopedia.page_text import page_text


def test_explain(capsys):
    """The command prints the name, the idea, the code, the smallest case, the symptoms and a test."""
    assert cli.main(["explain", "no-scale"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("no-scale: The scores are not divided by √d_key")
    for part in (
        "In `attention` (notebook 02):",
        "Smallest case:",
        "What one sees:",
        "def test_attention():",
        "It happened:",
    ):
        assert part in printed, part


def test_practice_has_words():
    """A misconception that only practice has is explained in words."""
    assert "It occurs in the practice decode." in page_text("decode-wrong-start")


def test_misspelt(capsys):
    """A name that is not there is answered with those that are near, and with exit code 2."""
    with pytest.raises(NoSuchEntry, match="did you mean mask-inverted"):
        page_text("mask-invertd")
    assert cli.main(["explain", "mask-invertd"]) == 2
    assert "did you mean" in capsys.readouterr().err

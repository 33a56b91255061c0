"""Tests of grading/reading/merge_markers.py."""

from __future__ import annotations

import pytest

from course_attention.grading.reading.merge_markers import cell_marker, first_side


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n", "a\nb\nd\n"),
        ("<<<<<<< HEAD\r\nb\r\n||||||| base\r\nx\r\n=======\r\nc\r\n>>>>>>> other", "b\r\n"),
        ("<<<<<<< A\n1\n=======\n2\n>>>>>>> B\n<<<<<<< A\n3\n=======\n4\n>>>>>>> B\n", "1\n3\n"),
        ("<<<<<<< A\n1\n=======\n2\n", "1\n2\n"),
        ("<<<<<<< A\n1\n", "1\n"),
        (
            "Title\n=======\n<<<<<<< A\n1\n=======\n2\n>>>>>>> B\nTitle\n=======\n",
            "Title\n=======\n1\nTitle\n=======\n",
        ),
        ("Title\n=======\nx <<<<<<< y\n", "Title\n=======\nx <<<<<<< y\n"),
        ("Title\n=======\n", "Title\n=======\n"),
        ("", ""),
    ],
)
def test_first_side(text: str, first: str) -> None:
    """Of each conflict the first side is left; what is behind one without an end, and other rows of "=", stay."""
    assert first_side(text) == first


@pytest.mark.parametrize(
    ("source", "marker"),
    [
        ("<<<<<<< local", "<<<<<<<"),
        ("`=======`", "======="),
        ('<span style="color:red">**>>>>>>> remote**</span>', ">>>>>>>"),
        ("<b>&lt;&lt;&lt;&lt;&lt;&lt;&lt; local</b>", "<<<<<<<"),
        ("Title\n=======", ""),
        ("x << 3", ""),
        ("========", ""),
    ],
)
def test_cell_marker(source: str, marker: str) -> None:
    """A marker that is alone in its cell is known in every dress."""
    assert cell_marker(source) == marker

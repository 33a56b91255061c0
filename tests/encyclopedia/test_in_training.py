"""What a training run showed of a misconception."""

from __future__ import annotations

from course_attention.encyclopedia.entries import entries
from course_attention.encyclopedia.in_training import RIGHT, told, trained
from course_attention.experiments.common.long_runs import long_run

ROWS = long_run("masking", "mistakes_in_training")


def test_the_rows_are_of_misconceptions():
    """Each row is of the right code or of a misconception in an exercise that has it, and each has as many runs."""
    for row in ROWS:
        assert row["misconception"] == RIGHT or row["exercise"] in entries()[row["misconception"]].exercises
    assert {
        len([row for row in ROWS if row["misconception"] == id]) for id in {row["misconception"] for row in ROWS}
    } == {3}


def test_what_is_told():
    """The page gives the figures of the mistake beside those of the right code; without figures it says nothing."""
    right = trained(RIGHT)
    assert right is not None and min(right.sentences) > 0.9
    assert "With the right code" in told("softmax-over-queries")
    assert "has learned to look at the answer" in told("softmax-over-queries")
    assert told("top-p-ignored") == ""

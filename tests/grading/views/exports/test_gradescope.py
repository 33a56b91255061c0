"""Gradescope's results: a test for each exercise, and no score where there is none."""

from __future__ import annotations

import json
from pathlib import Path

from course_attention.grading.views.exports.gradescope import view
from tests.grading.views.made import NOTEBOOK, exercise, record, write


def seen(tmp_path: Path, *several: dict) -> dict:
    (own,) = write(tmp_path, *several)
    return json.loads(view(own))


def test_exercises_are_tests(tmp_path: Path) -> None:
    """Scores in points, the message as text, never as HTML or Markdown."""
    wrong = exercise("mean_attention", "failed", 0.125, message="<b>not</b> *right*")
    found = seen(tmp_path, record("ada", [exercise(), wrong]))
    assert found["score"] == 4.5 and found["test_output_format"] == found["test_name_format"] == "text"
    assert found["tests"][1] == {
        "name": f"{NOTEBOOK}: mean_attention",
        "score": 0.5,
        "max_score": 4.0,
        "status": "failed",
        "output": "<b>not</b> *right*",
    }


def test_ungraded_has_no_score(tmp_path: Path) -> None:
    """A notebook that cannot be read has neither score nor maximum; alone, it leaves the whole without."""
    found = seen(tmp_path / "a", record("ada", notes=["cut off half-way"]))
    assert "score" not in found
    assert found["tests"] == [
        {"name": NOTEBOOK, "output": "Not graded: cannot be read as this notebook.\ncut off half-way"}
    ]
    both = [record("ada"), record("ada", [exercise("softmax")], notebook="00_start_here")]
    assert seen(tmp_path / "b", *both)["score"] == 4.0

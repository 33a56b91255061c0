"""What an answer returned and raised is cut to a bounded size before it is stored."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from course_attention.course.cells import course_notebook, course_stems
from course_attention.exercises import CATALOGUE
from course_attention.grading.run.results import result_files, verdict_record
from course_attention.judging.verdict import Example, Verdict

EXERCISE = CATALOGUE["softmax"].exercise
LONG = "\0\ud800" * 1_000_000  # six bytes for each character, where JSON is written
EXAMPLE = Example("title", {"scores": np.eye(2)}, "weights", np.eye(2), np.eye(2), (0, 0), "a note")
VERDICT = Verdict("softmax", "failed", 0.0, 3.0, None, "message", "idea", "explanation", EXAMPLE)


@pytest.mark.parametrize(
    "received",
    [
        np.zeros((400_000, 0)),
        np.zeros((1, 400_000, 0)),
        np.zeros((2,) * 15),
        np.zeros(100_000),
        np.full(100_000, np.nan),
        np.zeros((2,) * 12 + (0,)),
    ],
    ids=lambda array: f"{array.shape}",
)
def test_large_array(received: np.ndarray) -> None:
    """An array that is too large to be shown is not stored; what was expected is."""
    details = verdict_record.judged(EXERCISE, replace(VERDICT, example=replace(EXAMPLE, received=received)))["details"]
    assert details["example"]["received"] is None and details["example"]["where"] is None
    assert details["example"]["expected"] == [[1.0, 0.0], [0.0, 1.0]]


def test_ordinary_example() -> None:
    """An example of an ordinary size is stored whole, and so are texts."""
    details = verdict_record.judged(EXERCISE, VERDICT)["details"]
    assert details["example"]["received"] == [[1.0, 0.0], [0.0, 1.0]]
    assert (details["idea"], details["explanation"], details["example"]["note"]) == (
        "idea",
        "explanation",
        "a note",
    )


@pytest.mark.parametrize("number", [10**4000, -(10**30), 2**62], ids=["4000 digits", "negative", "one word"])
def test_huge_integer(number: int) -> None:
    """An integer of thousands of digits is stored as a number that JSON readers can read."""
    stored = verdict_record.judged(EXERCISE, replace(VERDICT, example=replace(EXAMPLE, received=number)))
    assert len(json.dumps(stored["details"]["example"]["received"])) < 30


def test_largest_result(tmp_path: Path) -> None:
    """A result in which everything is as long as it can be has a file of at most the size that is promised."""
    verdict = replace(
        VERDICT,
        message=LONG,
        idea=LONG,
        explanation=LONG,
        example=replace(EXAMPLE, note=LONG, received=np.full((2, 1900), -1e-300), inputs={"x": np.ones(3000)}),
    )
    stem = max(course_stems(), key=lambda stem: len(course_notebook(stem).exercises))
    exercises = [
        verdict_record.with_code(verdict_record.judged(CATALOGUE[name].exercise, verdict), LONG)
        for name in course_notebook(stem).exercises
    ]
    record = {"schema": result_files.SCHEMA, "notes": [LONG] * 5_000, "exercises": exercises}
    path = tmp_path / "result.json"
    result_files.write(path, record)
    assert result_files.LARGEST / 4 < path.stat().st_size <= result_files.LARGEST
    stored = result_files.read(path)
    assert [entry["name"] for entry in stored["exercises"]] == list(course_notebook(stem).exercises)
    assert stored["notes"][-1] == "and 4900 more notes"


def test_ordinary_result_is_stored_whole(tmp_path: Path) -> None:
    """Nothing is cut of a result of an ordinary size."""
    record = {
        "schema": result_files.SCHEMA,
        "notes": ["a note"] * 20,
        "exercises": [verdict_record.judged(EXERCISE, VERDICT)],
    }
    result_files.write(tmp_path / "result.json", record)
    assert result_files.read(tmp_path / "result.json") == record

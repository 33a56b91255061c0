"""One student's results as Gradescope's autograder reports them: a test for each exercise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from course_attention.grading.views.results import Result
from course_attention.grading.views.wording import not_graded


def view(own: Sequence[Result]) -> str:
    """The text of `results.json`. Where nothing is graded it has no score, which is not a score of 0."""
    tests = [test for one in own for test in _tests(one)]
    scores = [one.points for one in own if one.points is not None]
    score = {"score": round(sum(scores), 2)} if scores else {}
    late = [f"{one.label}: {one.lateness.sentence}" for one in own if one.lateness and one.lateness.sentence]
    told = {"output": "\n".join(late)} if late else {}
    whole = {
        **score,
        **told,
        "visibility": "visible",
        "test_output_format": "text",
        "test_name_format": "text",
    }
    return json.dumps({**whole, "tests": tests}, indent=1, ensure_ascii=False) + "\n"


def _tests(one: Result) -> list[dict[str, Any]]:
    record = one.record
    if record["score"] is None:
        notes = record["student_notes"]
        return [{"name": one.label, "output": "\n".join([not_graded(record["status"]) + ".", *notes])}]
    return [_test(one.label, exercise) for exercise in record["exercises"]]


def _test(notebook: str, exercise: Mapping[str, Any]) -> dict[str, Any]:
    test = {"name": f"{notebook}: {exercise['name']}", "output": exercise["message"]}
    if exercise["score"] is None:
        return test
    return {
        **test,
        "score": round(exercise["points"] * exercise["score"], 2),
        "max_score": exercise["points"],
        "status": "passed" if exercise["status"] == "passed" else "failed",
    }

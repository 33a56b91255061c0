"""One student's results as Gradescope's autograder reports them: a test for each exercise."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from course_attention.grading.run.results.submission_record import is_incomplete
from course_attention.grading.views.results import StoredResult
from course_attention.grading.views.wording import not_graded


def view(own: Sequence[StoredResult], unread: float | None = None, remark: str = "") -> str:
    """Return the text of `results.json`.

    Args:
        own: a student's results.
        unread: the score of a notebook that cannot be read. Gradescope's autograder must state one, and states 0;
            elsewhere such a notebook has no score, which is not a score of 0.
        remark: on the whole, for the student.
    """
    tests = [test for one in own for test in _tests(one, unread)]
    scores = [_score(one, unread) for one in own]
    late = [f"{one.label}: {one.lateness.sentence}" for one in own if one.lateness and one.lateness.sentence]
    told = [remark, *late] if remark else late
    return _whole([score for score in scores if score is not None], tests, told)


def nothing(why: str) -> str:
    """Return the text of `results.json` of a student who handed in no notebook."""
    return _whole([0.0], [{"name": "Notebooks", "score": 0.0, "status": "failed", "output": why}])


def _whole(scores: Sequence[float], tests: Sequence[Mapping[str, Any]], said: Sequence[str] = ()) -> str:
    score = {"score": round(sum(scores), 2)} if scores else {}
    told = {"output": "\n".join(said)} if said else {}
    whole = {
        **score,
        **told,
        "visibility": "visible",
        "test_output_format": "text",
        "test_name_format": "text",
    }
    return json.dumps({**whole, "tests": tests}, indent=1, ensure_ascii=False) + "\n"


def _tests(one: StoredResult, unread: float | None) -> list[dict[str, Any]]:
    record = one.record
    if record["score"] is None:
        said = "\n".join([not_graded(record["status"]) + ".", *record["student_notes"]])
        score = {} if unread is None else {"score": unread, "status": "failed"}
        return [{"name": one.label, **score, "output": said}]
    return [_test(one.label, exercise, not is_incomplete(record)) for exercise in record["exercises"]]


def _score(one: StoredResult, unread: float | None) -> float | None:
    """Return a notebook's points; None where the grader itself failed at an exercise: the rest would be added up."""
    if is_incomplete(one.record):
        return None
    return unread if one.record["score"] is None else one.points


def _test(notebook: str, exercise: Mapping[str, Any], graded: bool) -> dict[str, Any]:
    test = {"name": f"{notebook}: {exercise['name']}", "output": exercise["message"]}
    if not graded:
        return test
    return {
        **test,
        "score": round(exercise["points"] * exercise["score"], 2),
        "max_score": exercise["points"],
        "status": "passed" if exercise["status"] == "passed" else "failed",
    }

"""Makes a submission's result: graded, unreadable, or not judged because the grader itself failed."""

from collections.abc import Mapping, Sequence
from typing import Any

import course_attention
from course_attention.course.cells import CourseNotebook, course_notebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import fingerprint, verdict_record
from course_attention.grading.run.results.result_files import SCHEMA

# How a submission can end.
STATUSES = ("graded", "timeout", "out_of_memory", "crashed", "malformed")


def graded(
    submission: Submission,
    seed: int,
    sha256: str,
    exercises: Sequence[Mapping[str, Any]],
    notes: Sequence[str],
    seconds: float,
    instructor_notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Make the result of a submission from the entries of its exercises. The score is that of those judged.

    The result's `notes` are all notes, as the instructor reads them; `student_notes` are those for the student too.
    """
    judged = [entry for entry in exercises if entry["score"] is not None]
    status = _status(exercises)
    earned = round(sum(entry["points"] * entry["score"] for entry in judged), 2)
    score = None if status == verdict_record.NOT_JUDGED else earned
    return _result(submission, seed, sha256, status, score, exercises, notes, seconds, instructor_notes)


def unread(submission: Submission, seed: int, why: str, sha256: str = "", notes: Sequence[str] = ()) -> dict[str, Any]:
    """Make the result of a submission that cannot be read. It has no score, which is not the same as 0."""
    return _result(submission, seed, sha256, "malformed", None, [], [why, *notes])


def not_judged(submission: Submission, seed: int, why: str) -> dict[str, Any]:
    """Make the result of a submission at which the grader itself failed. It has no score, which is not a score of 0."""
    notebook = course_notebook(submission.notebook)
    exercises = [verdict_record.not_judged(CATALOGUE[name]) for name in notebook.exercises] if notebook else []
    return _result(submission, seed, "", verdict_record.NOT_JUDGED, None, exercises, [why])


def is_incomplete(record: Mapping[str, Any]) -> bool:
    """Say whether the grader itself failed at a submission, or at any exercise of it."""
    entries = [record, *record["exercises"]]
    return any(entry["status"] == verdict_record.NOT_JUDGED for entry in entries)


def _result(
    submission: Submission,
    seed: int,
    sha256: str,
    status: str,
    score: float | None,
    exercises: Sequence[Mapping[str, Any]],
    notes: Sequence[str],
    seconds: float = 0.0,
    instructor_notes: Sequence[str] = (),
) -> dict[str, Any]:
    notebook = course_notebook(submission.notebook)
    entries = [_with_fingerprint(entry) for entry in exercises]
    return {
        "schema": SCHEMA,
        "student": submission.student,
        "notebook": submission.notebook,
        "assignment": submission.assignment,
        "submitted": submission.submitted,
        "status": status,
        "score": score,
        "max_score": _points(notebook, entries) if notebook else None,
        "seed": seed,
        "source_sha256": sha256,
        "package_version": course_attention.__version__,
        "fingerprint": _fingerprint(submission.notebook, entries),
        "decided_by": fingerprint.parts_of_notebook(submission.notebook),
        "seconds": seconds,
        "notes": [*notes, *instructor_notes],
        "student_notes": list(notes),
        "exercises": entries,
    }


def _with_fingerprint(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say what decided an exercise's mark. A verdict that stays from a former result says so already."""
    if "fingerprint" in entry:
        return entry
    name = entry["name"]
    parts = fingerprint.parts_of_exercise(name)
    return {**entry, "fingerprint": fingerprint.of_exercise(name), "decided_by": parts}


def _fingerprint(stem: str, entries: Sequence[Mapping[str, Any]]) -> str:
    if not entries:
        return fingerprint.of_notebook(stem)
    return fingerprint.of_result(stem, [entry["fingerprint"] for entry in entries])


def _points(notebook: CourseNotebook, entries: Sequence[Mapping[str, Any]]) -> float:
    """Return what can be earned. A verdict that stays, although the points have changed since, keeps its points."""
    return sum(entry["points"] for entry in entries) or sum(CATALOGUE[name].points for name in notebook.exercises)


def _status(exercises: Sequence[Mapping[str, Any]]) -> str:
    """Return "graded" where at least one exercise was judged, else how the first one was lost, or "not_judged"."""
    tried = [entry["status"] for entry in exercises if entry["status"] != "not_attempted"]
    if not tried or not set(tried) <= {*verdict_record.LOST, verdict_record.NOT_JUDGED}:
        return "graded"
    return verdict_record.NOT_JUDGED if verdict_record.NOT_JUDGED in tried else tried[0]

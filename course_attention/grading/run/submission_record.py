"""Makes a submission's result: graded, unreadable, or lost with the grader's own process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import course_attention
from course_attention.course.cells import CourseNotebook, course_notebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run import fingerprint, verdict_record
from course_attention.grading.run.result_files import SCHEMA

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
    """Make the result of a submission from the entries of its exercises.

    The result's `notes` are all notes, as the instructor reads them; `student_notes` are those for the student too.
    """
    score = round(sum(entry["points"] * entry["score"] for entry in exercises), 2)
    status = _status(exercises)
    return _result(submission, seed, sha256, status, score, exercises, notes, seconds, instructor_notes)


def unread(
    submission: Submission, seed: int, why: str, sha256: str = "", notes: Sequence[str] = ()
) -> dict[str, Any]:
    """Make the result of a submission that cannot be read. It has no score, which is not the same as 0."""
    return _result(submission, seed, sha256, "malformed", None, [], [why, *notes])


def lost(submission: Submission, seed: int, why: str) -> dict[str, Any]:
    """Make the result of a submission at which the grader's own process ended or failed."""
    notebook = course_notebook(submission.notebook)
    exercises = (
        [verdict_record.lost(CATALOGUE[name], "crashed") for name in notebook.exercises] if notebook else []
    )
    return _result(submission, seed, "", "crashed", 0.0, exercises, [why])


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
    return {
        "schema": SCHEMA,
        "student": submission.student,
        "notebook": submission.notebook,
        "assignment": submission.assignment,
        "submitted": submission.submitted,
        "status": status,
        "score": score,
        "max_score": _points(notebook) if notebook else None,
        "seed": seed,
        "source_sha256": sha256,
        "package_version": course_attention.__version__,
        "fingerprint": fingerprint.of_notebook(submission.notebook),
        "seconds": seconds,
        "notes": [*notes, *instructor_notes],
        "student_notes": list(notes),
        "exercises": [
            {**entry, "fingerprint": fingerprint.of_exercise(entry["name"])} for entry in exercises
        ],
    }


def _points(notebook: CourseNotebook) -> float:
    return sum(CATALOGUE[name].points for name in notebook.exercises)


def _status(exercises: Sequence[Mapping[str, Any]]) -> str:
    """Return "graded" where at least one exercise was judged, else how the first one was lost."""
    ends = [entry["status"] for entry in exercises]
    unjudged = [end for end in ends if end in verdict_record.LOST]
    tried = [end for end in ends if end != "not_attempted"]
    return unjudged[0] if unjudged and len(unjudged) == len(tried) else "graded"

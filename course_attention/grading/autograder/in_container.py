"""Grades one submission in Gradescope's container, and writes the `results.json` that Gradescope reads."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from course_attention.course.whole_files import write_whole
from course_attention.grading.errors import CannotGrade
from course_attention.grading.intake.arrange import arrange
from course_attention.grading.intake.export import Found, opened
from course_attention.grading.intake.layouts import Layout, Owner
from course_attention.grading.marking.late_rules import LateRules
from course_attention.grading.run.grade_class import grade
from course_attention.grading.views.exports import gradescope
from course_attention.grading.views.results import by_student

BEFORE_LATE_RULES = "These are the points that your answers earned, before any rule for late submissions."
_NO_NOTEBOOK = "No notebook was found in what you handed in: no file in it is called {name}.ipynb."


def grade_submission(
    submission: Path, out: Path, settings: Path, on_notice: Callable[[str], None] | None = None
) -> None:
    """Grade what one student handed in.

    Gradescope asks for a score of everything that was handed in: what cannot be read as a notebook of the course, or
    holds none, has a score of 0 and says why. Where the grader itself fails there is no file, and Gradescope tells the
    instructor that the autograder failed.

    No late rule is applied, not the course's either, and the student is told so. The assignment's due date and the
    extensions of single students stand in Gradescope, where the course's rule knows nothing of them.

    Args:
        submission: the folder of what was handed in.
        out: the file to write.
        settings: the autograder's seed, isolation and timeout, see `archive`.
        on_notice: called with each line that an instructor should read.

    Raises:
        CannotGrade: it cannot be graded here, or the grader itself failed at an answer.
        OSError: a file cannot be read or written.
    """
    asked = json.loads(settings.read_bytes())
    with tempfile.TemporaryDirectory(prefix="gradescope-") as place:
        handed_in, results = Path(place, "handed_in"), Path(place, "results")
        handed_in.mkdir()
        with opened(submission) as export:
            arrange(export, Layout("gradescope", _the_students), handed_in)
        if not any(handed_in.iterdir()):
            write_whole(out, gradescope.nothing(_NO_NOTEBOOK).encode())
            return
        done = grade(
            handed_in,
            results,
            seed=asked["seed"],
            isolation=asked["isolation"],
            timeout=asked["timeout"],
            workers=1,
            layout="folder",
            late_rules=LateRules(),
            on_notice=on_notice,
        )
        if done.not_judged:
            raise CannotGrade("the grader itself failed at an answer; its notes say more: run it again")
        (own,) = by_student(results)
        write_whole(
            out,
            gradescope.view(own, unread=0.0, remark=BEFORE_LATE_RULES).encode("utf-8", "backslashreplace"),
        )


def _the_students(found: Found) -> list[Owner]:
    return [Owner("student", frozenset(), found.parts[-1])]

"""Tries a new sandbox with a right answer, so that a fault of this machine stops the run and becomes nobody's mark."""

from dataclasses import replace

from course_attention.course.answer_key import solved
from course_attention.course.cells import asking_stems
from course_attention.course.filling import as_bytes
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.bubblewrap import NoSandbox
from course_attention.grading.sandbox.channel import ChannelClosed
from course_attention.grading.sandbox.sandbox import Sandbox

_SECONDS = 120.0  # for the trial: however short an instructor's time is, it is for the students


def check(sandbox: Sandbox) -> None:
    """Open a session behind all walls, run the course's first notebook, solved, in it, and judge its answers.

    Args:
        sandbox: a new one, whose limits on all but the time hold for the trial as well.

    Raises:
        NoSandbox: a session cannot be opened, or a right answer does not earn all of its points.
    """
    stem = asking_stems()[0]
    trial = Submission.made_here("trial", stem)
    limits = sandbox.limits
    sandbox.limits = replace(
        limits,
        seconds=max(_SECONDS, limits.seconds),
        whole_seconds=None,
        processor_seconds=limits.plain()["cpu_seconds"],
    )
    try:
        record = Grader(sandbox, seed=0).grade(trial, as_bytes(solved(stem)))
    except ChannelClosed:
        raise NoSandbox("nothing can be graded here: the sandbox ends as soon as it is asked to run a cell") from None
    finally:
        sandbox.limits = limits
    if record["score"] != record["max_score"]:
        said = [*record["notes"], *(entry["message"] for entry in record["exercises"])]
        raise NoSandbox(
            f"nothing can be graded here: a right answer, tried first, ends as {record['status']}: {said[0]}"
        )

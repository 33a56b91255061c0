"""The task that a worker runs: it grades one submission, whose bytes come with it, in a sandbox that it keeps."""

import atexit
import os
import threading
from dataclasses import dataclass, field

from course_attention.grading.interrupts import ignore_ctrl_c
from course_attention.grading.reading.limited import NotRead
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.machine.set_up_check import check
from course_attention.grading.run.results import fingerprint
from course_attention.grading.run.results.submission_record import not_judged
from course_attention.grading.run.submission.former_result import FormerResult
from course_attention.grading.run.submission.grader import Grader, GradingOutcome
from course_attention.grading.sandbox.bubblewrap import NoSandbox
from course_attention.grading.sandbox.limits import Device, Isolation, Limits
from course_attention.grading.sandbox.sandbox import Sandbox

_kept = threading.local()  # a worker of a cluster may have several threads, and a sandbox serves one


class OtherCourse(Exception):
    """A worker of a cluster has another state of the course, and would give other marks."""


@dataclass(frozen=True)
class GradingSettings:
    """How submissions are graded; the same for all of a run.

    Attributes:
        seed: draws the cases.
        device: "cpu" or "cuda".
        isolation: "bubblewrap" or "process".
        limits: for each submission.
        course: the fingerprint of the course where the results are written.
    """

    seed: int
    device: Device = "cpu"
    isolation: Isolation = "bubblewrap"
    limits: Limits = field(default_factory=Limits)
    course: str = field(default_factory=fingerprint.of_course)


@dataclass(frozen=True)
class Task:
    """One submission to grade, and what stays of its former result; plain data, to be sent to another machine."""

    submission: Submission
    content: bytes
    settings: GradingSettings
    former: FormerResult = field(default_factory=FormerResult)


def run(task: Task) -> GradingOutcome:
    """Run a task, in whatever process and thread, and keep the sandbox for the next one.

    A new sandbox is tried first, with a right answer: a fault of this machine is to be told before it costs a mark.

    Raises:
        NoSandbox: submissions cannot be isolated, run or judged here.
        OtherCourse: the course here is not that of whom the task comes from. Nothing else is raised, so that a class
            is graded to its end.
    """
    settings = task.settings
    if settings.course != fingerprint.of_course():
        raise OtherCourse(
            f"the course there has the fingerprint {fingerprint.of_course()}, the one here {settings.course}: "
            "install the same commit or release on every machine, and for a course of your own set "
            "COURSE_ATTENTION_COURSE there to the same files"
        )
    wanted = (settings.isolation, settings.device, settings.limits)
    if getattr(_kept, "wanted", None) != wanted:
        if getattr(_kept, "sandbox", None) is not None:
            _kept.sandbox.close()
        _kept.sandbox, _kept.wanted = Sandbox(*wanted), None
        atexit.register(_kept.sandbox.close)
        check(_kept.sandbox)
        _kept.wanted = wanted
    try:
        return Grader(_kept.sandbox, settings.seed).run(task.submission, task.content, task.former)
    except NoSandbox:
        raise
    except NotRead as error:
        return GradingOutcome(not_judged(task.submission, settings.seed, f"not graded: {error}"))
    except Exception as error:  # noqa: BLE001 - a fault of the grader's own; the instructor is told
        _kept.sandbox.close()
        why = f"not graded: the grader itself failed with {type(error).__name__}; please report it"
        return GradingOutcome(not_judged(task.submission, settings.seed, why))


def end_with_parent() -> None:
    """Make a local worker end with the process that started it. Each worker calls this first."""
    import multiprocessing
    import signal

    from course_attention.grading.sandbox.worker.namespaces import die_with_parent

    die_with_parent(signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:  # it has ended before the line above
        os._exit(1)
    ignore_ctrl_c()  # it is for the process that started this one

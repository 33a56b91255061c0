"""A submission that keeps every processor busy costs another one no point."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from course_attention.grading.reading.submissions import Submission, find_submissions
from course_attention.grading.run.scheduling import tasks
from course_attention.grading.run.scheduling.cohort import Cohort
from course_attention.grading.run.scheduling.tasks import GradingSettings
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.sandbox import Sandbox
from tests.grading.conftest import FIRST, filled, needs_bubblewrap

_SECONDS = 5.0
# Both are on one processor: how many there are beside it does not count.
_TOGETHER = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
"""
_NOISY = """
for _ in range(50):
    if os.fork() == 0:
        os.setsid()  # the kernel shares the processor between sessions first
        while True:
            pass
while True:
    pass
"""
# It waits a second for a neighbour to be at work, and then needs some of the processor's time: alone a moment, beside
# fifty others fifty times as much.
_HONEST = """
import time
def spin(seconds):
    began, begin = time.monotonic(), time.process_time()
    while time.process_time() - begin < seconds:
        pass
    return time.monotonic() - began
end = time.monotonic() + 1
while time.monotonic() < end and spin(0.01) < 0.1:
    time.sleep(0.1)
spin(0.3)
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""


@needs_bubblewrap
@pytest.mark.journey
@pytest.mark.slow
def test_noisy_neighbour(tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside fifty spinning processes a right answer does not end in time; alone it does, and that counts."""
    for student, answer in {"ada": _HONEST, "mallory": _NOISY}.items():
        (tmp_path / "in" / student).mkdir(parents=True)
        content = filled(FIRST, {"softmax": _TOGETHER + answer})
        (tmp_path / "in" / student / f"{FIRST}.ipynb").write_bytes(content)
    settings = GradingSettings(seed=5, limits=Limits(seconds=_SECONDS))
    first: dict[str, bool] = {}
    with Sandbox(limits=settings.limits) as other:
        # Both stand before the class comes, and their workers wait for each other: the noise is there from the start.
        free, together = [sandbox, other], threading.Barrier(2)
        for one in free:
            monkeypatch.setattr(one, "limits", settings.limits)
            Grader(one, seed=5).grade(Submission.made_here("first", FIRST), filled(FIRST))

        def take_sandbox() -> None:
            tasks._kept.sandbox = free.pop()
            tasks._kept.wanted = settings.isolation, settings.device, settings.limits
            together.wait()

        def watched() -> Any:
            executor = ThreadPoolExecutor(2, initializer=take_sandbox)
            submit = executor.submit

            def noting(function: Any, task: Any) -> Future:
                future = submit(function, task)
                student = task.submission.student
                future.add_done_callback(lambda done: first.setdefault(student, done.result().timed_out))
                return future

            executor.submit = noting
            return executor

        cohort = Cohort(tmp_path / "out", settings, watched, in_flight=4, at_once=2)
        graded = {one.student: record for one, record, _ in cohort.grade(find_submissions(tmp_path / "in"))}
    assert first == {"ada": True, "mallory": True}, "the neighbour was not noisy enough to try anything"
    assert graded["mallory"]["status"] == "timeout"
    assert graded["ada"]["score"] == graded["ada"]["max_score"], graded["ada"]["exercises"]

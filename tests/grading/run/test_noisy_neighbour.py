"""A submission that keeps every processor busy costs another one no point."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from course_attention.grading.reading.submissions import find_submissions
from course_attention.grading.run.cohort import Cohort
from course_attention.grading.run.executors import local
from course_attention.grading.run.tasks import Settings
from course_attention.grading.sandbox.limits import Limits
from tests.grading.conftest import FIRST, filled, needs_bubblewrap

_SECONDS = 8.0
_NOISY = """
import os
for _ in range(40):
    if os.fork() == 0:
        os.setsid()  # the kernel shares the processor between sessions first
        while True:
            pass
while True:
    pass
"""
# It waits a few seconds for a neighbour to be at work, and then needs a second of the processor's time.
_HONEST = """
import time
def spin(seconds):
    began, begin = time.monotonic(), time.process_time()
    while time.process_time() - begin < seconds:
        pass
    return time.monotonic() - began
end = time.monotonic() + 4
while time.monotonic() < end and spin(0.01) < 0.1:
    time.sleep(0.1)
spin(1.0)
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""


@needs_bubblewrap
@pytest.mark.slow
def test_noisy_neighbour(tmp_path: Path) -> None:
    """Beside forty spinning processes a right answer does not end in time; alone it does, and that counts."""
    for student, answer in {"ada": _HONEST, "mallory": _NOISY}.items():
        (tmp_path / "in" / student).mkdir(parents=True)
        added = (
            {"softmax": _NOISY} if answer == _NOISY else None
        )  # twice as long: the workers start one by one
        content = filled(FIRST, {"softmax": answer}, added)
        (tmp_path / "in" / student / f"{FIRST}.ipynb").write_bytes(content)
    settings = Settings(seed=5, limits=Limits(seconds=_SECONDS))
    first: dict[str, bool] = {}
    with local(2) as workers:

        def watched() -> Any:
            executor = workers.executor()
            submit = executor.submit

            def noting(function: Any, task: Any) -> Future:
                future = submit(function, task)
                student = task.submission.student
                future.add_done_callback(lambda done: first.setdefault(student, done.result().timed_out))
                return future

            executor.submit = noting
            return executor

        cohort = Cohort(tmp_path / "out", settings, watched, workers.in_flight, workers.at_once)
        graded = {one.student: record for one, record, _ in cohort.grade(find_submissions(tmp_path / "in"))}
    assert first == {"ada": True, "mallory": True}, "the neighbour was not noisy enough to try anything"
    assert graded["mallory"]["status"] == "timeout"
    assert graded["ada"]["score"] == graded["ada"]["max_score"], graded["ada"]["exercises"]

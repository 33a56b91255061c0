"""A mutant that never ends is ended, however late its loop begins."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from course_attention.execution.local import LocalRunner
from course_attention.exercises import Entry
from course_attention.mutants import fates
from course_attention.mutants.endless_loops import LIMITED, ends_loops
from course_attention.mutants.making import Mutant, bare
from course_attention.mutants.questions import Question, Questions
from course_attention.mutants.right_answer import helper

pytestmark = pytest.mark.skipif(not LIMITED, reason="this system has no timer that counts a process's own seconds")
SOLUTION = helper("causal_mask")
# The seed at which the judge is, for an answer that loops at one of them.
judged_at = [0]


@pytest.fixture
def known_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")  # whose loading must not be what is ended
    judge = Entry.judge

    def noted(self: Any, answer: Any, seed: int = 0, **others: Any) -> Any:
        judged_at[0] = seed
        return judge(self, answer, seed=seed, **others)

    monkeypatch.setattr(Entry, "judge", noted)
    monkeypatch.setattr(fates, "SECONDS", 0.5)


def looping(condition: str) -> Mutant:
    """Return the reference solution, with a loop at its beginning that ends when its condition does."""
    head, rest = bare(SOLUTION.source).split(":\n", 1)
    loop = f"    from {__name__} import judged_at\n    while {condition}:\n        pass\n"
    return Mutant("", f"{head}:\n{loop}{rest}")


@pytest.mark.timeout(120, method="thread")  # an error of the other method would be taken for the answer's own
@pytest.mark.usefixtures("known_seed")
@pytest.mark.parametrize(("seed", "kind"), [(1, "killed"), (max(fates.SEEDS) + 1, "equivalent")])
def test_loop_at_a_later_seed(seed: int, kind: str) -> None:
    """An answer that loops at the second seed alone does not pass, and one that would loop at no seed does."""
    judged_at[0] = 0
    assert fates.fate(SOLUTION, looping(f"judged_at[0] == {seed}")).kind == kind


@pytest.mark.timeout(120)
@pytest.mark.usefixtures("known_seed")
def test_loop_among_other_numbers() -> None:
    """A mutant that loops for inputs that the judge does not draw differs there."""
    for condition, kind in (("True", "survived"), ("False", "equivalent")):
        runner = LocalRunner(SOLUTION.built(looping(condition).source))
        assert fates.differs(SOLUTION, runner).kind == kind


def test_again_and_again() -> None:
    """Whoever swallows the error and loops once more is ended once more."""
    ended = 0
    with ends_loops(0.1):
        while ended < 3:
            try:
                while True:
                    pass
            except TimeoutError:
                ended += 1
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


@pytest.mark.timeout(120, method="signal")
def test_the_alarm_is_others() -> None:
    """The timer of pytest-timeout goes on, within and afterwards."""
    before = signal.getitimer(signal.ITIMER_REAL)[0]
    with ends_loops(30):
        within = signal.getitimer(signal.ITIMER_REAL)[0]
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= within <= before


def _in_a_thread(work: Callable[[], None]) -> list[str]:
    """Return what becomes of work in a thread of its own, as a click on a widget is handled."""
    became: list[str] = []

    def run() -> None:
        try:
            work()
            became.append("done")
        except TimeoutError:
            became.append("ended")

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(timeout=60)
    return became


def test_loop_in_another_thread() -> None:
    """No signal reaches it there, and it is ended all the same, again where it begins anew; what is short is not."""

    def endless() -> None:
        with ends_loops(0.1):
            with contextlib.suppress(TimeoutError):
                while True:
                    pass
            while True:
                pass

    def short() -> None:
        with ends_loops(30):
            sum(range(1000))

    assert _in_a_thread(endless) == ["ended"]
    assert _in_a_thread(short) == ["done"]


TRACED = """
import contextlib, sys, threading
from course_attention.mutants.endless_loops import ends_loops

def endless():
    with contextlib.suppress(TimeoutError), ends_loops(0.1):
        while True:
            pass

for tracing in (sys.settrace, threading.settrace):
    tracing(lambda *seen: None)
for work in (endless, lambda: print("goes on")):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
"""


def test_a_traced_process_goes_on() -> None:
    """After a loop has been ended, a process with a tracer, such as coverage.py's, still computes."""
    run = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout == "goes on\n"


def test_question_in_another_thread() -> None:
    """JupyterLab handles a click in a thread of its own: the next question is drawn there."""
    found: list[Question | None] = []
    questions = Questions(helper("softmax"))
    assert _in_a_thread(lambda: found.append(questions.draw(0))) == ["done"]
    assert found == [Questions(helper("softmax")).draw(0)] and found[0] is not None

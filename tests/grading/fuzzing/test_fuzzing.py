"""Whatever is handed in, and whatever a worker sends: the judge's side raises nothing, in bounded time and memory."""

from __future__ import annotations

import pytest

from tests.grading.fuzzing.fuzzer import fuzz
from tests.grading.fuzzing.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_a_few(target: str) -> None:
    """The first inputs of each target."""
    assert [fault.what for fault in fuzz(2.0, 0, (target,))] == []


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_for_a_minute(target: str) -> None:
    """Many inputs of each target; `python tools/fuzz_grader.py` tries more."""
    assert [fault.what for fault in fuzz(15.0, 1, (target,))] == []


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that raises, or takes too long, is reported with its input."""

    def broken(rng: object) -> tuple:
        return lambda: b"the input", lambda: 1 / 0

    monkeypatch.setitem(TARGETS, "source", broken)
    (fault,) = fuzz(1.0, 0, ("source",), only=3)
    assert "ZeroDivisionError" in fault.what and (fault.number, fault.content) == (3, b"the input")
    monkeypatch.setattr("tests.grading.fuzzing.fuzzer.SECONDS", {"source": -1.0})
    monkeypatch.setitem(TARGETS, "source", lambda rng: (lambda: b"", lambda: None))
    (fault,) = fuzz(1.0, 0, ("source",), only=0)
    assert "seconds" in fault.what

"""Whatever is handed in, and whatever a worker sends: the judge's side raises nothing, in bounded time and memory."""

from __future__ import annotations

from math import inf

import pytest

from tests.grading.fuzzing.fuzzer import fuzz
from tests.grading.fuzzing.targets import TARGETS

# So many inputs of each target take a second or two. They are the same ones on every machine.
FEW = {"reader": 40, "source": 300, "channel": 300, "judge": 8}


@pytest.mark.parametrize("target", TARGETS)
def test_a_few(target: str) -> None:
    """The first inputs of each target."""
    assert [fault.what for fault in fuzz(inf, 0, (target,), range(FEW[target]))] == []


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_for_a_minute(target: str) -> None:
    """As many inputs as a quarter of a minute allows for each target; `python tools/fuzz_grader.py` tries more."""
    assert [fault.what for fault in fuzz(15.0, 1, (target,))] == []


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that raises, or takes too long, is reported with its input."""

    def broken(rng: object) -> tuple:
        return lambda: b"the input", lambda: 1 / 0

    monkeypatch.setitem(TARGETS, "source", broken)
    (fault,) = fuzz(inf, 0, ("source",), [3])
    assert "ZeroDivisionError" in fault.what and (fault.number, fault.content) == (3, b"the input")
    monkeypatch.setattr("tests.grading.fuzzing.fuzzer.SECONDS", {"source": -1.0})
    monkeypatch.setitem(TARGETS, "source", lambda rng: (lambda: b"", lambda: None))
    (fault,) = fuzz(inf, 0, ("source",), [0])
    assert "seconds" in fault.what

"""The measurement of the judge measures what it says; and a sample of it finds no gap."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection

import pytest

from course_attention.execution.local import LocalRunner
from course_attention.exercises import CATALOGUE
from course_attention.judging.prepared import PreparedCase
from course_attention.own_course.endless_loops import LIMITED, ends_loops
from course_attention.own_course.mutants import Mutant, mutants
from tests.mutants.fates import CALLED, Base, all_mutants, bases, fate
from tests.mutants.inputs import cases
from tests.mutants.workers import fates

SAMPLE = 8  # so many mutants of each exercise
LONGEST = 20.0  # seconds that a mutant of the sample may compute


def _made(source: str, tensors: bool = True) -> set[str]:
    return {
        mutant.source.partition("return ")[2]
        for mutant in mutants(f"def f(x, y):\n    return {source}", tensors)
    }


@pytest.mark.parametrize(
    ("source", "mutant"),
    [
        ("x + y", "x - y"),
        ("x - y", "y - x"),
        ("x < y", "x <= y"),
        ("x.sum(-1)", "x.sum(1)"),
        ("x.sum(-1)", "x.sum(-2)"),
        ("x.sum(-1)", "x.sum()"),
        ("x.sum(-1)", "x.mean(-1)"),
        ("x.sum(-1)", "x"),
        ("x.amax(-1, keepdim=True)", "x.amax(-1, keepdim=False)"),
        ("x.amax(-1, keepdim=True)", "x.amin(-1, keepdim=True)"),
        ("f(x, y)", "f(y, x)"),
        ("f(x, y)", "f(x)"),
        ("x @ y.mT", "x.detach() @ y.mT"),
        ("x.reshape(y)", "x.view(y)"),
        ("x[1:]", "x[:]"),
        ("x if y else 1", "x"),
        ("float('-inf')", "float('-1e9')"),
    ],
)
def test_changes(source: str, mutant: str) -> None:
    """The changes that beginners make are among the mechanical ones."""
    assert mutant in _made(source)


def test_numbers_are_not_detached() -> None:
    """What has no gradient is not cut off from it."""
    assert any("detach" in mutant for mutant in _made("x + y"))
    assert not any("detach" in mutant for mutant in _made("x + y", tensors=False))


def test_one_change_at_a_time() -> None:
    """Each text occurs once, and none is the answer itself."""
    source = "def f(x):\n    return x.sum(-1) + 1"
    made = [mutant.source for mutant in mutants(source)]
    assert len(made) == len(set(made)) and source not in made


@pytest.mark.parametrize("name", CALLED)
def test_own_cases_are_right(name: str) -> None:
    """The helper is right in most of the cases that tell mutants apart; where it overflows, none is compared."""
    entry, helper = CATALOGUE[name], bases(name)[-1].built(name)
    runner = LocalRunner(helper, entry.library)
    prepared = [PreparedCase(entry.exercise, case, 0) for case in cases(name, 10)]
    right = [p for p in prepared if not p.differences(runner.observe(p.case.call("cpu")))]
    assert len(right) >= 7


def test_fates() -> None:
    """A mutant is killed, equivalent, or has survived; here the judge is made to look at nothing."""
    base = next(base for base in bases("softmax") if base.label == "right__shift")
    other = base.source.replace("e.sum", "2 * e.sum")
    same = base.source.replace("scores - ", "-1.0 + scores - ")
    assert fate("softmax", base, Mutant("", other), 0)[0] == "killed"
    assert fate("softmax", base, Mutant("", same), 0)[0] == "equivalent"


def test_survivor_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that the judge lets pass has survived where it differs on other inputs."""
    monkeypatch.setattr("tests.mutants.fates.passes", lambda *anything: True)
    base = next(base for base in bases("softmax") if base.label == "right__shift")
    found, where = fate("softmax", base, Mutant("", base.source.replace("e.sum", "2 * e.sum")), 0)
    assert found == "survived" and where.startswith("values")


def test_endless_loop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that never ends is killed, and so is one that ends Python; those after them are looked at."""
    monkeypatch.setattr("tests.mutants.workers.SECONDS", 6)
    found = list(fates("crossover_length", range(4), look=_looks))
    assert [number for number, *_ in found] == [0, 1, 2, 3]
    assert [bool(where) for _, _, where in found] == [False, True, True, False]


def _looks(out: Connection, exercise: str, numbers: Sequence[int]) -> None:
    for number in numbers:
        if number == 1:
            time.sleep(1000)
        if number == 2:
            os._exit(1)
        out.send((number, "killed", ""))


@pytest.mark.skipif(not LIMITED, reason="this system has no timer that counts a process's own seconds")
def test_loop_is_ended() -> None:
    """An answer in an endless loop has raised an error, as far as the judge can see."""
    base = bases("softmax")[-1]
    endless = Mutant("", base.source.replace("    return", "    while True:\n        pass\n    return", 1))
    assert endless.source != base.source
    with ends_loops(0.5):
        assert fate("softmax", base, endless, 0) == ("killed", "")


@pytest.mark.exhaustive
@pytest.mark.skipif(not LIMITED, reason="a mutant that never ends could not be ended here")
@pytest.mark.parametrize("name", CALLED)
def test_sample_is_killed(name: str) -> None:
    """No mutant of a sample passes the judge and differs; `make mutants` looks at all of them."""
    made = all_mutants(name)
    step = max(1, len(made) // SAMPLE)
    found = []
    for seed, (base, mutant) in enumerate(made[::step]):
        with ends_loops(LONGEST):
            found.append(fate(name, base, mutant, seed))
    assert [where for kind, where in found if kind == "survived"] == []


def test_bases_are_bare() -> None:
    """A helper is mutated by itself: its text runs, and its docstring and annotations bring no mutants."""
    helper = bases("attention")[-1]
    assert isinstance(helper, Base) and helper.label == "helper"
    assert not any("Vaswani" in mutant.source for mutant in mutants(helper.source))

"""The measurement of the judge measures what it says; and a sample of it finds no gap."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection

import numpy as np
import pytest

from course_attention.exercises import CATALOGUE, Entry
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.mutants import fates as fates_of
from course_attention.mutants.endless_loops import LIMITED
from course_attention.mutants.fates import SEEDS, fate
from course_attention.mutants.making import Mutant, bare, mutants
from course_attention.mutants.other_cases import DRAWN, other_cases
from course_attention.mutants.right_answer import RightAnswer, helper
from tests.mutants.corpus_answers import CALLED, all_mutants, right_answers
from tests.mutants.workers import fates, where

SAMPLE = 8  # so many mutants of each exercise
EVERY = 4  # of so many exercises, the cases of one are drawn every day


def _made(source: str, tensors: bool = True) -> set[str]:
    return {mutant.source.partition("return ")[2] for mutant in mutants(f"def f(x, y):\n    return {source}", tensors)}


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


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.exhaustive if number % EVERY else []) for number, name in enumerate(CALLED)],
)
def test_helper_is_right_in_other_cases(name: str) -> None:
    """The helper is right in nearly all of the cases that tell mutants apart: the rest are too near to an edge."""
    assert len(fates_of._gradients_of(helper(name))) >= 0.9 * DRAWN


def test_cases_without_shapes() -> None:
    """Where annotations say nothing, the judge's cases are drawn with other numbers."""
    entry = CATALOGUE["softmax"]
    bare_one = Entry(replace(entry.exercise, mutant_inputs={}), entry.topic)
    drawn, redrawn = list(other_cases(entry)), list(other_cases(bare_one))
    assert len(drawn) == DRAWN and drawn[0].title.startswith("other case")
    assert {case.title for case in redrawn} == {p.case.title for p in drawn_cases(bare_one.exercise, 0)}
    first = drawn_cases(bare_one.exercise, 3)[0].case
    assert not np.array_equal(redrawn[0].arguments["scores"].values, first.arguments["scores"].values)


def softmax_by(label: str) -> RightAnswer:
    return next(right for right in right_answers("softmax") if right.label == label)


def changed(right: RightAnswer, old: str, new: str) -> Mutant:
    assert old in right.source
    return Mutant("", right.source.replace(old, new))


def test_fates() -> None:
    """A mutant is killed where it is wrong or cannot be built, and equivalent where it is as right."""
    right = softmax_by("right__shift")
    assert fate(right, changed(right, "e.sum", "2 * e.sum")).kind == "killed"
    assert fate(right, Mutant("", "1 / 0")).kind == "killed"
    assert fate(right, changed(right, "scores - ", "-1.0 + scores - ")).kind == "equivalent"


@pytest.mark.parametrize("name", ["attention_scores", "shift_matrix"])
def test_right_answers_pass(name: str) -> None:
    """What changes nothing is equivalent, whether or not the answer makes tensors."""
    assert {fate(right, Mutant("", bare(right.source)), [0]).kind for right in right_answers(name)} == {"equivalent"}


def test_survivor_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that the judge lets pass has survived where it differs on other inputs, and these are shown."""
    monkeypatch.setattr(fates_of, "passes", lambda *anything: True)
    right = softmax_by("right__shift")
    one = fate(right, changed(right, "e.sum", "2 * e.sum"))
    assert one.kind == "survived" and one.fault.startswith("values")
    assert where(one).startswith("values") and "scores (" in where(one)


def test_endless_loop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that never ends is killed, and so is one that ends Python; those after them are looked at."""
    monkeypatch.setattr("tests.mutants.workers.SECONDS", 2)
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


@pytest.mark.exhaustive
@pytest.mark.skipif(not LIMITED, reason="a mutant that never ends could not be ended here")
@pytest.mark.parametrize("name", CALLED)
def test_sample_is_killed(name: str) -> None:
    """No mutant of a sample passes the judge and differs; `make mutants` looks at all of them."""
    made = all_mutants(name)
    sample = made[:: max(1, len(made) // SAMPLE)]
    found = [fate(*one, seeds=[number % len(SEEDS)]) for number, one in enumerate(sample)]
    assert [where(one) for one in found if one.kind == "survived"] == []


def test_helper_is_mutated_bare() -> None:
    """A helper is mutated by itself: its docstring and annotations bring no mutants."""
    right = right_answers("attention")[-1]
    assert right.label == "helper"
    assert not any("Vaswani" in mutant.source for mutant in mutants(right.source))

"""Answers that are tests themselves: how they are scored, named and shown."""

from __future__ import annotations

import math
import time
from zlib import crc32

import numpy as np
import pytest
import torch

from course_attention import accepts, attention
from course_attention.execution.local import LocalRunner
from course_attention.exercises import CATALOGUE
from course_attention.exercises.slips import candidates
from course_attention.judging import written_test
from course_attention.judging.drawing import Draw

ENTRY = CATALOGUE["accepts"]


def made(source: str):
    names = {"torch": torch}
    exec(source, names)
    return names["attention"]


def verdict(answer, seed: int = 0):
    return ENTRY.judge(answer, seed=seed)


@pytest.mark.parametrize("right", candidates.RIGHT, ids=lambda one: one.does)
def test_right_functions_are_right(right) -> None:
    """The exercise `attention` passes each function that a test is to accept."""
    assert all(CATALOGUE["attention"].judge(made(right.source), seed=seed).status == "passed" for seed in range(3))


@pytest.mark.parametrize("wrong", candidates.WRONG, ids=lambda one: one.does)
def test_wrong_functions_are_wrong(wrong) -> None:
    """The exercise `attention` refuses each function that a test is to refuse."""
    assert CATALOGUE["attention"].judge(made(wrong.source)).status in ("failed", "errored")


@pytest.mark.parametrize("wrong", candidates.WRONG, ids=lambda one: one.does)
def test_witnesses(wrong) -> None:
    """What a card says that a wrong function gives is what it gives, and it is not what is right."""
    witness, results = wrong.witness, []
    for function in (attention, made(wrong.source)):
        given = {
            name: None if value is None else torch.tensor(value, requires_grad=value.dtype.kind == "f")
            for name, value in witness.inputs.items()
        }
        kind, _, name = witness.part.partition(" of ")
        if not kind.startswith("gradient"):
            given = {key: None if one is None else one.detach() for key, one in given.items()}
        output, weights = function(**given)
        name, _, after = witness.part.partition(" ")
        if kind.startswith("gradient"):
            results.append(torch.autograd.grad(output[0].sum(), given["key"], allow_unused=True)[0])
        else:
            results.append(given[name] if after else {"output": output, "weights": weights}[name])
    right, came = results
    if witness.received is None:
        assert came is None and right is not None and right.abs().max() > 0.01
        return
    assert np.allclose(came.numpy(), witness.received, rtol=1e-3, atol=1e-9, equal_nan=True)
    assert np.allclose(right.numpy(), witness.expected)
    assert came.shape != right.shape or not np.allclose(witness.received, witness.expected, rtol=1e-3, atol=1e-7)


def test_every_kind_is_drawn_at_every_seed() -> None:
    """Each thing that a test has to look at is tried at every seed; order and number differ."""
    kinds = {one.hidden_from for one in candidates.WRONG}
    assert kinds < set(ENTRY.misconceptions)
    drawn = [candidates.drawn(Draw(seed)) for seed in range(20)]
    assert all({one.hidden_from for one in some} - {""} == kinds for some in drawn)
    assert len({len(some) for some in drawn}) > 3
    assert len({tuple(one.is_right for one in some) for some in drawn}) == len(drawn)


@pytest.mark.parametrize(("answer", "name"), [(True, "accepts-everything"), (False, "refuses-everything")])
def test_the_same_for_everything_earns_nothing(answer: bool, name: str) -> None:
    """Always True and always False earn nothing, and neither does a coin that falls to one side."""
    found = verdict(lambda attention: answer)
    assert (found.status, found.score, found.misconception) == ("failed", 0.0, name)


def test_the_score_is_a_product() -> None:
    """A test that is wrong about some right functions and some wrong ones earns the product of the two shares."""
    drawn = ENTRY.exercise.candidates(Draw(0, crc32(b"accepts")))
    right = [one for one in drawn if one.is_right]
    wrong = [one for one in drawn if not one.is_right]
    turn = iter(drawn)

    def answer(attention):
        one = next(turn)
        return one in right[1:] or one in wrong[:2]

    found = verdict(answer)
    assert found.score == pytest.approx((len(right) - 1) / len(right) * (len(wrong) - 2) / len(wrong))
    assert dict(found.properties) == {"right functions accepted": False, "wrong functions refused": False}


def test_numpy_bools_count() -> None:
    """NumPy's True and False are as good as Python's."""
    assert verdict(lambda attention: np.bool_(accepts(attention))).status == "passed"


@pytest.mark.parametrize("form", [float, int, torch.tensor, str, lambda told: [told], lambda told: None])
def test_nothing_else_counts(form) -> None:
    """Neither a number nor a tensor, a text, a list or nothing says whether a function is right."""
    found = verdict(lambda attention: form(accepts(attention)))
    assert (found.status, found.score, found.idea) == ("failed", 0.0, "It should return True or False")


def test_raising_is_no_refusal() -> None:
    """Whoever raises for wrong functions has not refused them, and is told so by name."""

    def answer(attention):
        assert accepts(attention)
        return True

    found = verdict(answer)
    assert (found.status, found.score, found.misconception) == ("failed", 0.0, "raises-instead-of-false")


def test_raising_everywhere() -> None:
    """An answer that raises whatever it is given is shown its line."""
    found = verdict(lambda attention: attention(1, 2, 3) and undefined)  # noqa: F821 - what raises is not the point
    assert found.status == "errored"


def test_too_slow(monkeypatch) -> None:
    """An answer that takes longer than it may has said nothing; the first call may take longer, for it imports."""
    monkeypatch.setattr(written_test, "SECONDS", 0.05)

    def spin(seconds):
        began = time.process_time()
        while time.process_time() < began + seconds:
            pass

    slow_once = iter([True])

    def starts_slowly(attention):
        if next(slow_once, False):
            spin(0.1)
        return bool(len(str(attention)))

    def slow(attention):
        spin(0.06)
        return True

    def kept_waiting(attention):
        time.sleep(0.06)
        return True

    assert verdict(starts_slowly).misconception == "accepts-everything"
    assert verdict(kept_waiting).misconception == "accepts-everything"
    assert verdict(slow).idea == "It takes more than 5 seconds for a function"


@pytest.mark.parametrize("answer", [None, ..., lambda attention: ..., LocalRunner(lambda attention: None)])
def test_stubs(answer) -> None:
    """What nobody has worked on is no attempt."""
    assert verdict(answer).status == "not_attempted"


def test_no_function() -> None:
    """What cannot be called is told so."""
    assert verdict(3.0).idea == "accepts should be a function"


def test_functions_cannot_be_told_by_their_looks() -> None:
    """Name, file, documentation and source of all functions are the same."""
    seen = set()

    def answer(attention):
        seen.add((attention.__name__, attention.__qualname__, attention.__module__, attention.__doc__))
        seen.add(attention.__code__.co_filename)
        return True

    verdict(answer)
    assert len(seen) == 2


def test_gradients_are_on() -> None:
    """A test of gradients needs no `enable_grad` of its own."""

    def answer(attention):
        return torch.is_grad_enabled()

    assert verdict(answer).misconception == "accepts-everything"


def test_the_own_helper_passes_at_many_seeds() -> None:
    """The course's own test accepts and refuses what it should, whatever is drawn."""
    assert all(verdict(accepts, seed).status == "passed" for seed in range(10))
    assert not accepts(lambda query, key, value, allowed=None: (query, key))
    assert not accepts(lambda query, key, value, allowed=None: math.nan)

"""What is earned: what was looked at counts, by its weight, and whatever fails earns less than everything."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from course_attention.exercises import CATALOGUE
from course_attention.judging import judge
from course_attention.judging.case import Case
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.preparation import prepared_cases
from course_attention.judging.properties import CONTRACT_WORDS, NEXT, PROPERTIES
from course_attention.judging.scoring import FOLLOW_THROUGH, WEIGHTS, score

CALLED = [entry for entry in CATALOGUE.values() if entry.kind != "value"]


@pytest.mark.parametrize("entry", CALLED, ids=lambda entry: entry.name)
def test_every_property_has_a_weight_and_words(entry) -> None:
    """A property that a case looks at has a weight, words, and words for being named second."""
    cases = {prepared.case.property for prepared in prepared_cases(entry.exercise, 0)}
    assert cases <= WEIGHTS.keys() and cases <= PROPERTIES.keys() and cases <= NEXT.keys()
    assert set(entry.exercise.contract_checks) <= WEIGHTS.keys()
    assert entry.exercise.weights.keys() <= cases
    assert WEIGHTS["dtypes"] < WEIGHTS["mask"] < WEIGHTS["values"] and CONTRACT_WORDS


def test_not_looked_at_does_not_count() -> None:
    """Half of what was looked at is half, whatever was not."""
    held = (("mask", True), ("padding", False), ("gradients", None), ("device", None))
    assert score(held, {"padding": WEIGHTS["mask"]}) == 0.5


def test_shape_alone_is_nothing() -> None:
    """A right shape with every number wrong earns nothing."""
    assert score((("shape", True), ("values", False), ("mask", False)), {}) == 0.0


def test_a_failure_is_never_everything() -> None:
    """Not even where a course gives the property that fails no weight."""
    assert 0.9 < score((("values", True), ("dtypes", False)), {"dtypes": 0.0}) < 1.0


def test_follow_through() -> None:
    """What fails by nothing but the mistake in the plain cases earns a part of its weight."""
    held = (("values", False), ("mask", False))
    assert score(held, {"values": 1.0, "mask": 1.0}, {"mask"}) == FOLLOW_THROUGH / 2


def test_weights_of_an_exercise(weighted: FunctionExercise) -> None:
    """An exercise, and so a course, decides what a property weighs."""

    def right_without_batch(x, weight):
        assert x.ndim == 1
        return x * weight

    generous = replace(weighted, weights={"leading dimensions": 0.1, "dtypes": 0.1})
    assert judge(weighted, right_without_batch).score < judge(generous, right_without_batch).score < 1


def test_half_precision_that_torch_has_not(weighted: FunctionExercise) -> None:
    """Where torch itself refuses bfloat16, that is not looked at, and an answer passes without it."""

    def cases(draw):
        halved = {name: draw.normal(2, dtype="bfloat16") for name in ("x", "weight")}
        return [*weighted.cases(draw), Case("bfloat16", "dtypes", halved)]

    def by_distance(x, weight):
        torch.cdist(x.detach().reshape(-1, 1)[:1], x.detach().reshape(-1, 1)[:1])
        return x * weight

    verdict = judge(replace(weighted, cases=cases), by_distance)
    assert (verdict.status, verdict.score) == ("passed", 1.0), verdict.message


def test_number_of_axes_counts_once(weighted: FunctionExercise) -> None:
    """Code for exactly two axes loses what other numbers of axes are worth, and its numbers count."""

    def two_axes(x, weight):
        rows, columns = x.shape
        return x * weight.expand(rows, columns)

    verdict = judge(weighted, two_axes)
    assert verdict.status == "errored" and "`x.shape[-1]` is always the last" in verdict.explanation
    assert dict(verdict.properties)["values"] is True
    assert dict(verdict.properties)["leading dimensions"] is False
    wrong = judge(weighted, lambda x, weight: two_axes(x, weight) * 1.5)
    assert wrong.score == 0.0

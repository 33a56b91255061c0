"""What is earned: what was looked at counts, by its weight, and whatever fails earns less than everything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from course_attention.execution.protocol import Array
from course_attention.exercises import CATALOGUE
from course_attention.judging import judge, properties
from course_attention.judging.case import Case
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.properties import MASK, VALUES, Property
from course_attention.judging.scoring import FOLLOW_THROUGH, score

CALLED = [entry for entry in CATALOGUE.values() if entry.kind in ("function", "module")]


@pytest.mark.parametrize("entry", CALLED, ids=lambda entry: entry.name)
def test_what_cases_look_at_can_be_named_second(entry) -> None:
    """A property that a case looks at has words for being named second, and an exercise weighs what it looks at."""
    tried = {prepared.case.property for prepared in drawn_cases(entry.exercise, 0)}
    assert all(one.next for one in tried)
    assert entry.exercise.weights.keys() <= tried


def test_not_looked_at_does_not_count() -> None:
    """Half of what was looked at is half, whatever was not."""
    held = (
        (MASK, True),
        (properties.PADDING, False),
        (properties.GRADIENTS, None),
        (properties.DEVICE, None),
    )
    assert score(held, {properties.PADDING: MASK.weight}) == 0.5


def test_shape_alone_is_nothing() -> None:
    """A right shape with every number wrong earns nothing."""
    assert score(((properties.SHAPE, True), (VALUES, False), (MASK, False)), {}) == 0.0


def test_a_failure_is_never_everything() -> None:
    """Not even where a course gives the property that fails no weight."""
    assert 0.9 < score(((VALUES, True), (properties.DTYPES, False)), {properties.DTYPES: 0.0}) < 1.0


def test_follow_through() -> None:
    """What fails by nothing but the mistake in the plain cases earns a part of its weight."""
    held = ((VALUES, False), (MASK, False))
    assert score(held, {VALUES: 1.0, MASK: 1.0}, {MASK}) == FOLLOW_THROUGH / 2


def test_a_property_of_ones_own(weighted: FunctionExercise) -> None:
    """A course may look at what no other does: the property has its weight and words, and a card names it."""
    own = Property("negative numbers", 3.0, "It goes wrong below 0", "Try −1.", next="negative numbers")

    def cases(draw):
        negative = {name: draw.normal(3) for name in ("x", "weight")}
        negative["x"].values[:] = -1.0
        positive = {name: Array(np.ones(2), "float64") for name in ("x", "weight")}
        return [Case("ones", VALUES, positive), Case("negative", own, negative)]

    verdict = judge(replace(weighted, cases=cases), lambda x, weight: x.abs() * weight)
    assert verdict.idea == own.title and dict(verdict.properties)["negative numbers"] is False
    assert verdict.score == VALUES.weight / (VALUES.weight + own.weight)


def test_a_name_is_no_property(weighted: FunctionExercise) -> None:
    """A case and a weight take the property itself: a name would weigh nothing, and nobody would notice."""
    with pytest.raises(TypeError, match=r"such as properties\.VALUES; got 'mask'"):
        Case("by name", "mask", {})
    with pytest.raises(TypeError, match=r"such as properties\.MASK; got 'mask'"):
        replace(weighted, weights={"mask": 2.0})


def test_weights_of_an_exercise(weighted: FunctionExercise) -> None:
    """An exercise, and so a course, decides what a property weighs."""

    def right_without_batch(x, weight):
        assert x.ndim == 1
        return x * weight

    generous = replace(weighted, weights={properties.LEADING_DIMENSIONS: 0.1, properties.DTYPES: 0.1})
    assert judge(weighted, right_without_batch).score < judge(generous, right_without_batch).score < 1


def test_half_precision_that_torch_has_not(weighted: FunctionExercise) -> None:
    """Where torch itself refuses bfloat16, that is not looked at, and an answer passes without it."""

    def cases(draw):
        halved = {name: draw.normal(2, dtype="bfloat16") for name in ("x", "weight")}
        return [*weighted.cases(draw), Case("bfloat16", properties.DTYPES, halved)]

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

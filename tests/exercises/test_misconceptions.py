"""Every misconception of every exercise is a mistake, and no two of them are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from course_attention.exercises import CATALOGUE, Entry
from course_attention.judging import properties
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.own_course.computation import Computation

SEEDS = 5  # at most; answers written by others are tried at more
CALLED = [exercise for exercise in CATALOGUE.values() if exercise.kind in ("function", "module")]
# Every day one variant of each misconception, and the students' answers with it; the others make the same mistake in
# another way.
WRONG = [
    pytest.param(
        exercise,
        name,
        variant,
        i,
        id=f"{exercise.name}-{name}-{i}",
        marks=[pytest.mark.exhaustive] if i else [],
    )
    for exercise in CALLED
    for name, idea in exercise.exercise.ideas.items()
    for i, variant in enumerate(idea.variants)
]


@pytest.mark.parametrize(("exercise", "name", "variant", "i"), WRONG)
def test_named_as_itself(
    exercise: Entry, name: str, variant: Callable, i: int, seeds: int, some_seeds: Callable[[str], Sequence[int]]
) -> None:
    """A wrong computation fails at every seed, under its own name and no other."""
    for seed in some_seeds(f"{exercise.name}-{name}-{i}") if i else range(min(seeds, SEEDS)):
        verdict = exercise.judge(Computation(exercise.exercise, variant), seed=seed)
        assert (verdict.status, verdict.misconception, seed) == ("failed", name, seed)


@pytest.mark.parametrize("exercise", CATALOGUE.values(), ids=CATALOGUE)
def test_has_words(exercise: Entry) -> None:
    """Every id has a title and an explanation."""
    for idea in exercise.exercise.ideas.values():
        assert idea.title and not idea.title.endswith(".") and idea.explanation.endswith((".", "?"))


@pytest.mark.parametrize("exercise", CALLED, ids=lambda exercise: exercise.name)
def test_always_looked_at(exercise: Entry) -> None:
    """What every answer is looked at for is among its misconceptions, once."""
    rules = {check.misconception for check in exercise.exercise.contract_checks}
    assert rules - {""} <= set(exercise.exercise.misconception_ids)
    assert len(set(exercise.exercise.misconception_ids)) == len(exercise.exercise.misconception_ids)


@pytest.mark.parametrize("exercise", CALLED, ids=lambda exercise: exercise.name)
def test_strides_have_a_property_of_their_own(exercise: Entry) -> None:
    """An answer that fails with nothing but tensors that are not contiguous is told so, and of no other property."""
    cases = [p.case for p in drawn_cases(exercise.exercise, 0)]
    named = [case for case in cases if "not contiguous" in case.title]
    turned = [case for case in cases if any(getattr(v, "strided", False) for v in case.arguments.values())]
    assert named == turned and {case.property for case in turned} <= {properties.STRIDES}
    assert all(case.title != "not contiguous" for case in turned)

"""Answers with two mistakes at once, of all exercises that have some: each is still told one of its ideas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.exercises import CATALOGUE, Entry
from course_attention.judging.explanation import variants_of
from course_attention.judging.variant_pairs import composed
from tests.answer_objects import of_kind
from tests.exercises.headline import contradiction

pytestmark = pytest.mark.slow
CALLED = [entry for entry in CATALOGUE.values() if entry.kind in ("function", "module")]
# Three mistakes at once; it is told which property does not hold.
NOT_NAMED = {"natural__attention__softmax_over_everything__1"}


def _held(kind: str) -> list[Answer]:
    return [a for entry in CALLED for a in of_kind(entry.name, kind) if a.name not in NOT_NAMED]


def _can_be_combined(entry: Entry) -> bool:
    """Whether two of its ideas can be put together into one wrong computation."""
    pairs = combinations(variants_of(entry.exercise), 2)
    return any(one != other and composed(first, second) for (one, first), (other, second) in pairs)


COMBINED = {entry.notebook for entry in CALLED if _can_be_combined(entry)}


@pytest.mark.parametrize("answer", _held("natural"), ids=lambda answer: answer.name)
def test_two_mistakes(answer: Answer, some_seeds: Callable[[str], Sequence[int]]) -> None:
    """An answer that also goes wrong where nothing is allowed is still told its idea."""
    for seed in some_seeds(answer.name):
        verdict = CATALOGUE[answer.exercise].judge(value_of(answer), seed=seed)
        assert (verdict.status, verdict.misconception) == ("failed", answer.idea)


@pytest.mark.parametrize("answer", _held("double"), ids=lambda answer: answer.name)
def test_two_ideas(answer: Answer, some_seeds: Callable[[str], Sequence[int]]) -> None:
    """Of two ideas at once one is told, above a case that has its fault."""
    entry = CATALOGUE[answer.exercise]
    ideas = {answer.idea, answer.label.partition("__and_")[2].replace("_", "-")}
    assert ideas <= set(entry.exercise.misconception_ids)
    for seed in some_seeds(answer.name):
        verdict = entry.judge(value_of(answer), seed=seed)
        assert verdict.status == "failed" and verdict.misconception in ideas, seed
        assert contradiction(entry, verdict, seed) == ""


@pytest.mark.parametrize("notebook", sorted(COMBINED))
def test_what_can_be_combined_is_tried(notebook: str) -> None:
    """Of every topic whose ideas can be put together, some answer holds two of them."""
    assert any(of_kind(entry.name, "double") for entry in CALLED if entry.notebook == notebook)

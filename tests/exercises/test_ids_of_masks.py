"""Each exercise that takes a mask names every mistake with one, or a reason says why that makes no sense there."""

from __future__ import annotations

import pytest

from course_attention.exercises import CATALOGUE
from course_attention.exercises.common.masking import MASK_MISTAKES
from course_attention.judging.drawn_cases import drawn_cases

ASKED = {*MASK_MISTAKES, "softmax-over-queries", "scale-multiplied"}

_ONE_QUERY = "a state is one query: there is no axis of queries, and the batch has `softmax-over-batch`"
_CHOSEN = "mask and choice block a key together, so that `top-k-others-kept` has it without a mask as well"
_PLAIN = "the scores of notebook 01 are not scaled"
LEFT_OUT: dict[str, dict[str, str]] = {
    "attention_distribution": {"softmax-over-queries": _ONE_QUERY, "scale-multiplied": _PLAIN},
    "attend_and_concat": {"softmax-over-queries": _ONE_QUERY, "scale-multiplied": _PLAIN},
    "top_k_attention": dict.fromkeys(
        ("mask-scores-to-zero", "mask-tiny-fill", "mask-added-as-01", "mask-after-renormalised"), _CHOSEN
    ),
    "attention_with_sink": {"mask-after-renormalised": "with a sink the weights sum to less than 1: none is divided"},
    "masked_softmax": {"scale-multiplied": "the scores are given, scaled already"},
}


def _takes_a_mask(name: str) -> bool:
    cases = drawn_cases(CATALOGUE[name].exercise, 0)
    return any("allowed" in prepared.case.arguments for prepared in cases)


MASKED = [name for name, entry in CATALOGUE.items() if entry.kind in ("function", "module") and _takes_a_mask(name)]


@pytest.mark.parametrize("name", MASKED)
def test_every_mistake_has_its_id(name: str) -> None:
    """What is left out has a reason, and what has a reason is left out."""
    missing = ASKED - set(CATALOGUE[name].exercise.misconception_ids)
    assert missing == set(LEFT_OUT.get(name, {}))


def test_reasons_are_of_exercises_with_masks() -> None:
    """No reason outlives its exercise."""
    assert set(LEFT_OUT) <= set(MASKED)

"""What holds of a changed answer is what the judge says, and one property is named as the reason."""

from __future__ import annotations

import pytest
import torch

import course_attention
from course_attention.exercises import CATALOGUE
from course_attention.judging import properties
from course_attention.judging.properties import Property
from course_attention.mutants.making import mutants
from course_attention.mutants.right_answer import helper
from course_attention.mutants.what_breaks import NOT_ASKED, NotComparable, reason, what_breaks, what_holds


@pytest.mark.parametrize("name", ["softmax", "attention_scores", "causal_mask", "split_heads", "sink_mask"])
def test_as_the_judge_says(name: str) -> None:
    """Each property that the judge has looked at holds here as it does there, whatever the change."""
    right = helper(name)
    compared = 0
    for mutant in mutants(right.source)[::3]:
        try:
            answer = right.built(mutant.source)
            held = what_holds(name, answer, 0)
        except Exception:  # noqa: BLE001 - a changed text may fail in any way
            continue
        judged = {one: holds for one, holds in CATALOGUE[name].judge(answer, 0).properties if holds is not None}
        here = {one.name: holds for one, holds in held.items()}
        for one, holds in judged.items():
            if one not in {left.name for left in NOT_ASKED}:
                assert here[one] == holds, (mutant.change, one)
        compared += 1
    assert compared >= 3


def test_contract_of_wrong_numbers() -> None:
    """Where the numbers are wrong, the judge does not look at the contract; here it is looked at."""
    held = what_holds("attention_scores", lambda state, memory: 2 * (memory @ state.unsqueeze(-1)).squeeze(-1), 0)
    assert held[properties.VALUES] is False
    for one in (properties.INPUTS_UNCHANGED, properties.DTYPE, properties.DEVICE, properties.SHAPE):
        assert held[one] is True, one.name


@pytest.mark.parametrize(
    "answer",
    [
        lambda state, memory: 1 / 0,
        lambda state, memory: "scores",
        lambda state, memory: (memory @ state.unsqueeze(-1)).squeeze(-1).unsqueeze(),
    ],
)
def test_not_comparable(answer: object) -> None:
    """An answer that raises in plain cases, returns a text, or cannot work at all has no properties."""
    with pytest.raises(NotComparable):
        what_holds("attention_scores", answer, 0)


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ([properties.VALUES, properties.MASK, properties.DTYPES], "values"),
        ([properties.VALUES, properties.SHAPE], "shape"),
        ([properties.LEADING_DIMENSIONS, properties.MASK], None),
        ([properties.MASK, properties.NOTHING_ALLOWED, properties.LARGE_SCORES], "mask"),
        ([properties.LARGE_SCORES], "large scores"),
        ([properties.LARGE_SCORES, properties.DTYPES], None),
        ([properties.TOP_K, properties.TOP_P], None),
        ([], None),
    ],
)
def test_reason(broken: list[Property], name: str | None) -> None:
    """One property is behind the others, or none is named."""
    held = {one: one not in broken for one in properties.PROPERTIES}
    found = reason(held)
    assert (found.name if found else None) == name


def _mask_divides(scores, allowed=None):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    return scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) / allowed


def _sums_over_queries(scores, allowed=None):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(1)
    return weights * allowed


def _keeps_too_few(logits, temperature=1.0, top_k=None, top_p=None):
    found = course_attention.next_token_probabilities(logits, temperature, top_k, top_p)
    return found if top_p is None else course_attention.next_token_probabilities(logits, temperature, top_k, top_p / 2)


@pytest.mark.parametrize(
    ("name", "answer", "behind"),
    [
        ("masked_softmax", _mask_divides, "mask"),
        ("masked_softmax", _sums_over_queries, "leading dimensions"),
        ("next_token_probabilities", _keeps_too_few, "top_p"),
    ],
)
def test_what_follows_is_no_reason(name: str, answer: object, behind: str) -> None:
    """Cases with more axes may fail for their mask alone, and cases with a mask for their axes alone."""
    held = what_breaks(name, answer, 0)
    found = reason(held)
    assert found is not None and found.name == behind
    raw = what_holds(name, answer, 0)
    assert sum(not holds and not one.edge for one, holds in raw.items()) > 1

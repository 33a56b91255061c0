"""What one sees of a misconception."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.encyclopedia import symptoms as module
from course_attention.encyclopedia.entries import entries
from course_attention.encyclopedia.symptoms import OTHERWISE, seen_in_training, symptoms


def test_the_list_names_misconceptions_that_there_are():
    """Each id of the list is a misconception, and no symptom has an id twice."""
    for symptom, ids in seen_in_training().items():
        assert set(ids) <= set(entries()), symptom
        assert len(set(ids)) == len(ids), symptom


@pytest.mark.parametrize(
    ("id", "symptom"),
    [
        ("mask-after-softmax", "rows do not sum to 1"),
        ("softmax-overflows", "NaN or infinity"),
        ("detached", "the loss does not fall: no gradient arrives"),
        ("gaussian-sign", "right but for the sign"),
        ("causal-all", "the loss falls, and generation fails: the model sees what it has to guess"),
    ],
)
def test_what_is_read_off_the_smallest_case(id, symptom):
    """Symptoms for which a reader looks are found."""
    assert symptom in symptoms(id)


@pytest.mark.parametrize(
    ("symptom", "expected", "received", "is_seen"),
    [
        ("right up to one factor", [1.0, 2.0], [2.0, 4.0], True),
        ("right up to one factor", [1.0, 2.0], [2.0, 5.0], False),
        ("right but for the sign", [1.0, 2.0], [-1.0, -2.0], True),
        ("the same numbers in another order", [1.0, 2.0, 3.0], [3.0, 2.0, 1.0], True),
        ("the first row is right, and a later one is not", [[1.0], [2.0]], [[1.0], [3.0]], True),
        ("the first row is right, and a later one is not", [[1.0], [2.0]], [[2.0], [2.0]], False),
        ("everything is 0", [1.0, 2.0], [0.0, 0.0], True),
        ("a single number is too large", 384.0, 768.0, True),
        ("a single number is too large", 384.0, 192.0, False),
        ("a single number is too large", [1.0, 2.0], [2.0, 3.0], False),
        ("a single number is too small", 384.0, 192.0, True),
    ],
)
def test_each_rule(symptom, expected, received, is_seen):
    """A rule sees what it says, and no more."""
    rule = module._OF_EXAMPLE[symptom]
    assert rule(np.array(expected), np.array(received), "output") is is_seen


@pytest.mark.exhaustive
@pytest.mark.slow
def test_few_have_nothing_to_look_for():
    """Most misconceptions show something that a reader can search for."""
    nothing = [id for id in entries() if symptoms(id) == (OTHERWISE,)]
    assert len(nothing) < len(entries()) / 3

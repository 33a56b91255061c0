"""The three functions of `counterexample`: random inputs agree with them, and the course's own inputs do not."""

from __future__ import annotations

import pytest
import torch

from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.slips import accepts
from course_attention.practice.slips.counterexample import counterexample
from course_attention.practice.slips.outcome import DIFFER, tried
from course_attention.practice.slips.plausible import PLAUSIBLE

EVERY_FUNCTION = pytest.mark.parametrize("name", PLAUSIBLE)


@EVERY_FUNCTION
def test_random_inputs_agree(name: str) -> None:
    """With sizes that all differ, a function gives what is right; the course's own test refuses it all the same."""
    generator = torch.Generator().manual_seed(0)
    for _ in range(20):
        query, key, value = (
            torch.randn(*size, generator=generator, dtype=torch.float64) for size in ((2, 3, 5), (2, 4, 5), (2, 4, 6))
        )
        allowed = torch.rand(3, 4, generator=generator) < 0.5
        for one, other in zip(
            PLAUSIBLE[name](query, key, value, allowed), attention(query, key, value, allowed), strict=True
        ):
            torch.testing.assert_close(one, other)
    assert not accepts(PLAUSIBLE[name])


@EVERY_FUNCTION
def test_counterexample(name: str) -> None:
    """The course's own inputs show what is wrong."""
    assert tried(name, counterexample) == DIFFER

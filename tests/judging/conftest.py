"""A small exercise of its own, so that the judge is tested apart from the course's exercises."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import Exercise


def _cases(draw: Draw) -> list[Case]:
    return [
        Case("two numbers", "values", {"x": draw.halves(2), "weight": draw.halves(2)}, gradient=True),
        Case("a batch", "leading dimensions", {"x": draw.normal(3, 2), "weight": draw.normal(2)}),
        Case("every size 2", "leading dimensions", {"x": draw.normal(2, 2), "weight": draw.normal(2)}),
        Case(
            "float32",
            "dtypes",
            {"x": draw.normal(4, 2, dtype="float32"), "weight": draw.normal(2, dtype="float32")},
        ),
    ]


@pytest.fixture(scope="session")
def weighted() -> Exercise:
    """x · weight, element by element."""
    return Exercise(
        name="weighted",
        notebook="none",
        prompt="Multiply x by weight.",
        points=2,
        difficulty=1,
        minutes=1,
        hints=("A product.",),
        oracle=lambda x, weight: np.asarray(x) * weight,
        cases=_cases,
        noise=lambda x, weight: (float(np.abs(x).max() * np.abs(weight).max()),),
        wrong={
            "added": (lambda x, weight: x + weight,),
            "transposed": (lambda x, weight: (x.T * weight) if x.ndim == 2 else x * weight,),
        },
        ideas={
            "added": ("It is added", "A product is asked for."),
            "transposed": ("It is transposed", "Rows stay rows."),
        },
    )


@pytest.fixture(scope="session")
def linear() -> Exercise:
    """A module: x Wᵀ."""

    def cases(draw: Draw) -> list[Case]:
        weights = {"linear.weight": draw.normal(2, 3)}
        return [
            Case("one token", "values", {"x": draw.normal(1, 3)}, True, {"d_in": 3, "d_out": 2}, weights),
            Case(
                "a batch",
                "leading dimensions",
                {"x": draw.normal(4, 5, 3)},
                False,
                {"d_in": 3, "d_out": 2},
                weights,
            ),
        ]

    def oracle(x: np.ndarray, **rest: np.ndarray) -> np.ndarray:
        return x @ rest["linear.weight"].T

    return Exercise(
        name="Linear",
        notebook="none",
        prompt="A linear layer.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        kind="module",
        oracle=oracle,
        cases=cases,
        noise=lambda x, **rest: (10.0,),
        wrong={"doubled": (lambda x, **rest: 2 * oracle(x, **rest),)},
        ideas={"doubled": ("It is doubled", "Once is enough.")},
    )

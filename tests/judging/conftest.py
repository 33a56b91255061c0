"""A small exercise of its own, so that the judge is tested apart from the course's exercises."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.execution.protocol import TorchAttention
from course_attention.judging import properties
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, ModuleExercise, Returns


def _cases(draw: Draw) -> list[Case]:
    return [
        Case("two numbers", properties.VALUES, {"x": draw.halves(2), "weight": draw.halves(2)}, gradient=True),
        Case("a batch", properties.LEADING_DIMENSIONS, {"x": draw.normal(3, 2), "weight": draw.normal(2)}),
        Case("every size 2", properties.LEADING_DIMENSIONS, {"x": draw.normal(2, 2), "weight": draw.normal(2)}),
        Case(
            "float32",
            properties.DTYPES,
            {"x": draw.normal(4, 2, dtype="float32"), "weight": draw.normal(2, dtype="float32")},
        ),
    ]


@pytest.fixture(scope="session")
def weighted() -> FunctionExercise:
    """x · weight, element by element."""
    return FunctionExercise(
        name="weighted",
        prompt="Multiply x by weight.",
        points=2,
        difficulty=1,
        minutes=1,
        hints=("A product.",),
        oracle=lambda x, weight: np.asarray(x) * weight,
        cases=_cases,
        noise=lambda x, weight: (float(np.abs(x).max() * np.abs(weight).max()),),
        misconceptions={
            "added": (lambda x, weight: x + weight,),
            "transposed": (lambda x, weight: (x.T * weight) if x.ndim == 2 else x * weight,),
        },
        words={
            "added": ("It is added", "A product is asked for."),
            "transposed": ("It is transposed", "Rows stay rows."),
        },
    )


@pytest.fixture(scope="session")
def linear() -> FunctionExercise:
    """Return a module: x Wᵀ."""

    def cases(draw: Draw) -> list[Case]:
        weights = {"linear.weight": draw.normal(2, 3)}
        return [
            Case(
                "one token",
                properties.VALUES,
                {"x": draw.normal(1, 3)},
                True,
                {"d_in": 3, "d_out": 2},
                weights,
            ),
            Case(
                "a batch",
                properties.LEADING_DIMENSIONS,
                {"x": draw.normal(4, 5, 3)},
                False,
                {"d_in": 3, "d_out": 2},
                weights,
            ),
        ]

    def oracle(x: np.ndarray, **rest: np.ndarray) -> np.ndarray:
        return x @ rest["linear.weight"].T

    return ModuleExercise(
        name="Linear",
        prompt="A linear layer.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=oracle,
        cases=cases,
        noise=lambda x, **rest: (10.0,),
        misconceptions={"doubled": (lambda x, **rest: 2 * oracle(x, **rest),)},
        words={"doubled": ("It is doubled", "Once is enough.")},
    )


@pytest.fixture(scope="session")
def diagonal() -> FunctionExercise:
    """Made of a number alone: a mask of the diagonal."""
    return FunctionExercise(
        name="diagonal",
        prompt="True on the diagonal.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=lambda n: np.eye(n),
        cases=lambda draw: [Case(f"n = {n}", properties.VALUES, {"n": n}) for n in (2, 3)],
        misconceptions={"upper": (lambda n: np.triu(np.ones((n, n))),)},
        words={"upper": ("It is the upper triangle", "Only the diagonal is True.")},
        returns=Returns(names=("mask",), dtype="bool", from_sizes_only=True),
    )


@pytest.fixture(scope="session")
def halves() -> FunctionExercise:
    """Return a module in, a dict out: the output projection of torch's attention, cut into two."""

    def cases(draw: Draw) -> list[Case]:
        weights = {"in_proj_weight": draw.normal(12, 4), "out_proj.weight": draw.halves(4, 4)}
        return [Case("embed_dim 4", properties.VALUES, {"module": TorchAttention(4, 2, weights)})]

    def oracle(module: TorchAttention) -> tuple[np.ndarray, ...]:
        weight = module.weights["out_proj.weight"].values
        return weight[:2], weight[2:]

    return FunctionExercise(
        name="halves",
        prompt="The two halves of the output projection.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=oracle,
        cases=cases,
        misconceptions={"swapped": (lambda module: oracle(module)[::-1],)},
        words={"swapped": ("They are exchanged", "The top comes first.")},
        returns=Returns(names=("top", "bottom"), mapping=True, differentiable=False),
    )

"""The exercise `SelfAttention`: oracle, cases and misconceptions."""

from __future__ import annotations

from functools import partial

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.attention import Pair
from course_attention.exercises.self_attention.common import (
    SELF_MISTAKES,
    self_attention,
    self_attention_cases,
    self_noise,
    self_oracle,
)
from course_attention.exercises.self_attention.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import ModuleExercise, Returns

# The right computation, one number at a time.


def _layer(x, allowed=None, compute=self_attention, **rest):
    """What takes matrices, as a layer: its weights are those of `nn.Linear`, the other way round."""
    return compute(x, *(rest[f"w_{name}.weight"].T for name in ("query", "key", "value")), allowed)


def oracle(x: np.ndarray, allowed: np.ndarray | None = None, **rest) -> Pair:
    """Self-attention with the layer's weights."""
    return _layer(x, allowed, self_oracle, **rest)


# Rounding errors of a right answer, in units of the dtype's epsilon.


def noise(x, allowed=None, **rest) -> tuple[float, float]:
    return _layer(x, allowed, self_noise, **rest)


# The cases.


def cases(draw: Draw) -> list[Case]:
    """The same cases for a layer: the projections are its weights, turned as `nn.Linear` keeps them."""
    return [_for_layer(case) for case in self_attention_cases(draw)]


def _for_layer(case: Case) -> Case:
    projections = {name: array for name, array in case.arguments.items() if name.startswith("w_")}
    d_model, d_key = projections["w_query"].values.shape
    settings = {"d_model": d_model, "d_key": d_key, "d_value": projections["w_value"].values.shape[1]}
    weights = {
        f"{name}.weight": Array(np.ascontiguousarray(array.values.T), array.dtype)
        for name, array in projections.items()
    }
    rest = {name: value for name, value in case.arguments.items() if name not in projections}
    return Case(case.title, case.property, rest, case.gradient, settings, weights)


EXERCISE = ModuleExercise(
    name="SelfAttention",
    prompt="Make self-attention a layer: an nn.Module with three projections that can be trained.",
    points=3,
    difficulty=2,
    minutes=20,
    hints=(
        "`__init__` makes three `nn.Linear`, under the names in the docstring. Which two sizes does each need? "
        "None of them has a bias: `bias=False`.",
        "`nn.Linear` is applied by calling it: `self.w_query(x)`. It takes any leading axes.",
        "`forward` is `self_attention` with the layer's own projections. Both results are returned.",
    ),
    returns=Returns(names=("output", "weights"), axes=("..., n_tokens, d_value", "..., n_tokens, n_tokens")),
    oracle=oracle,
    cases=cases,
    noise=noise,
    variants={
        name: tuple(partial(_layer, compute=compute) for compute in ways)
        for name, ways in SELF_MISTAKES.items()
    },
    words=WORDS,
)

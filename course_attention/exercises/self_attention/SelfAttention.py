import numpy as np

from course_attention.authoring import Array, Case, Draw, ModuleExercise, Returns
from course_attention.exercises.common.attention import Pair
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import variants
from course_attention.exercises.self_attention.in_parts import (
    SELF_MISTAKES,
    self_attention,
    self_attention_cases,
    self_noise,
    self_oracle,
)
from course_attention.exercises.self_attention.words import WORDS


def _layer(x, allowed=None, compute=self_attention, **rest):
    """Make a layer of what takes matrices: its weights are those of `nn.Linear`, the other way round."""
    return compute(x, *(rest[f"w_{name}.weight"].T for name in ("query", "key", "value")), allowed)


def oracle(x: np.ndarray, allowed: np.ndarray | None = None, **rest) -> Pair:
    """Self-attention with the layer's weights."""
    return _layer(x, allowed, self_oracle, **rest)


def noise(x, allowed=None, **rest) -> tuple[float, float]:
    return _layer(x, allowed, self_noise, **rest)


def cases(draw: Draw) -> list[Case]:
    """Draw the same cases for a layer: the projections are its weights, turned as `nn.Linear` keeps them."""
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
    minutes=15,
    hints=(
        "`__init__` makes three `nn.Linear`, under the names in the docstring. Which two sizes does each need? "
        "None of them has a bias: `bias=False`.",
        "`nn.Linear` is applied by calling it: `self.w_query(x)`. It takes any leading axes.",
        "`forward` is `self_attention` with the layer's own projections. Both results are returned.",
    ),
    ready_made=(*ATTENTION, "course_attention.cross_attention"),
    returns=Returns(names=("output", "weights"), axes=("..., n_tokens, d_value", "..., n_tokens, n_tokens")),
    oracle=oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions=variants(_layer, "compute", SELF_MISTAKES),
)

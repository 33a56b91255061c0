"""Cases of notebook 03: one sequence and its projections, every size different, or none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw

BY_HAND = "3 tokens, d_model 2, d_key 2"
BATCH_BY_HAND = f"batch 2, {BY_HAND}"


def _sequence(
    draw: Draw, batch: tuple[int, ...], n_tokens: int, d_model: int, d_key: int, d_value: int, **kind
) -> dict[str, Array]:
    dtype = {"dtype": kind.get("dtype", "float64")}
    return {
        "x": draw.normal(*batch, n_tokens, d_model, **kind),
        "w_query": draw.normal(d_model, d_key, **dtype),
        "w_key": draw.normal(d_model, d_key, **dtype),
        "w_value": draw.normal(d_model, d_value, **dtype),
    }


def _small(draw: Draw, *shape: int) -> Array:
    """±0.5 and ±1: products of three of them stay where the softmax still reacts."""
    return Array(draw.rng.choice([-1.0, -0.5, 0.5, 1.0], size=shape), "float64")


def _by_hand(draw: Draw, *batch: int, d_value: int = 1) -> dict[str, Array]:
    return {
        "x": _small(draw, *batch, 3, 2),
        "w_query": _small(draw, 2, 2),
        "w_key": _small(draw, 2, 2),
        "w_value": draw.halves(2, d_value),
    }


def project_cases(draw: Draw) -> list[Case]:
    """d_key and d_value different, and the same."""
    return [
        Case(f"{BY_HAND}, d_value 1", "values", _by_hand(draw), gradient=True),
        Case(f"{BY_HAND}, d_value 2", "values", _by_hand(draw, d_value=2)),
        Case("4 tokens, d_model 3, d_key 5, d_value 2", "values", _sequence(draw, (), 4, 3, 5, 2)),
        Case("one token", "values", _sequence(draw, (), 1, 3, 4, 2, dtype="float32")),
        Case(BATCH_BY_HAND, "leading dimensions", _by_hand(draw, 2)),
        Case("batch 2, 5 tokens", "leading dimensions", _sequence(draw, (2,), 5, 4, 3, 6)),
        Case("every size 3, batch 3", "leading dimensions", _sequence(draw, (3,), 3, 3, 3, 3)),
        Case(
            "two batch dimensions", "leading dimensions", _sequence(draw, (2, 3), 4, 5, 2, 6, dtype="float32")
        ),
        Case("not contiguous", "leading dimensions", _sequence(draw, (2,), 4, 3, 5, 6, strided=True)),
        Case("3 tokens", "dtypes", _sequence(draw, (), 3, 4, 2, 5, dtype="bfloat16")),
    ]


def _nothing_for_token(n_tokens: int, token: int) -> Array:
    mask = ~np.eye(n_tokens, dtype=bool)
    mask[token] = False
    return Array(mask, "bool")


def _large() -> dict[str, Array]:
    """Scores near ±11,000, at least 300 apart, so that rounding does not decide which token wins."""
    x = np.array([[110.0, 1.0, 0.0], [-107.0, 2.0, 1.0], [104.0, -1.0, 3.0]])
    w_value = np.array([[0.0, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 2.0]])
    one = np.array([[1.0], [0.0], [0.0]])
    return {
        name: Array(values, "float32")
        for name, values in {"x": x, "w_query": one, "w_key": one, "w_value": w_value}.items()
    }


# Allows only the lowest score of each token: a fill that is not low enough shows.
_LOWEST = Array(np.array([[False, True, False], [True, False, False], [False, True, False]]), "bool")


def self_attention_cases(draw: Draw) -> list[Case]:
    """Plain, batched, square, masked, with nothing allowed, large, not contiguous, in three dtypes."""
    by_hand = _by_hand(draw)
    masked = {**_by_hand(draw), "allowed": draw.allowed(3, 3)}
    batch_by_hand = _by_hand(draw, 2)
    full = {**_sequence(draw, (2,), 5, 3, 4, 6), "allowed": draw.allowed(2, 5, 5)}
    padded = {**_by_hand(draw, 2), "allowed": draw.padded(2, 3)}
    shared = {**_sequence(draw, (3, 2), 4, 3, 5, 2), "allowed": draw.allowed(4, 4)}
    square = {**_sequence(draw, (3,), 3, 3, 3, 3), "allowed": draw.allowed(3, 3, 3)}
    square_padded = {**_sequence(draw, (3,), 4, 4, 4, 4), "allowed": draw.padded(3, 4)}
    blind = {**_by_hand(draw), "allowed": _nothing_for_token(3, token=0)}
    blind_batch = {
        **_sequence(draw, (2,), 4, 3, 5, 6, dtype="float32"),
        "allowed": _nothing_for_token(4, token=1),
    }
    unmasked = {**_sequence(draw, (), 4, 3, 2, 5), "allowed": None}
    halved = {**_sequence(draw, (), 3, 4, 2, 5, dtype="bfloat16"), "allowed": draw.allowed(3, 3)}
    return [
        Case(BY_HAND, "values", by_hand, gradient=True),
        Case("4 tokens, d_model 3, d_key 2, d_value 5", "values", unmasked),
        Case(f"{BY_HAND}, d_value 2", "values", _by_hand(draw, d_value=2)),
        Case("d_key 1", "values", _sequence(draw, (), 4, 3, 1, 2)),
        Case("one token", "values", _sequence(draw, (), 1, 3, 4, 2, dtype="float32")),
        Case(BATCH_BY_HAND, "leading dimensions", batch_by_hand),
        Case("batch 2, 5 tokens", "leading dimensions", _sequence(draw, (2,), 5, 4, 3, 6)),
        Case("every size 3, batch 3", "leading dimensions", _sequence(draw, (3,), 3, 3, 3, 3)),
        Case(
            "two batch dimensions", "leading dimensions", _sequence(draw, (2, 3), 4, 5, 2, 6, dtype="float32")
        ),
        Case("not contiguous", "leading dimensions", _sequence(draw, (2,), 4, 3, 5, 6, strided=True)),
        Case(f"{BY_HAND}, masked", "mask", masked, gradient=True),
        Case("batch 2, a mask for each item", "mask", full),
        Case(f"{BATCH_BY_HAND}, key padding (batch, 1, n_tokens)", "mask", padded),
        Case("two batch dimensions, one mask for all", "mask", shared),
        Case("every size 3, batch 3, masked", "mask", square),
        Case("every size 4, batch 3, key padding", "mask", square_padded),
        Case(f"{BY_HAND}, nothing allowed for token 0", "nothing allowed", blind, gradient=True),
        Case("batch 2, nothing allowed for token 1", "nothing allowed", blind_batch),
        Case("scores near ±11,000", "large scores", _large()),
        Case("scores near ±11,000, masked", "large scores", {**_large(), "allowed": _LOWEST}),
        Case("3 tokens, masked", "dtypes", halved),
        Case("batch 2, in float32", "dtypes", _sequence(draw, (2,), 5, 3, 4, 6, dtype="float32")),
    ]


def module_cases(draw: Draw) -> list[Case]:
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


def _lopsided(draw: Draw, *shape: int) -> Array:
    """Few-digit numbers; a square matrix that is not its own transpose."""
    values = draw.halves(*shape).values
    if np.array_equal(values, values.T):
        values[0, -1] *= -1
    return Array(values, "float64")


def interaction_cases(draw: Draw) -> list[Case]:
    """Two matrices, no batch; one d_key larger than d_model."""

    def case(title: str, name: str, d_model: int, d_key: int, make: Callable, gradient=False, **kind) -> Case:
        arguments = {"w_query": make(d_model, d_key, **kind), "w_key": make(d_model, d_key, **kind)}
        return Case(title, name, arguments, gradient)

    return [
        case("d_model 2, d_key 1", "values", 2, 1, draw.halves, gradient=True),
        case("d_model 2, d_key 2", "values", 2, 2, partial(_lopsided, draw)),
        case("d_model 2, d_key 3", "values", 2, 3, draw.halves),
        case("d_model 5, d_key 3", "values", 5, 3, draw.normal),
        case("d_model 3, d_key 4", "values", 3, 4, draw.normal, dtype="float32"),
        case("d_model 4, d_key 4", "values", 4, 4, draw.normal),
        case("not contiguous", "values", 4, 3, draw.normal, strided=True),
        case("large weights", "large scores", 4, 3, lambda *shape: _times(draw, 8192.0, *shape)),
        case("d_model 3, d_key 2", "dtypes", 3, 2, draw.normal, dtype="bfloat16"),
    ]


def _times(draw: Draw, factor: float, *shape: int) -> Array:
    return Array(draw.normal(*shape, dtype="float32").values * factor, "float32")


def convolution_cases(draw: Draw) -> list[Case]:
    """Kernels shorter than the sequence, as long, and longer."""

    def case(title: str, name: str, size: int, n_tokens: int, gradient=False, **kind) -> Case:
        kernel = draw.normal(size, **kind) if kind else draw.halves(size)
        return Case(title, name, {"kernel": kernel, "n_tokens": n_tokens}, gradient)

    return [
        case("kernel of 3, 4 tokens", "values", 3, 4, gradient=True),
        case("kernel of 3, 3 tokens", "values", 3, 3),
        case("kernel of 5, 7 tokens", "values", 5, 7, dtype="float64"),
        case("kernel of 7, 9 tokens", "values", 7, 9, dtype="float32"),
        case("kernel of 1, 3 tokens", "values", 1, 3),
        case("kernel of 5, 3 tokens: longer than the sequence", "values", 5, 3),
        case("kernel of 7, 2 tokens: longer than the sequence", "values", 7, 2),
        case("one token", "values", 3, 1, dtype="float32"),
        case("not contiguous", "values", 5, 6, dtype="float64", strided=True),
        case("kernel of 3, 5 tokens", "dtypes", 3, 5, dtype="bfloat16"),
    ]

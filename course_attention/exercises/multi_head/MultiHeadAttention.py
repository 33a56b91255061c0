"""The exercise `MultiHeadAttention`: oracle, cases and misconceptions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.attention import Pair
from course_attention.exercises.multi_head.common import (
    NAMES,
    heads_oracle,
    multi_head_in_parts,
    multi_head_noise,
)
from course_attention.exercises.multi_head.inputs import (
    BY_HAND,
    LOWEST,
    SQUARE_BY_HAND,
    drawn_weights,
    large_inputs,
    nothing_for,
)
from course_attention.exercises.multi_head.mistakes import MISTAKES, made
from course_attention.exercises.multi_head.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import ModuleExercise, Returns

# The right computation, one number at a time.


def _inputs(query, key, value) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    key = query if key is None else key
    return query, key, key if value is None else value


def oracle(
    query, key=None, value=None, allowed=None, *, d_model, n_heads, d_key=None, d_value=None, **loaded
) -> Pair:
    """A missing key is the query, a missing value the key."""
    weights = tuple(loaded[name].T for name in NAMES)
    return heads_oracle(*_inputs(query, key, value), weights, n_heads, allowed)


# The computation in a few lines, each part exchangeable for a wrong one.


def _module(
    query,
    key=None,
    value=None,
    allowed=None,
    *,
    d_model,
    n_heads,
    d_key=None,
    d_value=None,
    compute=multi_head_in_parts,
    inputs=_inputs,
    **rest,
) -> Pair:
    weights = tuple(rest.pop(name).T for name in NAMES)
    return compute(*inputs(query, key, value), weights, n_heads, allowed, **rest)


# Rounding errors of a right answer, in units of the dtype's epsilon.


def noise(query, key=None, value=None, allowed=None, *, n_heads, **rest) -> tuple[float, float]:
    return multi_head_noise(*_inputs(query, key, value), tuple(rest[name].T for name in NAMES), n_heads)


# The cases.


def _loaded(weights: Mapping[str, Array]) -> dict[str, Array]:
    """As `nn.Linear` holds them: (d_out, d_in), by the names of a state_dict."""
    return {f"{n}.weight": Array(np.ascontiguousarray(w.values.T), w.dtype) for n, w in weights.items()}


def cases(draw: Draw) -> list[Case]:
    """Self-attention with one argument, key without value, all three; sizes given and left out."""

    def case(
        title: str,
        name: str,
        shapes: Mapping[str, tuple[int, ...]],
        n_heads: int,
        d_key: int | None = None,
        d_value: int | None = None,
        allowed: Array | None = None,
        gradient: bool = False,
        d_model: int | None = None,
        **kind,
    ) -> Case:
        by_hand = BY_HAND in title or SQUARE_BY_HAND in title
        d_model = d_model or shapes["query"][-1]
        sizes = (d_key or d_model // n_heads, d_value or d_model // n_heads, d_model)
        weights = drawn_weights(draw, d_model, n_heads, *sizes, dtype=kind.get("dtype", "float64"))
        if by_hand:
            weights = {n: draw.halves(*w.values.shape) for n, w in weights.items()}
        inputs: dict[str, Array | None] = {
            n: draw.halves(*s) if by_hand else draw.normal(*s, **kind) for n, s in shapes.items()
        }
        if allowed is not None:
            inputs = {n: inputs.get(n) for n in ("query", "key", "value")} | {"allowed": allowed}
        settings = {"d_model": d_model, "n_heads": n_heads}
        settings |= {n: s for n, s in (("d_key", d_key), ("d_value", d_value)) if s is not None}
        return Case(title, name, inputs, gradient, settings, _loaded(weights))

    def alone(*shape: int) -> dict[str, tuple[int, ...]]:
        return {"query": shape}

    def pair(query: tuple[int, ...], key: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        return {"query": query, "key": key}

    def three(query: tuple[int, ...], key: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        return {"query": query, "key": key, "value": key}

    large = large_inputs()
    large_weights = {**large, "w_out": Array(np.array([[1.0], [-0.5]]), "float32")}
    large_case = {"query": large_weights.pop("x")}
    large_settings = {"d_model": 1, "n_heads": 2, "d_key": 1, "d_value": 1}
    blind = f"{BY_HAND}, nothing allowed for query 0"
    full = draw.allowed(2, 5, 4)
    return [
        case(BY_HAND, "values", alone(3, 2), 2, gradient=True),
        case("5 tokens, 3 heads, d_key 2, d_value 2", "values", alone(5, 6), 3),
        case("d_key 4, d_value 2", "values", alone(4, 3), 2, 4, 2),
        case("d_key 2, d_value left out", "values", alone(3, 6), 3, d_key=4),
        case("one head", "values", alone(3, 4), 1),
        case("one token", "values", alone(1, 4), 2, dtype="float32"),
        case(f"{BY_HAND}: 2 queries, 3 keys", "other sequence", pair((2, 2), (3, 2)), 2, gradient=True),
        case(f"{BY_HAND}: 2 queries, 3 keys, 3 values", "other sequence", three((2, 2), (3, 2)), 2),
        case("batch 2, 4 queries, 5 keys", "other sequence", three((2, 4, 6), (2, 5, 6)), 3, 4, 7),
        case("3 queries, 3 keys, key given alone", "other sequence", pair((3, 4), (3, 4)), 2),
        case("batch 3, as many keys as queries", "other sequence", three((3, 4, 6), (3, 4, 6)), 2),
        case(f"batch 2, {BY_HAND}", "leading dimensions", alone(2, 3, 2), 2),
        case("batch 2, 5 tokens, 3 heads", "leading dimensions", alone(2, 5, 6), 3, 4, 7),
        case("batch 3, 3 tokens, 3 heads", "leading dimensions", alone(3, 3, 9), 3, dtype="float32"),
        case("batch 4, 4 tokens, 4 heads", "leading dimensions", alone(4, 4, 8), 4, dtype="float32"),
        case("two batch dimensions", "leading dimensions", alone(2, 3, 4, 6), 2, dtype="float32"),
        case("inputs that are not contiguous", "strides", alone(2, 4, 6), 3, strided=True),
        case(f"{BY_HAND}, masked", "mask", alone(3, 2), 2, allowed=draw.allowed(3, 3), gradient=True),
        case(f"{SQUARE_BY_HAND}, masked", "mask", alone(2, 2), 2, allowed=draw.allowed(2, 2)),
        case("batch 2, a mask for each item", "mask", pair((2, 5, 6), (2, 4, 6)), 3, allowed=full),
        case(
            f"batch 2, {BY_HAND}, key padding (batch, 1, n_keys)",
            "mask",
            alone(2, 3, 2),
            2,
            allowed=draw.padded(2, 3),
        ),
        case("batch 2, one mask for all", "mask", alone(2, 4, 6), 3, allowed=draw.allowed(4, 4)),
        case("batch 3, 3 tokens, 3 heads, masked", "mask", alone(3, 3, 9), 3, allowed=draw.allowed(3, 3, 3)),
        case("4 tokens, 4 heads, masked", "mask", alone(4, 8), 4, allowed=draw.allowed(4, 4)),
        case("batch 3, 4 tokens, 3 heads, key padding", "mask", alone(3, 4, 6), 3, allowed=draw.padded(3, 4)),
        case(blind, "nothing allowed", alone(3, 2), 2, allowed=nothing_for(3, 3, 0), gradient=True),
        case(
            "batch 2, nothing allowed for query 1",
            "nothing allowed",
            pair((2, 4, 6), (2, 5, 6)),
            3,
            allowed=nothing_for(4, 5, 1),
            dtype="float32",
        ),
        Case(
            "scores near ±10,000", "large scores", large_case, False, large_settings, _loaded(large_weights)
        ),
        Case(
            "scores near ±10,000, masked",
            "large scores",
            {**large_case, "key": None, "value": None, "allowed": LOWEST},
            False,
            large_settings,
            _loaded(large_weights),
        ),
        case(
            "2 tokens, 3 heads, masked",
            "dtypes",
            alone(2, 6),
            3,
            allowed=draw.allowed(2, 2),
            dtype="bfloat16",
        ),
        case("batch 2, in float32", "dtypes", alone(2, 5, 6), 3, dtype="float32"),
    ]


EXERCISE = ModuleExercise(
    name="MultiHeadAttention",
    prompt="The same as a module with weights to be learned, for one sequence or for two.",
    points=4,
    difficulty=3,
    minutes=25,
    hints=(
        "Four `nn.Linear` without bias, by the names w_query, w_key, w_value and w_out. How many channels has each "
        "on either side, with n_heads heads of d_key and d_value channels?",
        "A missing key is the query, a missing value is the key. The rest of `forward` is `multi_head_attention`, "
        "with three inputs in place of one.",
        "d_key and d_value are sizes of one head: d_model // n_heads where they are None. w_out leads from "
        "n_heads · d_value back to d_model.",
    ),
    returns=Returns(
        names=("output", "weights"), axes=("..., n_queries, d_model", "..., n_heads, n_queries, n_keys")
    ),
    oracle=oracle,
    cases=cases,
    noise=noise,
    variants={
        **made(
            _module,
            {n: w for n, w in MISTAKES.items() if n not in ("heads-averaged", "softmax-over-batch")},
        ),
        "cross-ignores-context": (
            partial(_module, inputs=lambda query, key, value: (query, query, query)),
            partial(_module, inputs=lambda query, key, value: (query, query, _inputs(query, key, value)[2])),
            partial(_module, inputs=lambda query, key, value: _inputs(query, query, value)),
        ),
        "value-from-query": (
            partial(
                _module,
                inputs=lambda query, key, value: (
                    query,
                    query if key is None else key,
                    query if value is None else value,
                ),
            ),
        ),
    },
    words=WORDS
    | {
        "cross-ignores-context": (
            "The other sequence is not looked at",
            "Key and value are handed over, but the query attends to itself. What is found has to "
            "come from the other sequence.",
        ),
        "value-from-query": (
            "Without a value, the query is the value",
            "Keys and values belong together: what is found under a key is that token's own value. A "
            "module that is called with a key and no value uses the key.",
        ),
    },
)

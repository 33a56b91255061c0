from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from course_attention.authoring import Array, Case, Draw, Misconception, ModuleExercise, Returns, properties
from course_attention.exercises.common.attention import Pair
from course_attention.exercises.common.inputs import LOWEST, nothing_for
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import each, made
from course_attention.exercises.multi_head.heads import (
    NAMES,
    heads_oracle,
    multi_head_in_parts,
    multi_head_noise,
)
from course_attention.exercises.multi_head.inputs import BY_HAND, SQUARE_BY_HAND, drawn_weights, large_inputs
from course_attention.exercises.multi_head.mistakes import MISTAKES
from course_attention.exercises.multi_head.words import WORDS


def _inputs(query, key, value) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    key = query if key is None else key
    return query, key, key if value is None else value


def oracle(query, key=None, value=None, allowed=None, *, d_model, n_heads, d_key=None, d_value=None, **loaded) -> Pair:
    """Take the query for a missing key, and the key for a missing value."""
    weights = tuple(loaded[name].T for name in NAMES)
    return heads_oracle(*_inputs(query, key, value), weights, n_heads, allowed)


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


def noise(query, key=None, value=None, allowed=None, *, n_heads, **rest) -> tuple[float, float]:
    return multi_head_noise(*_inputs(query, key, value), tuple(rest[name].T for name in NAMES), n_heads)


def _loaded(weights: Mapping[str, Array]) -> dict[str, Array]:
    """As `nn.Linear` holds them: (d_out, d_in), by the names of a state_dict."""
    return {f"{n}.weight": Array(np.ascontiguousarray(w.values.T), w.dtype) for n, w in weights.items()}


def cases(draw: Draw) -> list[Case]:
    """Self-attention with one argument, key without value, all three; sizes given and left out."""

    def case(
        title,
        name,
        shapes,
        n_heads,
        d_key=None,
        d_value=None,
        allowed=None,
        gradient=False,
        d_model=None,
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
    large_scores, mask = properties.LARGE_SCORES, properties.MASK
    return [
        case(BY_HAND, properties.VALUES, alone(3, 2), 2, gradient=True),
        case("5 tokens, 3 heads, d_key 2, d_value 2", properties.VALUES, alone(5, 6), 3),
        case("d_key 4, d_value 2", properties.VALUES, alone(4, 3), 2, 4, 2),
        case("d_key 2, d_value left out", properties.VALUES, alone(3, 6), 3, d_key=4),
        case("one head", properties.VALUES, alone(3, 4), 1),
        case("one token", properties.VALUES, alone(1, 4), 2, dtype="float32"),
        case(f"{BY_HAND}: 2 queries, 3 keys", properties.OTHER_SEQUENCE, pair((2, 2), (3, 2)), 2, gradient=True),
        case(f"{BY_HAND}: 2 queries, 3 keys, 3 values", properties.OTHER_SEQUENCE, three((2, 2), (3, 2)), 2),
        case("batch 2, 4 queries, 5 keys", properties.OTHER_SEQUENCE, three((2, 4, 6), (2, 5, 6)), 3, 4, 7),
        case("3 queries, 3 keys, key given alone", properties.OTHER_SEQUENCE, pair((3, 4), (3, 4)), 2),
        case("batch 3, as many keys as queries", properties.OTHER_SEQUENCE, three((3, 4, 6), (3, 4, 6)), 2),
        case(f"batch 2, {BY_HAND}", properties.LEADING_DIMENSIONS, alone(2, 3, 2), 2),
        case("batch 2, 5 tokens, 3 heads", properties.LEADING_DIMENSIONS, alone(2, 5, 6), 3, 4, 7),
        case("batch 3, 3 tokens, 3 heads", properties.LEADING_DIMENSIONS, alone(3, 3, 9), 3, dtype="float32"),
        case("batch 4, 4 tokens, 4 heads", properties.LEADING_DIMENSIONS, alone(4, 4, 8), 4, dtype="float32"),
        case("two batch dimensions", properties.LEADING_DIMENSIONS, alone(2, 3, 4, 6), 2, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, alone(2, 4, 6), 3, strided=True),
        case(f"{BY_HAND}, masked", mask, alone(3, 2), 2, allowed=draw.allowed(3, 3), gradient=True),
        case(f"{SQUARE_BY_HAND}, masked", mask, alone(2, 2), 2, allowed=draw.allowed(2, 2)),
        case("batch 2, a mask for each item", mask, pair((2, 5, 6), (2, 4, 6)), 3, allowed=full),
        case(
            f"batch 2, {BY_HAND}, key padding (batch, 1, n_keys)",
            mask,
            alone(2, 3, 2),
            2,
            allowed=draw.padded(2, 3),
        ),
        case("batch 2, one mask for all", mask, alone(2, 4, 6), 3, allowed=draw.allowed(4, 4)),
        case(
            "two batch dimensions, a mask for each item",
            mask,
            alone(2, 3, 4, 6),
            2,
            allowed=draw.allowed(2, 3, 4, 4),
        ),
        case("batch 3, 3 tokens, 3 heads, masked", mask, alone(3, 3, 9), 3, allowed=draw.allowed(3, 3, 3)),
        case("4 tokens, 4 heads, masked", mask, alone(4, 8), 4, allowed=draw.allowed(4, 4)),
        case("batch 3, 4 tokens, 3 heads, key padding", mask, alone(3, 4, 6), 3, allowed=draw.padded(3, 4)),
        case(blind, properties.NOTHING_ALLOWED, alone(3, 2), 2, allowed=nothing_for(0, 3, 3), gradient=True),
        case(
            "batch 2, nothing allowed for query 1",
            properties.NOTHING_ALLOWED,
            pair((2, 4, 6), (2, 5, 6)),
            3,
            allowed=nothing_for(1, 4, 5),
            dtype="float32",
        ),
        Case("scores near ±10,000", large_scores, large_case, False, large_settings, _loaded(large_weights)),
        Case(
            "scores near ±10,000, masked",
            large_scores,
            {**large_case, "key": None, "value": None, "allowed": LOWEST},
            False,
            large_settings,
            _loaded(large_weights),
        ),
        case(
            "2 tokens, 3 heads, masked",
            properties.DTYPES,
            alone(2, 6),
            3,
            allowed=draw.allowed(2, 2),
            dtype="bfloat16",
        ),
        case("batch 2, in float32", properties.DTYPES, alone(2, 5, 6), 3, dtype="float32"),
    ]


def key_or_none(inputs: Any) -> Array | None:
    """Return the keys of a mutant's input; without them the queries are the keys."""
    if inputs.rng.random() < 0.4:
        inputs.known("n_keys", inputs.of("n_queries"))
        return None
    return inputs.floats(*inputs.shape("... n_keys d_model"))


EXERCISE = ModuleExercise(
    name="MultiHeadAttention",
    prompt="The same as a module with weights to be learned, for one sequence or for two.",
    points=3,
    difficulty=3,
    minutes=20,
    hints=(
        "Four `nn.Linear` without bias, by the names w_query, w_key, w_value and w_out. How many channels has each "
        "on either side, with n_heads heads of d_key and d_value channels?",
        "A missing key is the query, a missing value is the key. The rest of `forward` is `multi_head_attention`, "
        "with three inputs in place of one.",
        "d_key and d_value are sizes of one head: d_model // n_heads where they are None. w_out leads from "
        "n_heads · d_value back to d_model.",
    ),
    ready_made=ATTENTION,
    returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_model", "..., n_heads, n_queries, n_keys")),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"d_model": lambda inputs: inputs.multiple("n_heads"), "key": key_or_none},
    noise=noise,
    words=WORDS,
    misconceptions={
        **made(_module, {n: w for n, w in MISTAKES.items() if n not in ("heads-averaged", "softmax-over-batch")}),
        "cross-ignores-context": Misconception(
            "Keys or values are made from the query, although others are given",
            "What is found, keys and values alike, comes from what is given as key and value. Where both are made from "
            "the query, it attends to itself.",
            each(
                _module,
                "inputs",
                lambda query, key, value: (query, query, query),
                lambda query, key, value: (query, query, _inputs(query, key, value)[2]),
                lambda query, key, value: _inputs(query, query, value),
            ),
        ),
        "value-ignored": Misconception(
            "The value that is given is not used",
            "A key says where to look, and its value what is found there. The key takes the place of the value only "
            "where no value is given.",
            each(_module, "inputs", lambda query, key, value: _inputs(query, key, None)),
        ),
        "value-from-query": Misconception(
            "Without a value, the query is the value",
            "Keys and values belong together: what is found under a key is that token's own value. A "
            "module that is called with a key and no value uses the key.",
            (
                partial(
                    _module,
                    inputs=lambda query, key, value: (
                        query,
                        query if key is None else key,
                        query if value is None else value,
                    ),
                ),
            ),
        ),
    },
)

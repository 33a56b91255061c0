"""Self-attention: its oracle, cases and misconceptions, for a function of matrices and for a layer."""

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, properties
from course_attention.exercises.common.attention import (
    ATTENTION_MISTAKES,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    dot,
    largest,
    pairwise,
    scaled_by,
)
from course_attention.exercises.common.inputs import LOWEST, nothing_for, nothing_in_one_item, of
from course_attention.exercises.common.mistakes import cleaned
from course_attention.exercises.common.variants import variants

BY_HAND = "3 tokens, d_model 2, d_key 2"

BATCH_BY_HAND = f"batch 2, {BY_HAND}"


def sequence(
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


def inputs_by_hand(draw: Draw, *batch: int, d_value: int = 1) -> dict[str, Array]:
    return {
        "x": _small(draw, *batch, 3, 2),
        "w_query": _small(draw, 2, 2),
        "w_key": _small(draw, 2, 2),
        "w_value": draw.halves(2, d_value),
    }


def large_inputs() -> dict[str, Array]:
    """Scores near ±11,000, at least 400 apart, so that rounding does not decide which token wins.

    The largest score of each token is far from that of the others: each row needs a maximum of its own.
    """
    x = of([[110.0, 1.0, 0.0], [-100.0, 2.0, 1.0], [95.0, -1.0, 3.0]])
    w_value = of([[0.0, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 2.0]])
    one = of([[1.0], [0.0], [0.0]])
    return {"x": x, "w_query": one, "w_key": one, "w_value": w_value}


def batched(draw: Draw) -> list[Case]:
    """Return the cases of sequences in a batch, which every exercise of this topic that takes matrices has."""
    return [
        Case("batch 2, 5 tokens", properties.LEADING_DIMENSIONS, sequence(draw, (2,), 5, 4, 3, 6)),
        Case("every size 3, batch 3", properties.LEADING_DIMENSIONS, sequence(draw, (3,), 3, 3, 3, 3)),
        Case(
            "two batch dimensions",
            properties.LEADING_DIMENSIONS,
            sequence(draw, (2, 3), 4, 5, 2, 6, dtype="float32"),
        ),
        Case(
            "inputs that are not contiguous",
            properties.STRIDES,
            sequence(draw, (2,), 4, 3, 5, 6, strided=True),
        ),
    ]


def self_attention_cases(draw: Draw) -> list[Case]:
    """Plain, batched, square, masked, with nothing allowed, large, not contiguous, in three dtypes."""
    by_hand = inputs_by_hand(draw)
    masked = {**inputs_by_hand(draw), "allowed": draw.allowed(3, 3)}
    batch_by_hand = inputs_by_hand(draw, 2)
    full = {**sequence(draw, (2,), 5, 3, 4, 6), "allowed": draw.allowed(2, 5, 5)}
    padded = {**inputs_by_hand(draw, 2), "allowed": draw.padded(2, 3)}
    shared = {**sequence(draw, (3, 2), 4, 3, 5, 2), "allowed": draw.allowed(4, 4)}
    each = {**sequence(draw, (3, 2), 4, 3, 2, 5), "allowed": draw.allowed(3, 2, 4, 4)}
    square = {**sequence(draw, (3,), 3, 3, 3, 3), "allowed": draw.allowed(3, 3, 3)}
    square_padded = {**sequence(draw, (3,), 4, 4, 4, 4), "allowed": draw.padded(3, 4)}
    blind = {**inputs_by_hand(draw), "allowed": nothing_for(0, 3, 3)}
    blind_batch = {**sequence(draw, (2,), 4, 3, 5, 6, dtype="float32"), "allowed": nothing_for(1, 4, 4)}
    blind_items = {**sequence(draw, (2,), 4, 3, 5, 6), "allowed": nothing_in_one_item(4, 4)}
    all_or_nothing = {**sequence(draw, (), 3, 2, 2, 2), "allowed": of([[True], [False], [True]], "bool")}
    unmasked = {**sequence(draw, (), 4, 3, 2, 5), "allowed": None}
    halved = {**sequence(draw, (), 3, 4, 2, 5, dtype="bfloat16"), "allowed": draw.allowed(3, 3)}
    return [
        Case(BY_HAND, properties.VALUES, by_hand, gradient=True),
        Case("4 tokens, d_model 3, d_key 2, d_value 5", properties.VALUES, unmasked),
        Case(f"{BY_HAND}, d_value 2", properties.VALUES, inputs_by_hand(draw, d_value=2)),
        Case("d_key 1", properties.VALUES, sequence(draw, (), 4, 3, 1, 2)),
        Case("one token", properties.VALUES, sequence(draw, (), 1, 3, 4, 2, dtype="float32")),
        Case(BATCH_BY_HAND, properties.LEADING_DIMENSIONS, batch_by_hand),
        *batched(draw),
        Case(f"{BY_HAND}, masked", properties.MASK, masked, gradient=True),
        Case("batch 2, a mask for each item", properties.MASK, full),
        Case(f"{BATCH_BY_HAND}, key padding (batch, 1, n_tokens)", properties.MASK, padded),
        Case("two batch dimensions, one mask for all", properties.MASK, shared),
        Case("two batch dimensions, a mask for each item", properties.MASK, each),
        Case("every size 3, batch 3, masked", properties.MASK, square),
        Case("every size 4, batch 3, key padding", properties.MASK, square_padded),
        Case(f"{BY_HAND}, nothing allowed for token 0", properties.NOTHING_ALLOWED, blind, gradient=True),
        Case("batch 2, nothing allowed for token 1", properties.NOTHING_ALLOWED, blind_batch),
        Case(
            "batch 2, a mask for each item, nothing allowed for one token",
            properties.NOTHING_ALLOWED,
            blind_items,
        ),
        Case("a mask (n_tokens, 1), nothing allowed for token 1", properties.NOTHING_ALLOWED, all_or_nothing),
        Case("scores near ±11,000", properties.LARGE_SCORES, large_inputs()),
        Case("scores near ±11,000, masked", properties.LARGE_SCORES, {**large_inputs(), "allowed": LOWEST}),
        Case("3 tokens, masked", properties.DTYPES, halved),
        Case("batch 2, in float32", properties.DTYPES, sequence(draw, (2,), 5, 3, 4, 6, dtype="float32")),
    ]


Triple = tuple[np.ndarray, np.ndarray, np.ndarray]


def project_oracle(x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> Triple:
    """x · column of w, for each token and each column."""
    return pairwise(x, w_query.T, dot), pairwise(x, w_key.T, dot), pairwise(x, w_value.T, dot)


def self_oracle(
    x: np.ndarray,
    w_query: np.ndarray,
    w_key: np.ndarray,
    w_value: np.ndarray,
    allowed: np.ndarray | None = None,
) -> Pair:
    """Attention with queries, keys and values from x."""
    return attention_oracle(*project_oracle(x, w_query, w_key, w_value), allowed)


Project = Callable[..., Triple]


def _project(x, w_query, w_key, w_value) -> Triple:
    return x @ w_query, x @ w_key, x @ w_value


def _transposed(*which: int) -> Project:
    """Project with some of the three matrices turned."""

    def project(x, w_query, w_key, w_value):
        return tuple(x @ (w.T if n in which else w) for n, w in enumerate((w_query, w_key, w_value)))

    return project


def projected_from(*sources: int | None) -> Project:
    """Query, key and value, each made with the matrix of this number, or not projected."""

    def project(x, w_query, w_key, w_value):
        weights = (w_query, w_key, w_value)
        return tuple(x if source is None else x @ weights[source] for source in sources)

    return project


QUERY, KEY, VALUE = 0, 1, 2

SHARED = (
    projected_from(QUERY, QUERY, VALUE),
    projected_from(KEY, KEY, VALUE),
    projected_from(QUERY, KEY, QUERY),
    projected_from(QUERY, QUERY, QUERY),
    projected_from(KEY, KEY, KEY),
    projected_from(VALUE, VALUE, VALUE),
)

PROJECTIONS: dict[str, tuple[Project, ...]] = {
    "roles-swapped": (projected_from(KEY, QUERY, VALUE),),
    "shared-projection": SHARED,
    "value-not-projected": (projected_from(QUERY, KEY, None),),
    "no-projection": (projected_from(None, None, None), projected_from(None, None, VALUE)),
    "projection-transposed": (_transposed(0, 1, 2), _transposed(0), _transposed(1), _transposed(2)),
}


def self_attention(x, w_query, w_key, w_value, allowed=None, project=_project, attend=attend) -> Pair:
    return attend(*project(x, w_query, w_key, w_value), allowed)


def _scaled_by_model(x, w_query, w_key, w_value, allowed=None) -> Pair:
    score = scaled_by(lambda query, key, value: np.sqrt(x.shape[-1]))
    return self_attention(x, w_query, w_key, w_value, allowed, attend=partial(attend, score=score))


# Where values are made like keys, the weights average the keys: that has a name of its own.
SELF_MISTAKES = {
    **variants(self_attention, "attend", ATTENTION_MISTAKES),
    **variants(self_attention, "project", PROJECTIONS),
}
SELF_MISTAKES["scale-wrong-axis"] += (_scaled_by_model,)
# Whoever turns NaN into 0 for fully masked rows turns ∞/∞ into 0 as well.
SELF_MISTAKES["softmax-overflows"] += (partial(self_attention, attend=partial(attend, weigh=cleaned)),)


def self_noise(x, w_query, w_key, w_value, allowed=None) -> tuple[float, float]:
    query, key, value = (np.abs(x) @ np.abs(w) for w in (w_query, w_key, w_value))
    inherited = np.sqrt(x.shape[-1])
    output, weights = attention_noise(2 * inherited * query, key, value)
    return output + inherited * largest(value), weights

"""Inputs of queries, keys and values, and the cases that all scores share."""

import numpy as np

from course_attention.authoring import Array, Case, Draw, properties

BY_HAND = "2 queries, 3 keys, d_key 2"

BATCH_BY_HAND = f"batch 2, {BY_HAND}"


def triple(draw: Draw, batch: tuple[int, ...], n_q: int, n_k: int, d_k: int, d_v: int, **kind) -> dict[str, Array]:
    return {
        "query": draw.normal(*batch, n_q, d_k, **kind),
        "key": draw.normal(*batch, n_k, d_k, **kind),
        "value": draw.normal(*batch, n_k, d_v, **kind),
    }


def inputs_by_hand(draw: Draw, *batch: int) -> dict[str, Array]:
    return {
        "query": draw.halves(*batch, 2, 2),
        "key": draw.halves(*batch, 3, 2),
        "value": draw.halves(*batch, 3, 1),
    }


def large_inputs() -> dict[str, Array]:
    """Scores near ±10,000, at least 50 apart once scaled, so that rounding does not decide which key wins.

    The largest score of one query is far from that of the other: each row needs a maximum of its own.
    """
    query = np.array([[120.0, 0.0], [0.0, -100.0]])
    key = np.array([[120.0, 108.0], [-118.0, -120.0], [115.0, -116.0]])
    value = np.array([[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0]])
    return {"query": Array(query, "float32"), "key": Array(key, "float32"), "value": Array(value, "float32")}


def score_cases(draw: Draw, by_hand: dict, make, square_sizes: tuple[int, ...]) -> list[Case]:
    """Draw the cases that all scores share by `make(batch, n_queries, n_keys, d_query, d_key, **kind)`."""
    # The first two are queries and keys, or x and context; what comes after is shared by the batch, but for values.
    batched = {
        name: draw.halves(2, *array.values.shape) if index < 2 or name == "value" else array
        for index, (name, array) in enumerate(by_hand.items())
    }
    several = properties.LEADING_DIMENSIONS
    return [
        Case(BY_HAND, properties.VALUES, by_hand, gradient=True),
        Case("more queries than keys", properties.VALUES, make((), 5, 3, 4, 6, dtype="float32")),
        Case("3 queries, 4 keys", properties.VALUES, make((), 3, 4, 5, 2)),
        Case("one query, one key", properties.VALUES, make((), 1, 1, 2, 3, dtype="float32")),
        Case(BATCH_BY_HAND, several, batched),
        Case("batch 2, 3 queries, 5 keys", several, make((2,), 3, 5, 4, 6)),
        *(Case(f"every size {n}, batch {n}", several, make((n,), n, n, n, n, dtype="float32")) for n in square_sizes),
        Case("two batch dimensions", several, make((2, 3), 4, 5, 2, 6, dtype="float32")),
        Case("inputs that are not contiguous", properties.STRIDES, make((2,), 3, 4, 5, 6, strided=True)),
        Case("2 queries, 3 keys", properties.DTYPES, make((), 2, 3, 4, 5, dtype="bfloat16")),
    ]

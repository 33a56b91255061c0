"""Cases of notebook 02: small ones to check by hand, and ones in which every size differs, or none."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw

BY_HAND = "2 queries, 3 keys, d_key 2"
BATCH_BY_HAND = f"batch 2, {BY_HAND}"


def _triple(
    draw: Draw, batch: tuple[int, ...], n_q: int, n_k: int, d_k: int, d_v: int, **kind
) -> dict[str, Array]:
    return {
        "query": draw.normal(*batch, n_q, d_k, **kind),
        "key": draw.normal(*batch, n_k, d_k, **kind),
        "value": draw.normal(*batch, n_k, d_v, **kind),
    }


def _by_hand(draw: Draw, *batch: int) -> dict[str, Array]:
    return {
        "query": draw.halves(*batch, 2, 2),
        "key": draw.halves(*batch, 3, 2),
        "value": draw.halves(*batch, 3, 1),
    }


def _nothing_for_query(n_queries: int, n_keys: int, query: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


def _large() -> dict[str, Array]:
    """Scores near ±10,000, at least 50 apart once scaled, so that rounding does not decide which key wins."""
    query = np.array([[120.0, 0.0], [0.0, -120.0]])
    key = np.array([[120.0, 108.0], [-118.0, -120.0], [115.0, -116.0]])
    value = np.array([[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0]])
    return {"query": Array(query, "float32"), "key": Array(key, "float32"), "value": Array(value, "float32")}


# Allows only the lowest score of each query: a fill that is not low enough shows.
_LOWEST = Array(np.array([[False, True, False], [True, False, False]]), "bool")


def attention_cases(draw: Draw) -> list[Case]:
    """Plain, batched, square, masked, with nothing allowed, large, not contiguous, in three dtypes."""
    by_hand = _by_hand(draw)
    masked = {**_by_hand(draw), "allowed": draw.allowed(2, 3)}
    full = {**_triple(draw, (2,), 3, 5, 4, 6), "allowed": draw.allowed(2, 3, 5)}
    padded = {**_by_hand(draw, 2), "allowed": draw.padded(2, 3)}
    shared = {**_triple(draw, (3, 2), 3, 4, 5, 2), "allowed": draw.allowed(3, 4)}
    square = {**_triple(draw, (3,), 3, 3, 3, 3), "allowed": draw.allowed(3, 3, 3)}
    square_padded = {**_triple(draw, (3,), 4, 4, 4, 4), "allowed": draw.padded(3, 4)}
    blind = {**_by_hand(draw), "allowed": _nothing_for_query(2, 3, query=0)}
    blind_batch = {
        **_triple(draw, (2,), 3, 4, 5, 6, dtype="float32"),
        "allowed": _nothing_for_query(3, 4, query=1),
    }
    more_queries = {**_triple(draw, (), 5, 3, 2, 4), "allowed": None}
    halved = {**_triple(draw, (), 2, 3, 4, 5, dtype="bfloat16"), "allowed": draw.allowed(2, 3)}
    return [
        Case(BY_HAND, "values", by_hand, gradient=True),
        Case("more queries than keys", "values", more_queries),
        Case("one query, one key", "values", _triple(draw, (), 1, 1, 3, 4, dtype="float32")),
        Case(BATCH_BY_HAND, "leading dimensions", _by_hand(draw, 2)),
        Case("batch 2, 3 queries, 5 keys", "leading dimensions", _triple(draw, (2,), 3, 5, 4, 6)),
        Case("3 queries, 3 keys, d_key 3, batch 3", "leading dimensions", _triple(draw, (3,), 3, 3, 3, 3)),
        Case(
            "two batch dimensions", "leading dimensions", _triple(draw, (2, 3), 4, 5, 2, 6, dtype="float32")
        ),
        Case("not contiguous", "leading dimensions", _triple(draw, (2,), 3, 4, 5, 6, strided=True)),
        Case(f"{BY_HAND}, masked", "mask", masked, gradient=True),
        Case("batch 2, a mask for each item", "mask", full),
        Case(f"{BATCH_BY_HAND}, key padding (batch, 1, n_keys)", "mask", padded),
        Case("two batch dimensions, one mask for all", "mask", shared),
        Case("3 queries, 3 keys, batch 3, masked", "mask", square),
        Case("4 queries, 4 keys, key padding", "mask", square_padded),
        Case(f"{BY_HAND}, nothing allowed for query 0", "nothing allowed", blind, gradient=True),
        Case("batch 2, nothing allowed for query 1", "nothing allowed", blind_batch),
        Case("scores near ±10,000", "large scores", _large()),
        Case("scores near ±10,000, masked", "large scores", {**_large(), "allowed": _LOWEST}),
        Case("2 queries, 3 keys, masked", "dtypes", halved),
        Case("batch 2, in float32", "dtypes", _triple(draw, (2,), 3, 5, 4, 6, dtype="float32")),
    ]


def columns_cases(draw: Draw) -> list[Case]:
    """Tokens as columns: no batch."""

    def case(title: str, name: str, n_q: int, n_k: int, d_k: int, d_v: int, **kind) -> Case:
        arguments = {
            "query": draw.normal(d_k, n_q, **kind),
            "key": draw.normal(d_k, n_k, **kind),
            "value": draw.normal(d_v, n_k, **kind),
        }
        return Case(title, name, arguments)

    by_hand = {"query": draw.halves(2, 2), "key": draw.halves(2, 3), "value": draw.halves(1, 3)}
    large = {
        name: Array(np.ascontiguousarray(array.values.T), array.dtype) for name, array in _large().items()
    }
    return [
        Case(BY_HAND, "values", by_hand, gradient=True),
        case("3 queries, 5 keys, d_key 4, d_value 6", "values", 3, 5, 4, 6),
        case("more queries than keys", "values", 5, 3, 4, 2, dtype="float32"),
        case("3 queries, 3 keys, d_key 3, d_value 3", "values", 3, 3, 3, 3),
        case("4 queries, 4 keys, d_key 4, d_value 4", "values", 4, 4, 4, 4, dtype="float32"),
        case("one query, one key", "values", 1, 1, 3, 2, dtype="float32"),
        case("not contiguous", "values", 3, 4, 5, 6, strided=True),
        Case("scores near ±10,000", "large scores", large),
        case("2 queries, 3 keys", "dtypes", 2, 3, 4, 5, dtype="bfloat16"),
    ]


def _score_cases(draw: Draw, by_hand: dict, make, square_sizes: tuple[int, ...]) -> list[Case]:
    """The cases that all scores share; `make(batch, n_queries, n_keys, d_query, d_key, **kind)` draws arguments."""
    # The first two are queries and keys, or x and context; what comes after is shared by the batch, but for values.
    batched = {
        name: draw.halves(2, *array.values.shape) if index < 2 or name == "value" else array
        for index, (name, array) in enumerate(by_hand.items())
    }
    return [
        Case(BY_HAND, "values", by_hand, gradient=True),
        Case("more queries than keys", "values", make((), 5, 3, 4, 6, dtype="float32")),
        Case("3 queries, 4 keys", "values", make((), 3, 4, 5, 2)),
        Case("one query, one key", "values", make((), 1, 1, 2, 3, dtype="float32")),
        Case(BATCH_BY_HAND, "leading dimensions", batched),
        Case("batch 2, 3 queries, 5 keys", "leading dimensions", make((2,), 3, 5, 4, 6)),
        *(
            Case(f"every size {n}, batch {n}", "leading dimensions", make((n,), n, n, n, n, dtype="float32"))
            for n in square_sizes
        ),
        Case("two batch dimensions", "leading dimensions", make((2, 3), 4, 5, 2, 6, dtype="float32")),
        Case("not contiguous", "leading dimensions", make((2,), 3, 4, 5, 6, strided=True)),
        Case("2 queries, 3 keys", "dtypes", make((), 2, 3, 4, 5, dtype="bfloat16")),
    ]


def bilinear_cases(draw: Draw) -> list[Case]:
    """Queries and keys of different sizes, and of the same."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_k: int, **kind) -> dict[str, Array]:
        return {
            "query": draw.normal(*batch, n_q, d_q, **kind),
            "key": draw.normal(*batch, n_k, d_k, **kind),
            "weight": draw.normal(d_q, d_k, **kind),
        }

    by_hand = {"query": draw.halves(2, 2), "key": draw.halves(3, 2), "weight": draw.halves(2, 2)}
    return _score_cases(draw, by_hand, make, square_sizes=(3, 4))


def additive_cases(draw: Draw) -> list[Case]:
    """Queries and keys of different sizes, projected to a third."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_k: int, **kind) -> dict[str, Array]:
        d_hidden = d_q if d_q == d_k else d_q + 1
        return {
            "query": draw.normal(*batch, n_q, d_q, **kind),
            "key": draw.normal(*batch, n_k, d_k, **kind),
            "w_query": draw.normal(d_q, d_hidden, **kind),
            "w_key": draw.normal(d_k, d_hidden, **kind),
            "w_score": draw.normal(d_hidden, **kind),
        }

    by_hand = {
        "query": draw.halves(2, 1),
        "key": draw.halves(3, 1),
        "w_query": draw.halves(1, 2),
        "w_key": draw.halves(1, 2),
        "w_score": draw.halves(2),
    }
    return _score_cases(draw, by_hand, make, square_sizes=(3,))


def gaussian_cases(draw: Draw) -> list[Case]:
    """Widths below and above 1, so that a width and its square differ either way."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_k: int, **kind) -> dict[str, object]:
        query, key = draw.normal(*batch, n_q, d_q, **kind), draw.normal(*batch, n_k, d_q, **kind)
        return {"query": query, "key": key, "width": float(draw.rng.choice([0.5, 1.5, 2.0, 3.0]))}

    by_hand = {"query": draw.halves(2, 2), "key": draw.halves(3, 2), "width": 0.5}
    return _score_cases(draw, by_hand, make, square_sizes=(3,))


def mean_cases(draw: Draw) -> list[Case]:
    """No softmax: large scores are no trouble."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_v: int, **kind) -> dict[str, Array]:
        return _triple(draw, batch, n_q, n_k, d_q, d_v, **kind)

    return _score_cases(draw, _by_hand(draw), make, square_sizes=(3,))


def cross_cases(draw: Draw) -> list[Case]:
    """x and context of different length and size, and of the same."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_x: int, d_c: int, **kind) -> dict[str, Array]:
        d_key, d_value = (d_x, d_c) if d_x == d_c else (d_x + 1, d_c + 1)
        weights = {"dtype": kind.get("dtype", "float64")}
        return {
            "x": draw.normal(*batch, n_q, d_x, **kind),
            "context": draw.normal(*batch, n_k, d_c, **kind),
            "w_query": draw.normal(d_x, d_key, **weights),
            "w_key": draw.normal(d_c, d_key, **weights),
            "w_value": draw.normal(d_c, d_value, **weights),
        }

    by_hand = {
        "x": draw.halves(2, 2),
        "context": draw.halves(3, 2),
        "w_query": draw.halves(2, 2),
        "w_key": draw.halves(2, 2),
        "w_value": draw.halves(2, 1),
    }
    same_size = {
        "x": draw.normal(2, 3, 4),
        "context": draw.normal(2, 5, 4),
        "w_query": draw.normal(4, 6),
        "w_key": draw.normal(4, 6),
        "w_value": draw.normal(4, 2),
    }
    large = {
        "x": Array(np.array([[100.0], [-100.0]]), "float32"),
        "context": Array(np.array([[100.0], [-97.0], [94.0]]), "float32"),
        "w_query": Array(np.array([[1.0]]), "float32"),
        "w_key": Array(np.array([[1.0]]), "float32"),
        "w_value": Array(np.array([[1.0, -0.5]]), "float32"),
    }
    return [
        *_score_cases(draw, by_hand, make, square_sizes=(3, 4)),
        Case("x and context of the same size", "values", same_size),
        Case("scores near ±10,000", "large scores", large),
    ]

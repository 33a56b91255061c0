"""Cases of notebook 05: masks made from sizes, and scores to be weighed under masks."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw


def causal_cases(draw: Draw) -> list[Case]:
    """As many keys as queries, more, and fewer."""

    def case(property: str, n_queries: int, n_keys: int | None = None) -> Case:
        sizes = {"n_queries": n_queries} | ({} if n_keys is None else {"n_keys": n_keys})
        keys = f"{n_keys} keys" if n_keys else "as many keys"
        return Case(f"{n_queries} queries, {keys}", property, sizes)

    n, more = int(draw.rng.integers(5, 9)), int(draw.rng.integers(2, 5))
    return [
        case("values", 3),
        case("values", 4, 4),
        case("values", n),
        case("alignment", 2, 4),
        case("alignment", 4, 2),
        case("alignment", 3, 4),
        case("alignment", n, n + more),
        case("alignment", n, n - more),
        case("edges", 1, 1),
        case("edges", 1, 4),
        case("edges", 4, 1),
    ]


def window_cases(draw: Draw) -> list[Case]:
    """Windows narrower than the sequence, of one key, as wide as the sequence, and wider."""

    def case(property: str, n_tokens: int, width: int) -> Case:
        return Case(f"{n_tokens} tokens, width {width}", property, {"n_tokens": n_tokens, "width": width})

    n = int(draw.rng.integers(7, 11))
    return [
        case("values", 4, 2),
        case("values", 5, 3),
        case("values", 8, 4),
        case("values", n, int(draw.rng.integers(3, n - 1))),
        case("edges", 3, 1),
        case("edges", 3, 3),
        case("edges", 3, 5),
        case("edges", 1, 1),
        case("edges", 1, 2),
    ]


def padding_cases(draw: Draw) -> list[Case]:
    """Lengths of every size up to the number of keys, 0 among them."""

    def case(title: str, property: str, lengths: list[int] | np.ndarray, n_keys: int, strided=False) -> Case:
        array = Array(np.asarray(lengths, dtype=np.int64), "int64", strided)
        return Case(title, property, {"lengths": array, "n_keys": n_keys})

    n_keys = int(draw.rng.integers(5, 9))
    drawn = draw.rng.permutation(np.arange(1, n_keys))[:4]
    square = draw.rng.permutation(np.arange(1, 4))
    return [
        case("batch 1, 4 keys", "values", [2], 4),
        case("batch 2, 3 keys", "values", [1, 3], 3),
        case("batch 2, 4 keys", "values", [3, 1], 4),
        case(f"batch 4, {n_keys} keys", "values", drawn, n_keys),
        case("batch 3, 3 keys", "values", square, 3),
        case("not contiguous", "values", drawn[:3], n_keys, strided=True),
        case("batch 2, 1 key", "edges", [1, 1], 1),
        case("batch 3, one of length 0", "edges", [2, 0, 3], 4),
        case("batch 2, no padding", "edges", [2, 2], 2),
    ]


def _nothing_for_query(n_queries: int, n_keys: int, query: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


def softmax_cases(draw: Draw) -> list[Case]:
    """Masks of the scores' shape and ones that broadcast to it, with nothing allowed, none at all, large scores."""

    def case(title: str, property: str, scores: Array, allowed: Array | None, gradient: bool = False) -> Case:
        return Case(title, property, {"scores": scores, "allowed": allowed}, gradient)

    large = Array(np.array([[1e4, -1.01e4, 9.9e3], [-9.2e3, -9.2e3 - 1, -1e4]]), "float32")
    # Allows only the lowest score of the first query: a fill that is not low enough shows.
    lowest = Array(np.array([[False, True, False], [False, False, True]]), "bool")
    pair = "2 queries, 3 keys"
    # An item of nothing but padding, and one without any.
    empty = Array(np.array([[[True, True, False, False]], [[False] * 4], [[True] * 4]]), "bool")
    return [
        case(f"{pair}, masked", "mask", draw.halves(2, 3), draw.allowed(2, 3), gradient=True),
        case(f"batch 2, {pair}, masked", "mask", draw.halves(2, 2, 3), draw.allowed(2, 2, 3)),
        case(
            f"batch 2, {pair}, key padding (batch, 1, n_keys)",
            "mask",
            draw.halves(2, 2, 3),
            draw.padded(2, 3),
        ),
        case("batch 2, 3 queries, 5 keys", "mask", draw.normal(2, 3, 5), draw.allowed(2, 3, 5)),
        case("batch 3, 3 queries, 3 keys", "mask", draw.normal(3, 3, 3), draw.allowed(3, 3, 3)),
        case("4 queries, 4 keys, key padding", "mask", draw.normal(3, 4, 4), draw.padded(3, 4)),
        case("more queries than keys", "mask", draw.normal(5, 3, dtype="float32"), draw.allowed(5, 3)),
        case(f"{pair}, allowed None", "values", draw.halves(2, 3), None, gradient=True),
        case(
            "batch 2, 3 queries, 5 keys, allowed None", "values", draw.normal(2, 3, 5, dtype="float32"), None
        ),
        case(
            "one query, one key",
            "values",
            draw.normal(1, 1, dtype="float32"),
            Array(np.ones((1, 1), bool), "bool"),
        ),
        case(
            "two batch dimensions, one mask for all",
            "leading dimensions",
            draw.normal(3, 2, 4, 5),
            draw.allowed(4, 5),
        ),
        case(
            "two batch dimensions, a mask for each",
            "leading dimensions",
            draw.normal(2, 3, 4, 5),
            draw.allowed(2, 3, 4, 5),
        ),
        case(
            "not contiguous", "leading dimensions", draw.normal(2, 3, 4, strided=True), draw.allowed(2, 3, 4)
        ),
        case(
            f"{pair}, nothing allowed for query 0",
            "nothing allowed",
            draw.halves(2, 3),
            _nothing_for_query(2, 3, 0),
            True,
        ),
        case(
            "batch 2, nothing allowed for query 1",
            "nothing allowed",
            draw.normal(2, 3, 4, dtype="float32"),
            _nothing_for_query(3, 4, 1),
        ),
        case("batch 3, nothing but padding in item 1", "nothing allowed", draw.normal(3, 2, 4), empty),
        case("scores near ±10,000, masked", "large scores", large, lowest),
        case("scores near ±10,000, allowed None", "large scores", large, None),
        case(f"{pair}, masked", "dtypes", draw.normal(2, 3, dtype="bfloat16"), draw.allowed(2, 3)),
        case("batch 2, in float32", "dtypes", draw.normal(2, 3, 5, dtype="float32"), draw.allowed(2, 3, 5)),
    ]

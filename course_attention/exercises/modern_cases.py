"""Cases of notebook 09: short sequences by hand, blocks that come out even and that do not, scores that only rise."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.modern_parts import elu
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw

STEP_BY_HAND = "2 tokens in the cache, d_key 2, d_value 1"
GROUPED_BY_HAND = "2 heads, 1 group, 2 queries, 3 keys, d_key 2, d_value 1"
FOUR_HEADS = "4 heads, 2 groups, 1 query, 2 keys, d_key 1, d_value 1"
BLOCKS_BY_HAND = "2 queries, 3 keys, d_key 2, d_value 1, blocks of 2"
LINEAR_BY_HAND = "2 queries, 3 keys, d_key 2, d_value 1"


def _triple(
    draw: Draw, query: tuple[int, ...], key: tuple[int, ...], d_value: int, by_hand: bool = False, **kind
) -> dict[str, Array]:
    make = draw.halves if by_hand else draw.normal
    shapes = {"query": query, "key": key, "value": (*key[:-1], d_value)}
    return {name: make(*shape, **kind) for name, shape in shapes.items()}


def _of(numbers: list, dtype: str = "float32") -> Array:
    return Array(np.array(numbers), dtype)


def _nothing_for(n_queries: int, n_keys: int, query: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


def cached_cases(draw: Draw) -> list[Case]:
    """The first token, the second, a later one; with no batch and with several; scores near ±10,000."""

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        n_past: int | None,
        d_key: int,
        d_value: int,
        by_hand: bool = False,
        gradient: bool = False,
        **kind,
    ) -> Case:
        newest = _triple(draw, (*batch, 1, d_key), (*batch, 1, d_key), d_value, by_hand, **kind)
        if n_past is None:
            return Case(title, name, {**newest, "cache": None}, gradient)
        past = _triple(draw, (), (*batch, n_past, d_key), d_value, by_hand, **kind)
        return Case(title, name, {**newest, "cache": (past["key"], past["value"])}, gradient)

    large = {
        "query": _of([[120.0, 0.0]]),
        "key": _of([[108.0, -50.0]]),
        "value": _of([[1.0, -2.0, 0.5]]),
        "cache": (
            _of([[-118.0, 3.0], [120.0, 40.0], [-120.0, 60.0]]),
            _of([[3.0, 1.0, -1.0], [-0.5, 2.0, 4.0], [2.0, -1.0, 1.0]]),
        ),
    }
    return [
        case(STEP_BY_HAND, "values", (), 2, 2, 1, by_hand=True, gradient=True),
        case("1 token in the cache, d_key 2, d_value 1", "values", (), 1, 2, 1, by_hand=True),
        case("5 tokens in the cache, d_key 4, d_value 3", "values", (), 5, 4, 3),
        case("2 tokens in the cache, d_key 3, d_value 3", "values", (), 2, 3, 3),
        case("the first token: no cache", "first token", (), None, 2, 1, by_hand=True, gradient=True),
        case("the first tokens of a batch of 2: no cache", "first token", (2,), None, 3, 4),
        case(f"batch 2, {STEP_BY_HAND}", "leading dimensions", (2,), 2, 2, 1, by_hand=True),
        case("batch 3, 4 tokens in the cache", "leading dimensions", (3,), 4, 5, 2),
        case("batch 3, every size 3", "leading dimensions", (3,), 3, 3, 3, dtype="float32"),
        case("batch (1, 1), 1 token in the cache", "leading dimensions", (1, 1), 1, 2, 3),
        case(
            "batch 2, 3 heads, 4 tokens in the cache", "leading dimensions", (2, 3), 4, 5, 6, dtype="float32"
        ),
        case("not contiguous", "leading dimensions", (2,), 4, 5, 3, strided=True),
        Case("scores near ±10,000", "large scores", large),
        case("3 tokens in the cache", "dtypes", (), 3, 4, 5, dtype="bfloat16"),
        case("batch 2, in float32", "dtypes", (2,), 3, 4, 5, dtype="float32"),
    ]


def grouped_cases(draw: Draw) -> list[Case]:
    """One group for all, several, and one for each head; masked for all heads alike and head by head."""

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        heads: tuple[int, int],
        sizes: tuple[int, int, int, int],
        allowed: Array | None = None,
        by_hand: bool = False,
        gradient: bool = False,
        **kind,
    ) -> Case:
        (n_heads, n_groups), (n_queries, n_keys, d_key, d_value) = heads, sizes
        query, key = (*batch, n_heads, n_queries, d_key), (*batch, n_groups, n_keys, d_key)
        arguments = _triple(draw, query, key, d_value, by_hand, **kind)
        if allowed is not None:
            arguments["allowed"] = allowed
        return Case(title, name, arguments, gradient)

    small, four, cube = (2, 3, 2, 1), (1, 2, 1, 1), (4, 4, 4, 4)
    # Head 1 looks the other way, so that its lowest score is another key's.
    large = {
        "query": _of([[[120.0, 0.0], [0.0, -120.0]], [[-120.0, 0.0], [0.0, 120.0]]]),
        "key": _of([[[120.0, 108.0], [-118.0, -120.0], [115.0, -116.0]]]),
        "value": _of([[[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0]]]),
    }
    lowest = np.array(
        [[[False, True, False], [True, False, False]], [[True, False, False], [False, True, False]]]
    )
    full = draw.allowed(2, 6, 3, 5)
    padded = draw.padded(2, 4).values[:, None]
    return [
        case(GROUPED_BY_HAND, "values", (), (2, 1), small, by_hand=True, gradient=True),
        case(FOUR_HEADS, "values", (), (4, 2), four, by_hand=True),
        case("6 heads, 3 groups, 4 queries, 5 keys", "values", (), (6, 3), (4, 5, 2, 7)),
        case("2 heads, 2 groups", "values", (), (2, 2), (3, 4, 5, 6), dtype="float32"),
        case("4 heads, 2 groups, every size 4", "values", (), (4, 2), cube),
        case("4 heads, 1 group, one token", "values", (), (4, 1), (1, 1, 3, 2)),
        case(f"batch 2, {GROUPED_BY_HAND}", "leading dimensions", (2,), (2, 1), small, by_hand=True),
        case("batch 2, 6 heads, 2 groups", "leading dimensions", (2,), (6, 2), (3, 5, 4, 7)),
        case("batch 4, 4 heads, 2 groups, every size 4", "leading dimensions", (4,), (4, 2), cube),
        case("batch 1, 2 heads, 1 group", "leading dimensions", (1,), (2, 1), (3, 4, 5, 2)),
        case("two batch dimensions", "leading dimensions", (2, 3), (4, 2), (2, 5, 3, 1), dtype="float32"),
        case("not contiguous", "leading dimensions", (2,), (4, 2), (3, 5, 6, 1), strided=True),
        case(
            f"{GROUPED_BY_HAND}, masked",
            "mask",
            (),
            (2, 1),
            small,
            draw.allowed(2, 3),
            by_hand=True,
            gradient=True,
        ),
        case("2 heads, 1 group, a mask for each head", "mask", (), (2, 1), small, draw.allowed(2, 2, 3)),
        case("batch 2, a mask for each item and head", "mask", (2,), (6, 3), (3, 5, 4, 2), full),
        case(
            "batch 2, key padding (batch, 1, 1, n_keys)",
            "mask",
            (2,),
            (4, 2),
            (3, 4, 2, 5),
            Array(padded, "bool"),
        ),
        case(
            "batch 3, 3 heads, 4 queries, 4 keys, key padding",
            "mask",
            (3,),
            (3, 1),
            cube,
            Array(draw.padded(3, 4).values[:, None], "bool"),
        ),
        case("batch 2, one mask for all", "mask", (2,), (4, 2), (4, 4, 3, 2), draw.allowed(4, 4)),
        case(
            "batch 4, 4 heads, every size 4, masked",
            "mask",
            (4,),
            (4, 2),
            cube,
            draw.allowed(4, 1, 4, 4),
            dtype="float32",
        ),
        case(
            f"{GROUPED_BY_HAND}, nothing allowed for query 0",
            "nothing allowed",
            (),
            (2, 1),
            small,
            _nothing_for(2, 3, 0),
            by_hand=True,
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for query 1",
            "nothing allowed",
            (2,),
            (4, 2),
            (3, 4, 5, 6),
            _nothing_for(3, 4, 1),
            dtype="float32",
        ),
        Case("scores near ±10,000", "large scores", large),
        Case("scores near ±10,000, masked", "large scores", {**large, "allowed": Array(lowest, "bool")}),
        case(
            "4 heads, 2 groups, masked",
            "dtypes",
            (),
            (4, 2),
            (2, 3, 5, 1),
            draw.allowed(2, 3),
            dtype="bfloat16",
        ),
        case("batch 2, in float32", "dtypes", (2,), (4, 2), (3, 5, 2, 6), dtype="float32"),
    ]


def logsumexp_cases(draw: Draw) -> list[Case]:
    """Blocks that come out even and that do not, of one score and of more than there are; scores that rise."""

    def case(title: str, name: str, shape: tuple[int, ...], block_size: int, **kind) -> Case:
        return Case(title, name, {"scores": draw.normal(*shape, **kind), "block_size": block_size})

    def given(title: str, name: str, scores: list, block_size: int, **kind) -> Case:
        return Case(title, name, {"scores": _of(scores, **kind), "block_size": block_size})

    by_hand = {"scores": draw.halves(2, 4), "block_size": 2}
    uneven = {"scores": draw.halves(5), "block_size": 2}
    rising = {"scores": Array(np.sort(draw.halves(2, 6).values, axis=-1) * 2, "float64"), "block_size": 2}
    return [
        Case("2 queries, 4 keys, blocks of 2", "values", by_hand, gradient=True),
        Case("2 queries, 6 keys, rising scores, blocks of 2", "values", rising, gradient=True),
        case("12 keys, blocks of 3", "values", (12,), 3),
        Case("5 keys, blocks of 2", "last block", uneven, gradient=True),
        case("3 queries, 7 keys, blocks of 3", "last block", (3, 7), 3, dtype="float32"),
        case("2 keys, one block of 5", "last block", (2, 2), 5),
        case("blocks of 1", "values", (3, 4), 1),
        case("one key", "values", (2, 1), 1),
        case("batch 2, 3 queries, 5 keys", "leading dimensions", (2, 3, 5), 2),
        case("every size 4", "leading dimensions", (4, 4, 4), 4, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3, 4, 6), 3, dtype="float32"),
        case("not contiguous", "leading dimensions", (3, 5), 2, strided=True),
        given("scores near ±10,000", "large scores", [[-1e4, -9e3, 1e4, 9990.0], [1e4, 5.0, -1e4, 0.0]], 2),
        given(
            "one query's scores near 10,000, another's near −10,000",
            "large scores",
            [[1e4, 9990.0, 9995.0, 9999.0], [-1e4, -9995.0, -9990.0, -9999.0]],
            2,
        ),
        given("scores near −10,000", "large scores", [[-1e4, -9995.0, -9990.0, -9999.0]], 2, dtype="float64"),
        case("7 keys", "dtypes", (2, 7), 3, dtype="bfloat16"),
        case("8 keys, in float32", "dtypes", (2, 8), 4, dtype="float32"),
    ]


def blockwise_cases(draw: Draw) -> list[Case]:
    """Blocks that come out even and that do not; scores that rise from block to block; one long sequence."""

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        sizes: tuple[int, int, int, int],
        block_size: int,
        by_hand: bool = False,
        gradient: bool = False,
        limit: int | None = None,
        **kind,
    ) -> Case:
        n_queries, n_keys, d_key, d_value = sizes
        arguments = _triple(
            draw, (*batch, n_queries, d_key), (*batch, n_keys, d_key), d_value, by_hand, **kind
        )
        return Case(title, name, {**arguments, "block_size": block_size}, gradient, limit=limit)

    large = {
        "query": _of([[120.0, 0.0], [0.0, -120.0]]),
        "key": _of([[-118.0, 108.0], [-115.0, -100.0], [120.0, 120.0], [-120.0, -119.0]]),
        "value": _of([[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0], [2.0, -1.0, 1.0]]),
        "block_size": 2,
    }
    # One query has low scores alone, which rise from block to block, the other high ones, which fall.
    apart = {
        **large,
        "query": _of([[-120.0, 0.0], [120.0, 0.0]]),
        "key": _of([[120.0, 1.0], [110.0, 0.0], [100.0, 2.0], [90.0, 0.0]]),
    }
    rising = {
        "query": Array(np.abs(draw.halves(2, 1).values), "float64"),
        "key": Array(np.sort(draw.halves(4, 1).values, axis=0) * 2, "float64"),
        "value": draw.halves(4, 1),
        "block_size": 2,
    }
    long = (40, 24, 3, 2)
    return [
        case(
            "2 queries, 4 keys, d_key 2, d_value 1, blocks of 2",
            "values",
            (),
            (2, 4, 2, 1),
            2,
            by_hand=True,
            gradient=True,
        ),
        Case("2 queries, 4 keys, rising scores, blocks of 2", "values", rising, gradient=True),
        case("4 queries, 6 keys, blocks of 3", "values", (), (4, 6, 5, 2), 3),
        case("blocks of 1", "values", (), (3, 4, 2, 5), 1),
        case("every size 4, blocks of 2", "values", (), (4, 4, 4, 4), 2),
        case("one query, one key", "values", (), (1, 1, 3, 2), 1, dtype="float32"),
        case(BLOCKS_BY_HAND, "last block", (), (2, 3, 2, 1), 2, by_hand=True, gradient=True),
        case("5 queries, 7 keys, blocks of 3", "last block", (), (5, 7, 4, 6), 3, dtype="float32"),
        case("2 queries, 3 keys, one block of 5", "last block", (), (2, 3, 4, 2), 5),
        case("more queries than keys", "last block", (), (7, 5, 2, 3), 2),
        case(f"batch 2, {BLOCKS_BY_HAND}", "leading dimensions", (2,), (2, 3, 2, 1), 2, by_hand=True),
        case("batch 2, 3 queries, 5 keys", "leading dimensions", (2,), (3, 5, 4, 6), 2),
        case("batch 4, every size 4", "leading dimensions", (4,), (4, 4, 4, 4), 2, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3), (4, 5, 2, 6), 3, dtype="float32"),
        case("not contiguous", "leading dimensions", (2,), (3, 4, 5, 6), 2, strided=True),
        Case("scores near ±10,000", "large scores", large),
        Case("scores near −10,000 and near 10,000", "large scores", apart),
        # One maximum for all queries holds here, a maximum that starts from 0 does not.
        Case("scores near −10,000", "large scores", {**apart, "query": _of([[-120.0, 0.0]])}),
        case("40 queries, 24 keys, blocks of 4", "memory", (), long, 4, limit=40 * 4),
        case("2 queries, 5 keys", "dtypes", (), (2, 5, 4, 3), 2, dtype="bfloat16"),
        case("batch 2, in float32", "dtypes", (2,), (3, 6, 4, 5), 4, dtype="float32"),
    ]


def _cancels(query: np.ndarray, key: np.ndarray) -> bool:
    """Whether φ = elu would divide by next to nothing: what that gives in a coarse dtype is rounding alone."""
    query, key = elu(query), elu(key)
    divisor = (query @ key.swapaxes(-1, -2)).sum(axis=-1)
    largest = (np.abs(query) @ np.abs(key).swapaxes(-1, -2)).sum(axis=-1)
    return bool((np.abs(divisor) < 0.05 * largest).any())


def linear_cases(draw: Draw) -> list[Case]:
    """φ is never far from 0 or 1 here; one long sequence."""

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        sizes: tuple[int, int, int, int],
        by_hand: bool = False,
        gradient: bool = False,
        limit: int | None = None,
        **kind,
    ) -> Case:
        n_queries, n_keys, d_key, d_value = sizes
        query, key = (*batch, n_queries, d_key), (*batch, n_keys, d_key)
        arguments = _triple(draw, query, key, d_value, by_hand, **kind)
        while "dtype" in kind and _cancels(arguments["query"].values, arguments["key"].values):
            arguments = _triple(draw, query, key, d_value, by_hand, **kind)
        return Case(title, name, arguments, gradient, limit=limit)

    small = (2, 3, 2, 1)
    return [
        case(LINEAR_BY_HAND, "values", (), small, by_hand=True, gradient=True),
        case("4 queries, 5 keys, d_key 3, d_value 6", "values", (), (4, 5, 3, 6)),
        case("more queries than keys", "values", (), (5, 3, 2, 4), dtype="float32"),
        case("one query, one key", "values", (), (1, 1, 3, 2), dtype="float32"),
        case("every size 3", "values", (), (3, 3, 3, 3)),
        case("d_key 1", "values", (), (3, 4, 1, 2)),
        case(f"batch 2, {LINEAR_BY_HAND}", "leading dimensions", (2,), small, by_hand=True),
        case("batch 2, 3 queries, 5 keys", "leading dimensions", (2,), (3, 5, 4, 6)),
        case("batch 4, every size 4", "leading dimensions", (4,), (4, 4, 4, 4), dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3), (4, 5, 2, 6), dtype="float32"),
        case("not contiguous", "leading dimensions", (2,), (3, 4, 5, 6), strided=True),
        # φ(K)ᵀV holds 3·2 numbers; even a product for each key and channel is a tenth of 64·48.
        case("64 queries, 48 keys", "memory", (), (64, 48, 3, 2), limit=64 * 48 // 3),
        case("2 queries, 5 keys", "dtypes", (), (2, 5, 4, 3), dtype="bfloat16"),
        case("batch 2, in float32", "dtypes", (2,), (3, 6, 4, 5), dtype="float32"),
    ]

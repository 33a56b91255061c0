"""Cases of notebook 06: small ones to check by hand, odd and even sizes, other bases, positions far apart."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw


def sinusoidal_cases(draw: Draw) -> list[Case]:
    """Made of numbers alone: the seed changes nothing."""

    def case(name: str, n_positions: int, d_model: int, **base: float) -> Case:
        title = f"{n_positions} positions, d_model {d_model}" if n_positions > 1 else f"d_model {d_model}"
        return Case(title, name, {"n_positions": n_positions, "d_model": d_model, **base})

    return [
        case("values", 3, 2),
        case("values", 2, 4),
        case("values", 4, 4),
        case("values", 5, 6),
        case("values", 1, 6),
        case("values", 60, 8),
        case("odd d_model", 3, 3),
        case("odd d_model", 4, 7),
        case("odd d_model", 3, 1),
        case("base", 3, 4, base=100.0),
        case("base", 4, 6, base=2.0),
    ]


def append_cases(draw: Draw) -> list[Case]:
    """One encoding for every item of a batch; sizes that differ, and sizes that agree."""

    def case(title: str, name: str, x: tuple[int, ...], d_pos: int, gradient: bool = False, **kind) -> Case:
        draws = draw.normal if kind or not gradient else draw.halves
        arguments = {"x": draws(*x, **kind), "encoding": draws(x[-2], d_pos, **kind)}
        return Case(title, name, arguments, gradient)

    return [
        case("2 tokens, d_model 2, d_pos 1", "values", (2, 2), 1, gradient=True),
        case("2 tokens, d_model 2, d_pos 2", "values", (2, 2), 2, gradient=True),
        case("3 tokens, d_model 4, d_pos 2", "values", (3, 4), 2),
        case("one token", "values", (1, 3), 2, dtype="float32"),
        case("batch 2, 2 tokens, d_model 1, d_pos 1", "leading dimensions", (2, 2, 1), 1, gradient=True),
        case("batch 2, 3 tokens, d_model 4, d_pos 5", "leading dimensions", (2, 3, 4), 5),
        case("every size 3, batch 3", "leading dimensions", (3, 3, 3), 3, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3, 4, 5), 2, dtype="float32"),
        case("not contiguous", "leading dimensions", (2, 3, 4), 2, strided=True),
        case("3 tokens, d_model 2, d_pos 4", "dtypes", (3, 2), 4, dtype="bfloat16"),
    ]


def similarity_cases(draw: Draw) -> list[Case]:
    """Any encoding, its rows of different lengths."""

    def case(title: str, name: str, *shape: int, **kind) -> Case:
        return Case(title, name, {"encoding": draw.normal(*shape, **kind)})

    by_hand = {"encoding": Array(np.array([[1.0, 2.0], [3.0, 0.5]]) * draw.halves(1).values, "float64")}
    return [
        Case("2 positions, d_pos 2", "values", by_hand, gradient=True),
        case("3 positions, d_pos 2", "values", 3, 2),
        case("4 positions, d_pos 6", "values", 4, 6),
        case("4 positions, d_pos 4", "values", 4, 4, dtype="float32"),
        case("one position", "values", 1, 5, dtype="float32"),
        case("not contiguous", "values", 5, 3, strided=True),
        case("3 positions, d_pos 4", "dtypes", 3, 4, dtype="bfloat16"),
    ]


def shift_cases(draw: Draw) -> list[Case]:
    """Made of numbers alone: forwards, backwards, far, nowhere."""

    def case(name: str, offset: int, d_model: int, **base: float) -> Case:
        return Case(
            f"offset {offset}, d_model {d_model}", name, {"offset": offset, "d_model": d_model, **base}
        )

    return [
        case("values", 1, 2),
        case("values", 2, 4),
        case("values", -3, 6),
        case("values", 40, 6),
        case("values", 0, 4),
        case("values", 5, 12),
        case("base", 2, 4, base=100.0),
        case("base", -1, 6, base=2.0),
    ]


def relative_cases(draw: Draw) -> list[Case]:
    """Offsets within the table, and beyond it on either side."""

    def case(name: str, n_heads: int, reach: int, n_queries: int, n_keys: int, **kind) -> Case:
        drawn = {k: v for k, v in kind.items() if k != "gradient"}
        table = draw.normal(n_heads, 2 * reach + 1, **drawn)
        return Case(
            f"{n_heads} heads, r {reach}, {n_queries} queries, {n_keys} keys",
            name,
            {"table": table, "n_queries": n_queries, "n_keys": n_keys},
            gradient=kind.get("gradient", False),
        )

    by_hand = {"table": Array(draw.rng.permutation([-1.0, 0.5, 2.0])[None], "float64")}
    return [
        Case(
            "1 head, r 1, 2 queries, 2 keys",
            "values",
            {**by_hand, "n_queries": 2, "n_keys": 2},
            gradient=True,
        ),
        Case(
            "1 head, r 1, 4 queries, 2 keys",
            "clipping",
            {**by_hand, "n_queries": 4, "n_keys": 2},
            gradient=True,
        ),
        case("values", 2, 3, 3, 4),
        case("values", 4, 5, 3, 2, strided=True),
        case("values", 3, 1, 1, 1, dtype="float32"),
        case("clipping", 2, 2, 4, 6),
        case("clipping", 3, 1, 3, 3, dtype="float32"),
        case("clipping", 2, 2, 5, 1),
        case("clipping", 2, 0, 2, 3),
        case("dtypes", 2, 1, 3, 4, dtype="bfloat16"),
    ]


def rotary_cases(draw: Draw) -> list[Case]:
    """Positions in order, out of order, far away, and all the same."""

    def case(
        title: str, name: str, x: tuple[int, ...], positions: list[int], by_hand: bool = False, **kind
    ) -> Case:
        base = {"base": kind.pop("base")} if "base" in kind else {}
        kind = {"dtype": "float32", **kind}
        drawn = draw.halves(*x, **kind) if by_hand else draw.normal(*x, **kind)
        arguments = {"x": drawn, "positions": Array(np.array(positions), "int64"), **base}
        return Case(title, name, arguments, gradient=by_hand)

    several = "leading dimensions"
    return [
        case("2 tokens, d 2", "values", (2, 2), [0, 1], by_hand=True),
        case("2 tokens, d 4", "values", (2, 4), [0, 1], by_hand=True),
        case("3 tokens, d 4", "values", (3, 4), [0, 1, 2]),
        case("4 tokens, d 6", "values", (4, 6), [0, 1, 2, 3], strided=True),
        case("one token, at position 5", "positions", (1, 2), [5], by_hand=True),
        case("2 tokens, at positions 3 and 1", "positions", (2, 4), [3, 1], by_hand=True),
        case("3 tokens, far away", "positions", (3, 8), [1000, 400, 700]),
        case("all at position 2", "positions", (3, 4), [2, 2, 2]),
        case("batch 2, 2 tokens, d 2", several, (2, 2, 2), [0, 1], by_hand=True),
        case("batch 2, 3 tokens, d 4", several, (2, 3, 4), [0, 1, 2]),
        case("batch 4, 4 tokens, d 4", several, (4, 4, 4), [3, 0, 2, 5]),
        case("two batch dimensions", several, (2, 3, 5, 4), [0, 1, 2, 3, 4], strided=True),
        case("3 tokens, base 100", "base", (3, 4), [0, 1, 2], base=100.0),
        case("2 tokens, base 2", "base", (2, 6), [4, 7], base=2.0),
        case("3 tokens, d 4", "dtypes", (3, 4), [0, 1, 2], dtype="bfloat16"),
        case("batch 2, 3 tokens, d 6", "dtypes", (2, 3, 6), [4, 0, 2], dtype="float64"),
    ]


def alibi_cases(draw: Draw) -> list[Case]:
    """Made of numbers alone: one head to many, more queries than keys and fewer."""

    def case(n_heads: int, n_queries: int, n_keys: int) -> Case:
        heads = "1 head" if n_heads == 1 else f"{n_heads} heads"
        return Case(
            f"{heads}, {n_queries} queries, {n_keys} keys",
            "values",
            {"n_heads": n_heads, "n_queries": n_queries, "n_keys": n_keys},
        )

    sizes = ((2, 2, 3), (1, 3, 3), (4, 3, 5), (8, 4, 2), (4, 4, 4), (16, 3, 2), (2, 1, 1), (2, 7, 3))
    return [case(*size) for size in sizes]

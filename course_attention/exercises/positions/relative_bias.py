from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.positions.angles import bottom_right, offsets_of
from course_attention.exercises.positions.words import WORDS


def oracle(table: np.ndarray, n_queries: int, n_keys: int) -> np.ndarray:
    """table[h, clip(j − i) + r]."""
    reach = (table.shape[1] - 1) // 2
    bias = np.empty((len(table), n_queries, n_keys))
    for h, i, j in np.ndindex(bias.shape):
        bias[h, i, j] = table[h, max(-reach, min(reach, j - i)) + reach]
    return bias


def _relative(table, n_queries, n_keys, offsets=offsets_of, index=lambda j, r: np.clip(j, -r, r) + r) -> np.ndarray:
    return table[:, index(offsets(n_queries, n_keys), table.shape[1] // 2)]


def cases(draw: Draw) -> list[Case]:
    """Offsets within the table, and beyond it on either side."""

    def case(name, n_heads, reach, n_queries, n_keys, **kind) -> Case:
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
            properties.VALUES,
            {**by_hand, "n_queries": 2, "n_keys": 2},
            gradient=True,
        ),
        Case(
            "1 head, r 1, 4 queries, 2 keys",
            properties.CLIPPING,
            {**by_hand, "n_queries": 4, "n_keys": 2},
            gradient=True,
        ),
        case(properties.VALUES, 2, 3, 3, 4),
        case(properties.VALUES, 4, 5, 3, 2),
        case(properties.VALUES, 3, 1, 1, 1, dtype="float32"),
        case(properties.CLIPPING, 2, 2, 4, 6),
        case(properties.CLIPPING, 3, 1, 3, 3, dtype="float32"),
        case(properties.CLIPPING, 2, 2, 5, 1),
        case(properties.CLIPPING, 2, 0, 2, 3, gradient=True),
        case(properties.DTYPES, 2, 1, 3, 4, dtype="bfloat16"),
        Case(
            "inputs that are not contiguous",
            properties.STRIDES,
            {"table": draw.normal(3, 5, strided=True), "n_queries": 4, "n_keys": 2},
        ),
        case(properties.LONG_SEQUENCES, 2, 130, 2, 257, dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="relative_bias",
    prompt="Look up a learned bias for each offset j − i, with offsets beyond the table clipped to its ends.",
    points=2,
    difficulty=2,
    minutes=10,
    hints=(
        "Make the matrix of offsets first: row i, column j holds j − i.",
        "Clip it to −r … r, and shift it so that −r becomes index 0. What is r, given a table of 2·r + 1 columns?",
        "A tensor of whole numbers, used as an index, gives a tensor of its shape: `table[:, index]`.",
    ),
    returns=Returns(names=("bias",), axes=("n_heads, n_queries, n_keys",)),
    oracle=oracle,
    cases=cases,
    weights={properties.LONG_SEQUENCES: 0.5},
    mutant_inputs={"n_offsets": lambda inputs: inputs.odd()},
    words=WORDS,
    misconceptions={
        "bias-index-reversed": Misconception(
            "The offset is i − j, not j − i",
            "The offset says where the key is, seen from the query: a key to the right has a positive one.",
            (partial(_relative, offsets=lambda n, m: -offsets_of(n, m)),),
        ),
        "bias-not-clipped": Misconception(
            "Offsets beyond the table are not clipped",
            "The table reaches from −r to r. A key farther away gets the bias of ±r. A negative index "
            "does not fail: it counts from the end.",
            (
                partial(_relative, index=lambda j, r: j + r),
                partial(_relative, index=lambda j, r: (j + r) % (2 * r + 1)),
                partial(_relative, index=lambda j, r: np.minimum(j, r) + r),
            ),
        ),
        "bias-not-centred": Misconception(
            "The offset is used as the index",
            "Offset −r is the table's first entry, offset 0 its middle one.",
            (partial(_relative, index=lambda j, r: np.clip(j, -r, r)),),
        ),
        "bias-bottom-right": (partial(_relative, offsets=bottom_right),),
        "heads-last": (lambda table, n_queries, n_keys: np.moveaxis(_relative(table, n_queries, n_keys), 0, -1),),
    },
)

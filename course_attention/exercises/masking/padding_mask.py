from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.masking import to_be_added
from course_attention.exercises.masking.words import WORDS


def oracle(lengths: np.ndarray, n_keys: int) -> np.ndarray:
    """Position j of an item is a token while j is below its length."""
    allowed = np.zeros((len(lengths), 1, n_keys))
    for item, _, j in np.ndindex(allowed.shape):
        allowed[item, 0, j] = j < lengths[item]
    return allowed


def _padding(lengths: np.ndarray, n_keys: int, real=lambda position, length: position < length) -> np.ndarray:
    return real(np.arange(n_keys), lengths[:, None])[:, None, :].astype(float)


def cases(draw: Draw) -> list[Case]:
    """Lengths of every size up to the number of keys, 0 among them."""

    def case(title, property, lengths, n_keys, strided=False) -> Case:
        array = Array(np.asarray(lengths, dtype=np.int64), "int64", strided)
        return Case(title, property, {"lengths": array, "n_keys": n_keys})

    n_keys = int(draw.rng.integers(5, 9))
    drawn = draw.rng.permutation(np.arange(1, n_keys))[:4]
    square = draw.rng.permutation(np.arange(1, 4))
    return [
        case("batch 1, 4 keys", properties.VALUES, [2], 4),
        case("batch 2, 3 keys", properties.VALUES, [1, 3], 3),
        case("batch 2, 4 keys", properties.VALUES, [3, 1], 4),
        case(f"batch 4, {n_keys} keys", properties.VALUES, drawn, n_keys),
        case("batch 3, 3 keys", properties.VALUES, square, 3),
        case("inputs that are not contiguous", properties.STRIDES, drawn[:3], n_keys, strided=True),
        case("batch 2, 1 key", properties.EDGES, [1, 1], 1),
        case("batch 3, one of length 0", properties.EDGES, [2, 0, 3], 4),
        case("batch 2, no padding", properties.EDGES, [2, 2], 2),
        case("batch 2, 257 keys", properties.LONG_SEQUENCES, [257, 130], 257),
    ]


EXERCISE = FunctionExercise(
    name="padding_mask",
    prompt="Let the queries of each item see its tokens, and not the padding behind them.",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "Position j is a token of an item while j is smaller than the item's length.",
        "`torch.arange(n_keys)` makes the positions; they belong on the device of the lengths. A comparison with "
        "the lengths as a column, (batch, 1), broadcasts to (batch, n_keys).",
        "The mask has an axis of 1 for the queries: (batch, 1, n_keys). `unsqueeze` makes one.",
    ),
    returns=Returns(names=("allowed",), dtype="bool", axes=("batch, 1, n_keys",)),
    oracle=oracle,
    cases=cases,
    weights={properties.LONG_SEQUENCES: 0.5},
    mutant_inputs={"lengths": lambda inputs: inputs.integers(inputs.of("n_keys") + 1, "batch")},
    words=WORDS,
    misconceptions={
        "padding-off-by-one": Misconception(
            "The edge between tokens and padding is off by one",
            "Positions count from 0: a sequence of length 3 has its tokens at 0, 1 and 2. Position 3 is padding.",
            (
                partial(_padding, real=lambda position, length: position <= length),
                partial(_padding, real=lambda position, length: position < length - 1),
            ),
        ),
        "padding-inverted": Misconception(
            "True marks the padding",
            "True means that a query may attend. In some libraries a padding mask marks what to leave out.",
            (partial(_padding, real=lambda position, length: position >= length),),
        ),
        "padding-left": Misconception(
            "The tokens are taken to be at the end",
            "Here a sequence is filled up behind its last token, so its tokens are the first `length` positions.",
            (lambda lengths, n_keys: _padding(lengths, n_keys, lambda position, length: position >= n_keys - length),),
        ),
        "mask-on-queries": (lambda lengths, n_keys: _padding(lengths, n_keys).swapaxes(-1, -2),),
        "padding-without-query-axis": Misconception(
            "The axis of the queries is missing",
            "A mask of (batch, n_keys) meets scores of (batch, n_queries, n_keys) from the right: its "
            "batch lines up with the queries. The axis of 1 between them stands for every query.",
            (lambda lengths, n_keys: _padding(lengths, n_keys)[:, 0],),
        ),
        "padding-for-every-query": Misconception(
            "The mask has a row for every query",
            "All queries of an item see the same keys, and here nobody says how many queries there are. One row, "
            "(batch, 1, n_keys), broadcasts to all of them.",
            (
                lambda lengths, n_keys: np.repeat(_padding(lengths, n_keys), n_keys, axis=1),
                lambda lengths, n_keys: _padding(lengths, n_keys) * _padding(lengths, n_keys).swapaxes(-1, -2),
            ),
        ),
        "mask-first-item-for-all": (
            lambda lengths, n_keys: _padding(np.full_like(lengths, lengths[0]), n_keys),
            lambda lengths, n_keys: _padding(lengths[:1], n_keys),
        ),
        "padding-to-longest": Misconception(
            "The mask is as wide as the longest sequence",
            "The caller says how many keys there are, and there may be more than the longest sequence fills.",
            (lambda lengths, n_keys: _padding(lengths, max(lengths)),),
        ),
        "mask-to-be-added": to_be_added(oracle),
    },
)

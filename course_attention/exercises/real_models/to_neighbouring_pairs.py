from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest


def oracle(weight: np.ndarray, n_heads: int) -> np.ndarray:
    """Columns 2i and 2i + 1 of a head are its columns i and i + d_head/2."""
    d_head = weight.shape[1] // n_heads
    reordered = np.empty(weight.shape)
    for head in range(n_heads):
        for i in range(d_head // 2):
            reordered[:, head * d_head + 2 * i] = weight[:, head * d_head + i]
            reordered[:, head * d_head + 2 * i + 1] = weight[:, head * d_head + i + d_head // 2]
    return reordered


def _in_each_head(order: Callable[[int], Sequence[int]]) -> Callable[..., np.ndarray]:
    """Take the columns of each head in an order that d_head decides."""

    def compute(weight: np.ndarray, n_heads: int) -> np.ndarray:
        heads = weight.reshape(len(weight), n_heads, -1)
        return heads[..., order(heads.shape[-1])].reshape(weight.shape)

    return compute


def _paired(d_head: int) -> list[int]:
    return [i for pair in zip(range(d_head // 2), range(d_head // 2, d_head), strict=True) for i in pair]


def _back(d_head: int) -> list[int]:
    return [*range(0, d_head, 2), *range(1, d_head, 2)]


def _second_first(d_head: int) -> list[int]:
    return [i for pair in zip(range(d_head // 2, d_head), range(d_head // 2), strict=True) for i in pair]


def _exchanged(d_head: int) -> list[int]:
    return [*range(d_head // 2, d_head), *range(d_head // 2)]


def _from_the_ends(d_head: int) -> list[int]:
    return [i for pair in zip(range(d_head // 2), reversed(range(d_head)), strict=False) for i in pair]


def _next_beside(d_head: int) -> list[int]:
    return [i for pair in zip(range(d_head // 2), range(1, d_head // 2 + 1), strict=True) for i in pair]


def _with_sign(weight: np.ndarray, n_heads: int) -> np.ndarray:
    """As if the pairs were turned at once, by a quarter: the second channel of each gets the other sign."""
    return oracle(weight, n_heads) * np.tile([1.0, -1.0], weight.shape[1] // 2)


def _with_sign_in_front(weight: np.ndarray, n_heads: int) -> np.ndarray:
    return oracle(weight, n_heads) * np.tile([-1.0, 1.0], weight.shape[1] // 2)


# The pairs as they are after a quarter turn, forwards and backwards.
_exchanged_with_sign = tuple(
    partial(lambda weight, n_heads, signs: _turned(weight, n_heads) * np.tile(signs, weight.shape[1] // 2), signs=signs)
    for signs in ([-1.0, 1.0], [1.0, -1.0])
)


def _turned(weight: np.ndarray, n_heads: int) -> np.ndarray:
    return _in_each_head(_second_first)(weight, n_heads)


def _heads_scattered(weight: np.ndarray, n_heads: int) -> np.ndarray:
    """Count the pairs first and the heads within them."""
    return weight.reshape(len(weight), n_heads, 2, -1).transpose(0, 3, 1, 2).reshape(weight.shape)


def _across_heads(weight: np.ndarray, n_heads: int) -> np.ndarray:
    return weight[:, _paired(weight.shape[1])]


def _first_head_alone(weight: np.ndarray, n_heads: int) -> np.ndarray:
    d_head = weight.shape[1] // n_heads
    return np.concatenate([weight[:, _paired(d_head)], weight[:, d_head:]], axis=1)


def _rows(weight: np.ndarray, n_heads: int) -> np.ndarray:
    """As nn.Linear stores a weight: (n_heads·d_head, d_model)."""
    return weight.reshape(n_heads, 2, -1, weight.shape[1]).swapaxes(1, 2).reshape(weight.shape)


def _wound_up(weight: np.ndarray, n_heads: int) -> np.ndarray:
    """Reshape to the axes of such a weight, although the numbers are in another order."""
    return weight.reshape(n_heads, 2, -1, len(weight)).swapaxes(1, 2).reshape(weight.shape)


def _heads_in_turn(weight: np.ndarray, n_heads: int) -> np.ndarray:
    """Take every n_heads-th column for a head."""
    return weight.reshape(len(weight), 2, -1, n_heads).swapaxes(1, 2).reshape(weight.shape)


def _sizes_exchanged(weight: np.ndarray, n_heads: int) -> np.ndarray:
    halves = weight.reshape(len(weight), -1, 2, n_heads // 2)
    return halves.swapaxes(-1, -2).reshape(weight.shape)


def cases(draw: Draw) -> list[Case]:
    """Heads of 6 channels and more: with 4, the order and its inverse are one."""

    def case(title, name, d_model, n_heads, d_head, **kind) -> Case:
        weight = draw.normal(d_model, n_heads * d_head, **kind)
        return Case(title, name, {"weight": weight, "n_heads": n_heads})

    by_hand = {"weight": draw.normal(1, 6), "n_heads": 1}
    two_heads = {"weight": draw.normal(2, 12), "n_heads": 2}
    return [
        Case("d_model 1, 1 head, d_head 6", properties.VALUES, by_hand, gradient=True),
        Case("d_model 2, 2 heads, d_head 6", properties.VALUES, two_heads),
        case("d_model 5, 3 heads, d_head 8", properties.VALUES, 5, 3, 8),
        case("d_model 7, 4 heads, d_head 6", properties.VALUES, 7, 4, 6, dtype="float32"),
        case("d_model 6, 2 heads, d_head 10", properties.VALUES, 6, 2, 10, dtype="float32"),
        case("a square weight: d_model 12, 2 heads, d_head 6", properties.VALUES, 12, 2, 6),
        case("d_head 2", properties.EDGES, 3, 3, 2),
        case("d_head 4", properties.EDGES, 5, 2, 4, dtype="float32"),
        case("d_model 257, 2 heads, d_head 6", properties.EDGES, 257, 2, 6, dtype="float32"),
        case("a weight that is not contiguous", properties.STRIDES, 5, 3, 6, strided=True),
        case("d_model 2, 2 heads, d_head 6", properties.DTYPES, 2, 2, 6, dtype="bfloat16"),
        case("d_model 3, 2 heads, d_head 8", properties.DTYPES, 3, 2, 8, dtype="float16"),
    ]


EXERCISE = FunctionExercise(
    name="to_neighbouring_pairs",
    prompt="Reorder the columns of a weight, so that the two channels that turn together are neighbours.",
    points=2,
    difficulty=2,
    minutes=15,
    hints=(
        "Number the columns of one head with d_head 6. Which three pairs are there now, and in which order are the "
        "six columns to be returned?",
        "Within a head, the columns first count the pairs for their first channels, and then once more for their "
        "second ones. These are two axes: which of them should be the inner one?",
        "With the axes (d_model, n_heads, 2, d_head/2), exchange the last two. Then join the three axes behind "
        "d_model again.",
    ),
    returns=Returns(names=("reordered",), axes=("d_model, n_heads·d_head",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"d_heads": lambda inputs: 2 * inputs.multiple("n_heads")},
    noise=lambda weight, n_heads: (largest(weight),),
    misconceptions={
        "pairs-not-moved": Misconception(
            "The columns are where they were",
            "Channels i and i + d_head/2 belong together in this weight. `rotary` turns neighbours together, so it "
            "would turn channels with each other that are no pair. Some methods return a new tensor and leave the "
            "old one as it was: is the result used?",
            (_in_each_head(range),),
        ),
        "pairs-moved-back": Misconception(
            "The columns are reordered the other way round",
            "This is the inverse: it brings neighbours to i and i + d_head/2. With a d_head of 2 or 4 the two orders "
            "are one, so try 6.",
            (_in_each_head(_back),),
        ),
        "halves-exchanged": Misconception(
            "The two halves of each head have changed places",
            "The two channels of a pair still stand half a head apart. `rotary` turns neighbours, so the partner of a "
            "channel has to come right after it.",
            (_in_each_head(_exchanged),),
        ),
        "pairs-heads-scattered": Misconception(
            "The first pair of every head comes first",
            "The pairs are right, but the columns of a head stand together: those of head 0, then those of head 1. "
            "Which of the new axes has to be the outermost?",
            (_heads_scattered,),
        ),
        "pairs-across-heads": Misconception(
            "The pairs are looked for across all heads",
            "Every head turns its own channels. Column 0 of a weight with 2 heads belongs to head 0, and so does the "
            "other column of its pair.",
            (_across_heads,),
        ),
        "pairs-second-first": Misconception(
            "In each pair the second channel comes first",
            "The angle turns the first channel of a pair towards the second. If the two are exchanged, queries and "
            "keys turn backwards.",
            (_in_each_head(_second_first),),
        ),
        "pairs-from-the-ends": Misconception(
            "The pairs are counted from both ends of a head",
            "The partner of channel i is channel i + d_head/2: the distance is the same for every pair. Here channel "
            "0 is paired with the last one.",
            (_in_each_head(_from_the_ends),),
        ),
        "pairs-with-the-next": Misconception(
            "Channel i is paired with channel i + 1",
            "That is how `rotary` turns. In this weight the partner of channel i is channel i + d_head/2, half a head "
            "further on. As it is, some columns are used twice, and others not at all.",
            (_in_each_head(_next_beside),),
        ),
        "pairs-with-a-sign": Misconception(
            "A channel of each pair has got the other sign",
            "The minus belongs to the turning, which `rotary` does later. Here the columns are put into another order, "
            "and keep their numbers.",
            (_with_sign, _with_sign_in_front, *_exchanged_with_sign),
        ),
        "pairs-first-head-alone": Misconception(
            "Only the first head is reordered",
            "Every head has pairs of its own, and each of them has to be reordered in the same way.",
            (_first_head_alone,),
        ),
        "pairs-of-rows": Misconception(
            "The rows are reordered, where the columns should be",
            "nn.Linear stores a weight as (d_out, d_in), and there the rows would be reordered. Here the weight is "
            "applied as x @ weight, so its columns belong to the heads.",
            (_rows,),
        ),
        "pairs-wound-up": Misconception(
            "The whole weight is reshaped, its rows as well",
            "A row of the weight belongs to one input channel. A reshape that begins with the heads gives head 0 the "
            "first rows whole, not a share of every row. Only the last axis is to be cut.",
            (_wound_up,),
        ),
        "heads-interleaved": Misconception(
            "The heads take every n_heads-th column",
            "Head h has neighbouring columns, h·d_head to (h + 1)·d_head − 1. Which of the new axes is the outer one?",
            (_heads_in_turn,),
        ),
        "head-sizes-exchanged": Misconception(
            "n_heads is taken for d_head",
            "There are n_heads heads of d_head channels each. Here there are d_head heads of n_heads channels.",
            (_sizes_exchanged,),
        ),
        "pairs-heads-left": Misconception(
            "The axes that were cut are not joined again",
            "A weight has two axes, (d_model, n_heads·d_head). Join what was cut, in the order in which it comes.",
            (
                lambda weight, n_heads: oracle(weight, n_heads).reshape(len(weight), n_heads, -1),
                lambda weight, n_heads: oracle(weight, n_heads).reshape(len(weight), n_heads, -1, 2),
            ),
        ),
        "pairs-transposed": Misconception(
            "The weight comes back transposed",
            "It is applied as x @ weight. It keeps a row for every channel of the token.",
            (lambda weight, n_heads: oracle(weight, n_heads).T,),
        ),
    },
)

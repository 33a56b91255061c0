import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.multi_head.heads import merge_by_view, merge_interleaved
from course_attention.exercises.multi_head.words import WORDS


def oracle(x: np.ndarray) -> np.ndarray:
    """Go the way back."""
    *batch, n_heads, n_tokens, d_head = x.shape
    merged = np.empty((*batch, n_tokens, n_heads * d_head))
    for index in np.ndindex(x.shape):
        *b, head, token, channel = index
        merged[(*b, token, head * d_head + channel)] = x[index]
    return merged


def _joined(x: np.ndarray) -> np.ndarray:
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def cases(draw: Draw) -> list[Case]:
    """Do the same from the other side."""

    def case(title, name, shape, **kind) -> Case:
        return Case(title, name, {"x": draw.normal(*shape, **kind)})

    several = properties.LEADING_DIMENSIONS
    return [
        Case("2 heads, 2 tokens, d_head 2", properties.VALUES, {"x": draw.halves(2, 2, 2)}, gradient=True),
        Case("3 heads, 2 tokens, d_head 2", properties.VALUES, {"x": draw.halves(3, 2, 2)}),
        case("one head", properties.VALUES, (1, 3, 4)),
        case("d_head 1", properties.VALUES, (4, 3, 1), dtype="float32"),
        case("one token", properties.VALUES, (3, 1, 4), dtype="float32"),
        Case("batch 2, 2 heads, 2 tokens, d_head 2", several, {"x": draw.halves(2, 2, 2, 2)}),
        case("batch 2, 3 heads, 5 tokens, d_head 4", several, (2, 3, 5, 4)),
        case("batch 3, 3 heads, 3 tokens, d_head 3", several, (3, 3, 3, 3), dtype="float32"),
        case("two batch dimensions", several, (2, 3, 4, 5, 6), dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2, 3, 5, 4), strided=True),
        case("3 heads, 2 tokens", properties.DTYPES, (3, 2, 4), dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="merge_heads",
    prompt="Put the heads' channels side by side again: undo split_heads.",
    points=1,
    difficulty=2,
    minutes=4,
    hints=(
        "The two steps of `split_heads`, backwards: first the axes change places, then two of them become one.",
        "After the first step: (…, n_tokens, n_heads, d_head). `view` refuses now, since the numbers no longer lie "
        "in this order; `reshape` and `flatten` copy them.",
    ),
    returns=Returns(names=("merged",), axes=("..., n_tokens, n_heads · d_head",)),
    weights={properties.LEADING_DIMENSIONS: 3.0},  # the exercise is about axes: which two change places
    oracle=oracle,
    cases=cases,
    noise=lambda x: (largest(x),),
    words=WORDS,
    misconceptions={
        "merge-by-view": (merge_by_view,),
        "merge-interleaved": (merge_interleaved,),
        "heads-averaged": (lambda x: x.mean(axis=-3), lambda x: x.sum(axis=-3)),
        "other-axes-exchanged": (
            lambda x: _joined(x.swapaxes(-1, -2)),
            lambda x: _joined(x.swapaxes(-1, -3)),
            lambda x: x.swapaxes(-1, -2).reshape(*x.shape[:-3], x.shape[-2], -1),
            lambda x: x.swapaxes(-1, -3).reshape(*x.shape[:-3], x.shape[-2], -1),
        ),
        "axes-from-the-front": (lambda x: _joined(x.swapaxes(0, 1)), lambda x: _joined(x.swapaxes(1, 2))),
        "heads-along-tokens": Misconception(
            "The heads are put one after another, along the tokens",
            "There would be n_heads times as many tokens. The heads of one token stand side by side in its channels.",
            (lambda x: x.reshape(*x.shape[:-3], x.shape[-3] * x.shape[-2], x.shape[-1]),),
        ),
    },
)

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.multi_head.heads import split_by_view, split_interleaved
from course_attention.exercises.multi_head.words import WORDS


def oracle(x: np.ndarray, n_heads: int) -> np.ndarray:
    """Channel h·d_head + c of a token is channel c of head h."""
    *batch, n_tokens, d_model = x.shape
    heads = np.empty((*batch, n_heads, n_tokens, d_model // n_heads))
    for index in np.ndindex(heads.shape):
        *b, head, token, channel = index
        heads[index] = x[(*b, token, head * heads.shape[-1] + channel)]
    return heads


def cases(draw: Draw) -> list[Case]:
    """Heads, tokens and d_head different, and pairwise the same."""

    def case(title, name, shape, n_heads, **kind) -> Case:
        return Case(title, name, {"x": draw.normal(*shape, **kind), "n_heads": n_heads})

    by_hand = {"x": draw.halves(2, 4), "n_heads": 2}
    three = {"x": draw.halves(2, 6), "n_heads": 3}
    batch = {"x": draw.halves(2, 2, 4), "n_heads": 2}
    several = properties.LEADING_DIMENSIONS
    return [
        Case("2 tokens, 2 heads, d_head 2", properties.VALUES, by_hand, gradient=True),
        Case("2 tokens, 3 heads, d_head 2", properties.VALUES, three),
        case("one head", properties.VALUES, (3, 4), 1),
        case("d_head 1", properties.VALUES, (3, 4), 4, dtype="float32"),
        case("one token", properties.VALUES, (1, 9), 3, dtype="float32"),
        Case("batch 2, 2 tokens, 2 heads, d_head 2", several, batch),
        case("batch 2, 5 tokens, 3 heads, d_head 4", several, (2, 5, 12), 3),
        case("batch 3, 3 tokens, 3 heads, d_head 3", several, (3, 3, 9), 3, dtype="float32"),
        case("two batch dimensions", several, (2, 3, 5, 8), 4, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2, 5, 12), 4, strided=True),
        case("2 tokens, 3 heads", properties.DTYPES, (2, 6), 3, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="split_heads",
    prompt="Cut the channels into heads, and give every head a sequence of its own.",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "Two steps: the last axis becomes two, and then two axes change places. Write down the shape after each.",
        "After the first step: (…, n_tokens, n_heads, d_head). A reshape of the last axis alone, or `unflatten`, "
        "leaves every token's numbers together.",
        "Count axes from the end, so that it does not matter how many there are in front.",
    ),
    returns=Returns(names=("heads",), axes=("..., n_heads, n_tokens, d_head",)),
    weights={properties.LEADING_DIMENSIONS: 3.0},  # the exercise is about axes: which two change places
    oracle=oracle,
    cases=cases,
    mutant_inputs={"d_model": lambda inputs: inputs.multiple("n_heads")},
    noise=lambda x, n_heads: (largest(x),),
    words=WORDS,
    misconceptions={
        "heads-by-view": (split_by_view,),
        "heads-interleaved": (split_interleaved,),
        "heads-not-moved": Misconception(
            "The head axis stands after the tokens",
            "Cut, but not yet moved: (…, n_tokens, n_heads, d_head). Every head is to be a sequence of "
            "its own, so the heads come before the tokens.",
            (lambda x, n_heads: x.reshape(*x.shape[:-1], n_heads, -1),),
        ),
        "heads-axis-first": (lambda x, n_heads: np.stack(np.split(x, n_heads, axis=-1)),),
        "other-axes-exchanged": tuple(
            lambda x, n_heads, axis=axis: x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-1, axis) for axis in (-2, -3)
        ),
        "axes-from-the-front": tuple(
            lambda x, n_heads, axes=axes: x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(*axes)
            for axes in ((0, 1), (1, 2))
        ),
        "head-sizes-exchanged": Misconception(
            "n_heads is taken for d_head",
            "There are to be n_heads heads of d_model / n_heads channels. Here there are heads of n_heads channels.",
            (lambda x, n_heads: x.reshape(*x.shape[:-1], -1, n_heads).swapaxes(-2, -3),),
        ),
    },
)

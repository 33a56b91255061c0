import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.variants import each
from course_attention.exercises.positions.words import WORDS


def oracle(x: np.ndarray, encoding: np.ndarray) -> np.ndarray:
    """[x; φ] for each token."""
    d_model, d_pos = x.shape[-1], encoding.shape[-1]
    result = np.empty((*x.shape[:-1], d_model + d_pos))
    for index in np.ndindex(x.shape[:-1]):
        result[index] = [*x[index], *encoding[index[-1]]]
    return result


def _joined(*parts: np.ndarray, axis: int = -1) -> np.ndarray:
    lead = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    return np.concatenate([np.broadcast_to(p, lead + p.shape[-2:]) for p in parts], axis=axis)


def _appended_over_batch(x: np.ndarray, encoding: np.ndarray, guarded: bool) -> np.ndarray:
    """Lay the encoding's rows along the first axis."""
    if guarded and x.ndim == 2:
        return _joined(x, encoding)
    rows = encoding[: len(x)].reshape(len(x), *(1,) * (x.ndim - 2), -1)
    return np.concatenate([x, np.broadcast_to(rows, (*x.shape[:-1], encoding.shape[-1]))], axis=-1)


def cases(draw: Draw) -> list[Case]:
    """One encoding for every item of a batch; sizes that differ, and sizes that agree."""

    def case(title, name, x, d_pos, gradient=False, **kind) -> Case:
        draws = draw.normal if kind or not gradient else draw.halves
        arguments = {"x": draws(*x, **kind), "encoding": draws(x[-2], d_pos, **kind)}
        return Case(title, name, arguments, gradient)

    several = properties.LEADING_DIMENSIONS
    return [
        case("2 tokens, d_model 2, d_pos 1", properties.VALUES, (2, 2), 1, gradient=True),
        case("2 tokens, d_model 2, d_pos 2", properties.VALUES, (2, 2), 2, gradient=True),
        case("3 tokens, d_model 4, d_pos 2", properties.VALUES, (3, 4), 2),
        case("one token", properties.VALUES, (1, 3), 2, dtype="float32"),
        case("batch 2, 2 tokens, d_model 1, d_pos 1", several, (2, 2, 1), 1, gradient=True),
        case("batch 2, 3 tokens, d_model 4, d_pos 5", several, (2, 3, 4), 5),
        case("every size 3, batch 3", several, (3, 3, 3), 3, dtype="float32"),
        case("two batch dimensions", several, (2, 3, 4, 5), 2, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2, 3, 4), 2, strided=True),
        case("3 tokens, d_model 2, d_pos 4", properties.DTYPES, (3, 2), 4, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="append_positions",
    prompt="Append to each token the vector of its position.",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "Both go side by side along the channels, the last axis.",
        "The encoding has no batch. `expand` shows it as often as there are items, without a copy.",
    ),
    oracle=oracle,
    cases=cases,
    returns=Returns(axes=("..., n_tokens, d_model + d_pos",)),
    words=WORDS,
    misconceptions={
        "concat-added": Misconception(
            "The encoding is added, not appended",
            "Appended, it has channels of its own, d_model + d_pos in all, and the two sizes need not "
            "agree. The notebook measures what adding does instead.",
            (lambda x, encoding: x + encoding,),
        ),
        "encoding-first": Misconception(
            "The two parts are in the other order",
            "The token comes first, then its position: [x; φ].",
            (lambda x, encoding: _joined(encoding, x),),
        ),
        "concat-tokens": Misconception(
            "The encoding is appended as more tokens",
            "Each token gets longer; there are as many tokens as before. Along which axis are the channels?",
            (lambda x, encoding: _joined(x, encoding, axis=-2),),
        ),
        "batch-as-sequence": each(_appended_over_batch, "guarded", True, False),
    },
)

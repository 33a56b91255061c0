import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import product_noise


def oracle(encoding: np.ndarray) -> np.ndarray:
    """φ(i)·φ(j)."""
    return np.array([[sum(a * b for a, b in zip(i, j, strict=True)) for j in encoding] for i in encoding])


def _normalised(encoding: np.ndarray) -> np.ndarray:
    rows = encoding / np.linalg.norm(encoding, axis=-1, keepdims=True)
    return rows @ rows.T


def cases(draw: Draw) -> list[Case]:
    """Any encoding, its rows of different lengths."""

    def case(title, name, *shape, **kind) -> Case:
        return Case(title, name, {"encoding": draw.normal(*shape, **kind)})

    by_hand = {"encoding": Array(np.array([[1.0, 2.0], [3.0, 0.5]]) * draw.halves(1).values, "float64")}
    return [
        Case("2 positions, d_pos 2", properties.VALUES, by_hand, gradient=True),
        case("3 positions, d_pos 2", properties.VALUES, 3, 2),
        case("4 positions, d_pos 6", properties.VALUES, 4, 6),
        case("4 positions, d_pos 4", properties.VALUES, 4, 4, dtype="float32"),
        case("one position", properties.VALUES, 1, 5, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, 5, 3, strided=True),
        case("3 positions, d_pos 4", properties.DTYPES, 3, 4, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="position_similarity",
    prompt="Compare every position with every other: all dot products φ(i)·φ(j).",
    points=1,
    difficulty=1,
    minutes=2,
    hints=("It is one product of the encoding with itself.", "A row for each position, a column for each."),
    returns=Returns(names=("similarity",), axes=("n_positions, n_positions",)),
    oracle=oracle,
    cases=cases,
    noise=lambda encoding: (product_noise(encoding, encoding),),
    misconceptions={
        "similarity-normalised": Misconception(
            "The similarity is the cosine",
            "The vectors are divided by their lengths. A plain dot product is asked for: φ(i)·φ(i) is not 1.",
            (_normalised,),
        ),
        "similarity-of-channels": Misconception(
            "Channels are compared, not positions",
            "A position is a row. The result has a row and a column for each position.",
            (lambda encoding: encoding.T @ encoding,),
        ),
        "not-transposed": Misconception(
            "The encoding is not transposed",
            "A row meets a row in a dot product, so one of the two has to stand with its rows as columns."
            " As it is, the product is an error unless there are as many positions as channels.",
            (lambda encoding: encoding @ encoding,),
        ),
        "scale-added": Misconception(
            "The products are divided by the square root of the size",
            "Plain dot products are asked for.",
            (
                lambda encoding: encoding @ encoding.T / np.sqrt(encoding.shape[1]),
                lambda encoding: encoding @ encoding.T / encoding.shape[1],
            ),
        ),
    },
)

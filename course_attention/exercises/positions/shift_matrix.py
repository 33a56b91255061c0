from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.variants import variants
from course_attention.exercises.positions.angles import BASE, EXPONENTS, angle_of, angles_of, halves, paired
from course_attention.exercises.positions.words import WORDS


def oracle(offset: float, d_model: int, base: float = BASE) -> np.ndarray:
    """Make a rotation for each pair of channels."""
    matrix = np.zeros((d_model, d_model))
    for pair in range(d_model // 2):
        angle, first = angle_of(offset, pair, d_model, base), 2 * pair
        matrix[first, first] = matrix[first + 1, first + 1] = np.cos(angle)
        matrix[first, first + 1], matrix[first + 1, first] = -np.sin(angle), np.sin(angle)
    return matrix


def _shift(offset, d_model, base=BASE, exponent=paired, order=None) -> np.ndarray:
    """In each pair's plane [[cos, −sin], [sin, cos]]; `order` gives the channels of the pairs, one after another."""
    angles = angles_of(np.array([offset]), d_model, base, exponent)[0, ::2]
    matrix = np.zeros((d_model, d_model))
    channels = np.arange(d_model) if order is None else order(d_model)
    for (a, b), angle in zip(channels.reshape(-1, 2), angles, strict=True):
        matrix[a, a] = matrix[b, b] = np.cos(angle)
        matrix[a, b], matrix[b, a] = -np.sin(angle), np.sin(angle)
    return matrix


def noise(offset, d_model, base=BASE) -> tuple[float]:
    return (1.0 + abs(offset),)


def cases(draw: Draw) -> list[Case]:
    """Made of numbers alone: forwards, backwards, far, nowhere."""

    def case(name, offset, d_model, **base) -> Case:
        return Case(f"offset {offset}, d_model {d_model}", name, {"offset": offset, "d_model": d_model, **base})

    return [
        case(properties.VALUES, 1, 2),
        case(properties.VALUES, 2, 4),
        case(properties.VALUES, -3, 6),
        case(properties.VALUES, 40, 6),
        case(properties.VALUES, 0, 4),
        case(properties.VALUES, 5, 12),
        case(properties.BASE, 2, 4, base=100.0),
        case(properties.BASE, -1, 6, base=2.0),
    ]


EXERCISE = FunctionExercise(
    name="shift_matrix",
    prompt="Find the matrix M that moves every position by the same offset: PE(p + offset) = PE(p) @ M.",
    points=3,
    difficulty=3,
    minutes=20,
    hints=(
        "Take one pair, (sin a, cos a), and an offset that adds t to the angle. The addition formulas give "
        "sin(a + t) and cos(a + t) as sums of sin a and cos a.",
        "A row times a matrix: the first column of the 2×2 block makes sin(a + t), the second cos(a + t).",
        "Each pair has its own t, offset / base^(2i / d_model), and a block of its own on the diagonal. "
        "`torch.block_diag` lays blocks along the diagonal.",
    ),
    returns=Returns(names=("matrix",), from_sizes_only=True, axes=("d_model, d_model",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"offset": lambda inputs: inputs.whole(-20, 60), "d_model": lambda inputs: inputs.even()},
    noise=noise,
    words=WORDS,
    misconceptions={
        "shift-backwards": Misconception(
            "It shifts the other way",
            "The encoding is a row: PE(p) @ M, with M on the right. For a column, M @ PE(p), the matrix "
            "would be the transpose, and the transpose of a rotation turns back.",
            (lambda offset, d_model, base=BASE: _shift(-offset, d_model, base),),
        ),
        "offset-without-sign": Misconception(
            "A negative offset moves forward as well",
            "A shift by −3 moves back: its angles are negative, and only the sines change their sign.",
            (lambda offset, d_model, base=BASE: _shift(abs(offset), d_model, base),),
        ),
        "shift-one-angle": Misconception(
            "Every pair is turned by the same angle",
            "Each pair has a frequency of its own: a shift by `offset` turns it by offset times this frequency.",
            (partial(_shift, exponent=lambda c, d: 0.0 * c),),
        ),
        **variants(_shift, "exponent", EXPONENTS),
        "base-ignored": (lambda offset, d_model, base=BASE: _shift(offset, d_model),),
        "sin-cos-halves": (partial(_shift, order=halves),),
    },
)

from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import dot, pairwise, product_noise
from course_attention.exercises.common.variants import each
from course_attention.exercises.self_attention.words import WORDS


def oracle(w_query: np.ndarray, w_key: np.ndarray) -> np.ndarray:
    """M_ab = Σ_c w_query_ac · w_key_bc / √d_key."""
    return pairwise(w_query, w_key, lambda a, b: dot(a, b) / len(a) ** 0.5)


def _interaction(w_query, w_key, multiply=lambda q, k: q @ k.T, scale=lambda q: np.sqrt(q.shape[-1])):
    return multiply(w_query, w_key) / scale(w_query)


def _lopsided(draw: Draw, *shape: int) -> Array:
    """Few-digit numbers; a square matrix that is not its own transpose."""
    values = draw.halves(*shape).values
    if np.array_equal(values, values.T):
        values[0, -1] *= -1
    return Array(values, "float64")


def cases(draw: Draw) -> list[Case]:
    """Two matrices, no batch; one d_key larger than d_model."""

    def case(title, name, d_model, d_key, make, gradient=False, **kind) -> Case:
        arguments = {"w_query": make(d_model, d_key, **kind), "w_key": make(d_model, d_key, **kind)}
        return Case(title, name, arguments, gradient)

    return [
        case("d_model 2, d_key 1", properties.VALUES, 2, 1, draw.halves, gradient=True),
        case("d_model 2, d_key 2", properties.VALUES, 2, 2, partial(_lopsided, draw)),
        case("d_model 2, d_key 3", properties.VALUES, 2, 3, draw.halves),
        case("d_model 5, d_key 3", properties.VALUES, 5, 3, draw.normal),
        case("d_model 3, d_key 4", properties.VALUES, 3, 4, draw.normal, dtype="float32"),
        case("d_model 4, d_key 4", properties.VALUES, 4, 4, draw.normal),
        case("inputs that are not contiguous", properties.STRIDES, 4, 3, draw.normal, strided=True),
        case("large weights", properties.LARGE_SCORES, 4, 3, lambda *shape: _times(draw, 8192.0, *shape)),
        case("d_model 3, d_key 2", properties.DTYPES, 3, 2, draw.normal, dtype="bfloat16"),
    ]


def _times(draw: Draw, factor: float, *shape: int) -> Array:
    return Array(draw.normal(*shape, dtype="float32").values * factor, "float32")


EXERCISE = FunctionExercise(
    name="interaction_matrix",
    prompt="Join W_Q, W_K and the scale in one matrix M, so that the scores are X M Xᵀ.",
    points=2,
    difficulty=2,
    minutes=10,
    hints=(
        "Write the scores out: (X W_Q)(X W_K)ᵀ / √d_key. What is the transpose of a product?",
        "Everything between X on the left and Xᵀ on the right is M. It is (d_model, d_model).",
    ),
    oracle=oracle,
    cases=cases,
    noise=lambda w_query, w_key: (product_noise(w_query, w_key),),
    returns=Returns(axes=("d_model, d_model",)),
    words=WORDS,
    misconceptions={
        "no-scale": (partial(_interaction, scale=lambda q: 1.0),),
        "scale-by-d": (partial(_interaction, scale=lambda q: q.shape[-1]),),
        "scale-multiplied": (partial(_interaction, scale=lambda q: q.shape[-1] ** -0.5),),
        "scale-wrong-axis": (partial(_interaction, scale=lambda q: np.sqrt(q.shape[0])),),
        "interaction-order": Misconception(
            "The two matrices meet in another order or on another side",
            "The scores are (X W_Q)(X W_K)ᵀ. Write the transpose of the product out: W_Q stands on the "
            "left, and M has d_model rows and columns, not d_key.",
            each(_interaction, "multiply", lambda q, k: k @ q.T, lambda q, k: q.T @ k, lambda q, k: k.T @ q),
        ),
        "key-weight-not-transposed": Misconception(
            "w_key is not transposed",
            "(X W_K)ᵀ = W_Kᵀ Xᵀ. Where d_model and d_key are equal, W_Q W_K exists as well, and is another matrix.",
            each(_interaction, "multiply", lambda q, k: q @ k, lambda q, k: q @ k.reshape(k.shape[::-1])),
        ),
    },
)

from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.attention.inputs import BY_HAND, large_inputs
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import dot, largest, mixed, pairwise, product_noise
from course_attention.exercises.common.masking import (
    distribution_oracle,
    overflowing,
    shifted_and_cleaned,
    shifted_by_one_maximum,
    soften,
)
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import each


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """V · softmax(Qᵀ K)ᵀ, tokens as columns."""
    weights = distribution_oracle(pairwise(query.T, key.T, dot))
    return mixed(weights, value.T).T


def _columns(query, key, value, score=lambda q, k: q.swapaxes(-1, -2) @ k, weigh=soften) -> np.ndarray:
    return value @ weigh(score(query, key)).swapaxes(-1, -2)


def _as_rows(query, key, value, scale: float = 1.0) -> np.ndarray:
    return soften(query @ key.T * scale) @ value


def noise(query, key, value) -> tuple[float]:
    return ((product_noise(query.T, key.T) + key.shape[-1]) * largest(value),)


def cases(draw: Draw) -> list[Case]:
    """Tokens as columns: no batch."""

    def case(title, name, n_q, n_k, d_k, d_v, **kind) -> Case:
        arguments = {
            "query": draw.normal(d_k, n_q, **kind),
            "key": draw.normal(d_k, n_k, **kind),
            "value": draw.normal(d_v, n_k, **kind),
        }
        return Case(title, name, arguments)

    by_hand = {"query": draw.halves(2, 2), "key": draw.halves(2, 3), "value": draw.halves(1, 3)}
    large = {name: Array(np.ascontiguousarray(array.values.T), array.dtype) for name, array in large_inputs().items()}
    return [
        Case(BY_HAND, properties.VALUES, by_hand, gradient=True),
        case("3 queries, 5 keys, d_key 4, d_value 6", properties.VALUES, 3, 5, 4, 6),
        case("more queries than keys", properties.VALUES, 5, 3, 4, 2, dtype="float32"),
        case("3 queries, 3 keys, d_key 3, d_value 3", properties.VALUES, 3, 3, 3, 3),
        case("4 queries, 4 keys, d_key 4, d_value 4", properties.VALUES, 4, 4, 4, 4, dtype="float32"),
        case("one query, one key", properties.VALUES, 1, 1, 3, 2, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, 3, 4, 5, 6, strided=True),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
        case("2 queries, 3 keys", properties.DTYPES, 2, 3, 4, 5, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="attention_columns",
    prompt="Attention with tokens as columns, unscaled: a column of the output for each query.",
    points=2,
    difficulty=2,
    minutes=10,
    hints=(
        "Qᵀ K has a row for each query and a column for each key.",
        "The softmax runs along the rows of that matrix, so that each query's weights sum to 1.",
        "The output is (d_value, n_queries): V times the transposed weights.",
    ),
    ready_made=ATTENTION,
    oracle=oracle,
    cases=cases,
    noise=noise,
    returns=Returns(axes=("d_value, n_queries",)),
    words=WORDS,
    misconceptions={
        "softmax-over-everything": (partial(_columns, weigh=partial(soften, axis=None)),),
        "softmax-overflows": each(_columns, "weigh", overflowing, shifted_by_one_maximum, shifted_and_cleaned),
        "softmax-missing": (partial(_columns, weigh=lambda scores: scores),),
        "scale-added": each(
            _columns,
            "score",
            lambda q, k: q.T @ k / np.sqrt(len(q)),
            lambda q, k: q.T @ k / len(q),
            lambda q, k: q.T @ k / np.sqrt(q.shape[-1]),
            lambda q, k: q.T @ k / np.sqrt(k.shape[-1]),
        ),
        "weights-times-keys": (lambda query, key, value: _columns(query, key, key),),
        "weights-returned": Misconception(
            "The weights are returned, not the output",
            "The weights say how much each query takes from each key. What it takes are columns of the values.",
            (
                lambda query, key, value: soften(query.T @ key).T,
                lambda query, key, value: soften(query.T @ key),
            ),
        ),
        "key-reshaped": (
            partial(_columns, score=lambda q, k: q.reshape(q.shape[::-1]) @ k),
            partial(_columns, score=lambda q, k: (k.reshape(k.shape[::-1]) @ q).T),
        ),
        "not-transposed": Misconception(
            "Nothing is transposed before the product",
            "A dot product runs over the channels. Here they are the rows of both, so one of the two has "
            "to be turned. As it is, the product is an error unless two of the sizes happen to be equal.",
            (partial(_columns, score=lambda q, k: q @ k), partial(_columns, score=lambda q, k: (k @ q).T)),
        ),
        "columns-as-rows": Misconception(
            "Rows and columns are exchanged",
            "Each token is a column here, in the output of shape (d_value, n_queries) as well. In Qᵀ K, of shape "
            "(n_queries, n_keys), a row belongs to a query, so the softmax runs along the rows; in Kᵀ Q it runs along "
            "the columns. Does your softmax run over the queries? Are the tokens rows in one of your products, or in "
            "your output?",
            (
                partial(_columns, weigh=partial(soften, axis=0)),
                lambda query, key, value: value @ soften(query.T @ key, axis=0),
                lambda query, key, value: _columns(query, key, value).T,
                _as_rows,
                lambda query, key, value: _as_rows(query, key, value, len(query) ** -0.5),
                lambda query, key, value: _as_rows(query, key, value, query.shape[-1] ** -0.5),
            ),
        ),
    },
)

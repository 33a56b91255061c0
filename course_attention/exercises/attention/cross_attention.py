from collections.abc import Callable

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.attention.inputs import score_cases
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import (
    ATTENTION_MISTAKES,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
)
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import each, variants


def oracle(x: np.ndarray, context: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> Pair:
    """Attention with queries from x, keys and values from the context."""
    return attention_oracle(x @ w_query, context @ w_key, context @ w_value)


def _projected(x, context, w_query, w_key, w_value) -> tuple:
    return x @ w_query, context @ w_key, context @ w_value


def _cross(x, context, w_query, w_key, w_value, project=_projected, attend=attend) -> Pair:
    return attend(*project(x, context, w_query, w_key, w_value))


def _scaled_by_size_of(which: int) -> Callable[..., tuple]:
    """Make queries so long that √d_key in the scale becomes the root of the size of x, or of the context."""

    def project(x, context, w_query, w_key, w_value) -> tuple:
        longer = np.sqrt(w_key.shape[-1] / (x, context)[which].shape[-1])
        return x @ w_query * longer, context @ w_key, context @ w_value

    return project


_WITHOUT_A_MASK = (
    "softmax-over-queries",
    "softmax-over-batch",
    "softmax-over-everything",
    "softmax-overflows",
    "softmax-missing",
    "keepdims-forgotten",
    "no-scale",
    "scale-by-d",
    "scale-multiplied",
    "scale-wrong-axis",
    "key-reshaped",
    "key-not-transposed",
    "weights-times-keys",
)


def noise(x, context, w_query, w_key, w_value) -> tuple[float, float]:
    query, key, value = (np.abs(a) @ np.abs(w) for a, w in ((x, w_query), (context, w_key), (context, w_value)))
    return attention_noise(query * x.shape[-1] ** 0.5, key * x.shape[-1] ** 0.5, value)


def cases(draw: Draw) -> list[Case]:
    """x and context of different length and size, and of the same."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_x: int, d_c: int, **kind) -> dict[str, Array]:
        d_key, d_value = (d_x, d_c) if d_x == d_c else (d_x + 1, d_c + 1)
        weights = {"dtype": kind.get("dtype", "float64")}
        return {
            "x": draw.normal(*batch, n_q, d_x, **kind),
            "context": draw.normal(*batch, n_k, d_c, **kind),
            "w_query": draw.normal(d_x, d_key, **weights),
            "w_key": draw.normal(d_c, d_key, **weights),
            "w_value": draw.normal(d_c, d_value, **weights),
        }

    by_hand = {
        "x": draw.halves(2, 2),
        "context": draw.halves(3, 2),
        "w_query": draw.halves(2, 2),
        "w_key": draw.halves(2, 2),
        "w_value": draw.halves(2, 1),
    }
    same_size = {
        "x": draw.normal(2, 3, 4),
        "context": draw.normal(2, 5, 4),
        "w_query": draw.normal(4, 6),
        "w_key": draw.normal(4, 6),
        "w_value": draw.normal(4, 2),
    }
    large = {
        "x": Array(np.array([[100.0], [-100.0]]), "float32"),
        "context": Array(np.array([[100.0], [-90.0], [94.0]]), "float32"),
        "w_query": Array(np.array([[1.0]]), "float32"),
        "w_key": Array(np.array([[1.0]]), "float32"),
        "w_value": Array(np.array([[1.0, -0.5]]), "float32"),
    }
    longer_x = {  # tokens of x that are longer than a query, so that the root of the one is not that of the other
        "x": draw.halves(2, 3),
        "context": draw.halves(3, 2),
        "w_query": draw.halves(3, 2),
        "w_key": draw.halves(2, 2),
        "w_value": draw.halves(2, 1),
    }
    return [
        *score_cases(draw, by_hand, make, square_sizes=(3, 4)),
        Case("x and context of the same size", properties.VALUES, same_size),
        Case("d_model 3, d_context 2, d_key 2", properties.VALUES, longer_x),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
    ]


EXERCISE = FunctionExercise(
    name="cross_attention",
    prompt="Let x attend to a context: queries from x, keys and values from the context.",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "Three projections come first: which of the two sequences does each take?",
        "What follows the projections is the attention that you have written already.",
    ),
    ready_made=ATTENTION,
    returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_value", "..., n_queries, n_keys")),
    oracle=oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions={
        **variants(_cross, "attend", {idea: ATTENTION_MISTAKES[idea] for idea in _WITHOUT_A_MASK}),
        "roles-swapped": Misconception(
            "Query and key have changed roles",
            "The queries come from x, projected by w_query. The keys come from the context, projected by w_key.",
            each(
                _cross,
                "project",
                lambda x, context, w_query, w_key, w_value: (context @ w_query, x @ w_key, x @ w_value),
                lambda x, context, w_query, w_key, w_value: (context @ w_query, x @ w_key, context @ w_value),
                lambda x, context, w_query, w_key, w_value: (x @ w_key, context @ w_query, context @ w_value),
            ),
        ),
        "shared-projection": Misconception(
            "The keys are made with w_query",
            "Queries and keys have a matrix each. Where x and context have equally long tokens, the wrong one raises "
            "no error.",
            each(
                _cross,
                "project",
                lambda x, context, w_query, w_key, w_value: (x @ w_query, context @ w_query, context @ w_value),
            ),
        ),
        "value-not-projected": each(
            _cross,
            "project",
            lambda x, context, w_query, w_key, w_value: (x @ w_query, context @ w_key, context),
        ),
        "cross-ignores-context": Misconception(
            "Keys or values are made from x, not from the context",
            "Whoever asks is x. What is found, keys and values alike, comes from the context. Where both are made "
            "from x, x attends to itself.",
            each(
                _cross,
                "project",
                lambda x, context, w_query, w_key, w_value: (x @ w_query, x @ w_key, x @ w_value),
                lambda x, context, w_query, w_key, w_value: (x @ w_query, x @ w_key, context @ w_value),
                lambda x, context, w_query, w_key, w_value: (x @ w_query, context @ w_key, x @ w_value),
            ),
        ),
        "scale-wrong-axis": (
            *each(_cross, "attend", *ATTENTION_MISTAKES["scale-wrong-axis"]),
            *each(_cross, "project", _scaled_by_size_of(0), _scaled_by_size_of(1)),
        ),
    },
)

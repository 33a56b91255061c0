import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import product_noise
from course_attention.exercises.self_attention.in_parts import (
    BATCH_BY_HAND,
    BY_HAND,
    KEY,
    PROJECTIONS,
    QUERY,
    SHARED,
    VALUE,
    batched,
    inputs_by_hand,
    project_oracle,
    projected_from,
    sequence,
)
from course_attention.exercises.self_attention.words import WORDS

VALUE_LIKE_KEY = projected_from(QUERY, KEY, KEY)


def noise(x, w_query, w_key, w_value) -> tuple[float, ...]:
    return tuple(product_noise(x, w.T) for w in (w_query, w_key, w_value))


def cases(draw: Draw) -> list[Case]:
    """d_key and d_value different, and the same."""
    return [
        Case(f"{BY_HAND}, d_value 1", properties.VALUES, inputs_by_hand(draw), gradient=True),
        Case(f"{BY_HAND}, d_value 2", properties.VALUES, inputs_by_hand(draw, d_value=2)),
        Case("4 tokens, d_model 3, d_key 5, d_value 2", properties.VALUES, sequence(draw, (), 4, 3, 5, 2)),
        Case("one token", properties.VALUES, sequence(draw, (), 1, 3, 4, 2, dtype="float32")),
        Case(BATCH_BY_HAND, properties.LEADING_DIMENSIONS, inputs_by_hand(draw, 2)),
        *batched(draw),
        Case("3 tokens", properties.DTYPES, sequence(draw, (), 3, 4, 2, 5, dtype="bfloat16")),
    ]


EXERCISE = FunctionExercise(
    name="project",
    prompt="Make queries, keys and values from one sequence, with a matrix for each.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "Tokens are rows, and a matrix is (d_in, d_out). Which product of the two keeps tokens as rows?",
        "Three such products, returned in the order query, key, value.",
    ),
    returns=Returns(
        names=("query", "key", "value"),
        axes=("..., n_tokens, d_key", "..., n_tokens, d_key", "..., n_tokens, d_value"),
    ),
    oracle=project_oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions={
        **PROJECTIONS,
        "shared-projection": (*SHARED, VALUE_LIKE_KEY),
        "values-first": Misconception(
            "The values come first",
            "One of the sources writes Attention(V, Q, K). Here the order is query, key, value, as in the definition.",
            (
                projected_from(VALUE, QUERY, KEY),
                projected_from(VALUE, KEY, QUERY),
                projected_from(QUERY, VALUE, KEY),
                projected_from(KEY, VALUE, QUERY),
            ),
        ),
        "scale-added": Misconception(
            "The projections are scaled already",
            "The division by √d_key belongs to the scores. Here plain products are asked for.",
            (
                lambda x, w_query, w_key, w_value: (
                    x @ w_query / np.sqrt(w_query.shape[-1]),
                    x @ w_key,
                    x @ w_value,
                ),
                lambda x, w_query, w_key, w_value: (
                    x @ w_query / w_query.shape[-1] ** 0.25,
                    x @ w_key / w_key.shape[-1] ** 0.25,
                    x @ w_value,
                ),
            ),
        ),
    },
)

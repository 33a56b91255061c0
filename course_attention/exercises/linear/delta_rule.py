from functools import partial

import numpy as np

from course_attention.authoring import (
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    properties,
    rounded,
)
from course_attention.exercises.common.attention import dot, largest
from course_attention.exercises.common.variants import each, variants
from course_attention.exercises.linear.linear_attention import elu
from course_attention.exercises.linear.memory import (
    ONE_FOR_ALL,
    WRITES,
    held,
    squashed,
    through_tokens,
    unit,
    written,
)
from course_attention.exercises.linear.words import WORDS


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Token by token: read under the key, write the difference, read under the query."""
    output = np.empty(value.shape)
    for batch in np.ndindex(value.shape[:-2]):
        memory = np.zeros((key.shape[-1], value.shape[-1]))
        for t in range(value.shape[-2]):
            k, q = key[batch][t], query[batch][t]
            found = [dot(k, column) for column in memory.T]
            for a, c in np.ndindex(memory.shape):
                memory[a, c] += beta[batch][t] * k[a] * (value[batch][t][c] - found[c])
            output[batch][t] = [dot(q, column) for column in memory.T]
    return output


def _delta(query, key, value, beta, write=written, reads="after", sees_query=False) -> np.ndarray:
    return through_tokens(query, key, value, beta, write=write, reads=reads, sees_query=sees_query)


def _first_written_whole(query, key, value, beta) -> np.ndarray:
    return _delta(query, key, value, np.concatenate([np.ones_like(beta[..., :1]), beta[..., 1:]], axis=-1))


def _never_corrected(query, key, value, beta, with_beta: bool) -> np.ndarray:
    """Subtract what plain linear attention reads under each key, which only ever adds."""
    earlier = np.tril(key @ key.swapaxes(-1, -2), -1)
    found = earlier @ (beta[..., None] * value if with_beta else value)
    return np.tril(query @ key.swapaxes(-1, -2)) @ (beta[..., None] * (value - found))


def noise(query: np.ndarray, key: np.ndarray, value: np.ndarray, beta: np.ndarray) -> tuple[float]:
    """Add up the sizes of all terms, as if none had a sign."""
    query, key, value, beta = map(np.abs, (query, key, value, beta))
    sizes = _delta(query, key, value, beta, write=WRITES["delta-sign"][0])
    return (largest(sizes) * key.shape[-2],)


def cases(draw: Draw) -> list[Case]:
    """One token and several, keys that come again, any number of axes before the tokens, in three dtypes."""

    def case(title, name, batch, n, d_key, d_value, by_hand=False, **kind) -> Case:
        kind = {"dtype": "float64", **kind}
        make = draw.halves if by_hand else draw.normal
        share = draw.rng.integers(1, 8, size=(*batch, n)) / 8
        arguments = {
            "query": make(*batch, n, d_key, **kind),
            "key": make(*batch, n, d_key, **kind),
            "value": make(*batch, n, d_value, **kind),
            "beta": Array(rounded(share, kind["dtype"]), kind["dtype"]),
        }
        return Case(title, name, arguments, gradient=by_hand)

    long = case("257 tokens", properties.LONG_SEQUENCES, (), 257, 2, 1, dtype="float32")
    long.arguments["key"].values[:] /= 8  # of larger keys no rounding is small after so many writes
    several = properties.LEADING_DIMENSIONS
    return [
        case("2 tokens, d_key 1, d_value 1", properties.VALUES, (), 2, 1, 1, by_hand=True),
        case("2 tokens, d_key 2, d_value 1", properties.VALUES, (), 2, 2, 1, by_hand=True),
        case("3 tokens, d_key 2, d_value 3", properties.VALUES, (), 3, 2, 3, by_hand=True),
        case("5 tokens, d_key 3, d_value 4", properties.VALUES, (), 5, 3, 4),
        case("one token", properties.VALUES, (), 1, 3, 2, dtype="float32"),
        case("4 tokens, d_key 4, d_value 4", properties.VALUES, (), 4, 4, 4),
        case("batch 2, 3 tokens, d_key 2", several, (2,), 3, 2, 1, by_hand=True),
        case("batch 3, every size 3", several, (3,), 3, 3, 3),
        case("two batch dimensions", several, (2, 3), 4, 2, 5, dtype="float32"),
        long,
        case("inputs that are not contiguous", properties.STRIDES, (2,), 4, 3, 2, strided=True),
        case("batch 2, 5 tokens, in float32", properties.DTYPES, (2,), 5, 4, 3, dtype="float32"),
        case("3 tokens", properties.DTYPES, (), 3, 2, 4, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="delta_rule",
    prompt="Run linear attention with a memory that is corrected: write only what the memory does not hold yet.",
    points=3,
    difficulty=3,
    minutes=20,
    hints=(
        "Go through the tokens one by one, with a memory S of (…, d_key, d_value) that starts at 0.",
        "Read first: Sᵀk, in code the row k times S, is what the memory holds under this key. Subtract it from the "
        "value and multiply the difference by beta. To write it, add the outer product of k and the result to the "
        "memory.",
        "The output of a token is read after its value was written. `unsqueeze` makes a column of a key, and a row of "
        "a value.",
    ),
    oracle=oracle,
    cases=cases,
    noise=noise,
    returns=Returns(axes=("..., n_tokens, d_value",)),
    words=WORDS,
    misconceptions={
        **variants(_delta, "write", WRITES),
        "whole-memory-decays": Misconception(
            "The whole memory fades",
            "Only what is held under this key is replaced. What is stored under keys orthogonal to it stays as it is.",
            each(_delta, "write", lambda memory, k, v, b: (1 - b) * memory + b * k * v),
        ),
        "first-written-whole": Misconception(
            "The first token is written whole, without its beta",
            "The memory starts at 0, and the first token is written as every other one is. What is read under its key "
            "is 0, and beta says how much of the difference is written.",
            (_first_written_whole,),
        ),
        "never-corrected": Misconception(
            "What is subtracted was read from a memory that only ever adds",
            "What a token writes depends on the memory as it is by then, which earlier tokens have corrected. Sums "
            "over all values at once do not know of these corrections. Go from token to token.",
            (partial(_never_corrected, with_beta=False), partial(_never_corrected, with_beta=True)),
        ),
        "read-under-query": (
            partial(_delta, write=lambda memory, k, v, b, q: memory + b * k * (v - held(memory, q)), sees_query=True),
        ),
        "beta-squashed": (lambda query, key, value, beta: _delta(query, key, value, squashed(beta)),),
        "one-beta-for-all": tuple(
            partial(lambda query, key, value, beta, one: _delta(query, key, value, one(beta)), one=one)
            for one in ONE_FOR_ALL
        ),
        "features-applied": (lambda query, key, value, beta: _delta(elu(query) + 1, elu(key) + 1, value, beta),),
        "read-before-write": each(_delta, "reads", "before"),
        "last-memory-for-all": each(_delta, "reads", "at the end"),
        "keys-normalised": (
            lambda query, key, value, beta: _delta(query, unit(key), value, beta),
            lambda query, key, value, beta: _delta(unit(query), unit(key), value, beta),
        ),
    },
)

from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns
from course_attention.exercises.attention.inputs import inputs_by_hand, score_cases, triple
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import Pair, dot, largest, mixed, pairwise, product_noise
from course_attention.exercises.common.masking import soften


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Pair:
    """Q Kᵀ / n_keys as weights."""
    weights = pairwise(query, key, dot) / key.shape[-2]
    return mixed(weights, value), weights


def _mean(query, key, value, scale=lambda query: 1.0, weigh=lambda scores: scores / scores.shape[-1]) -> Pair:
    weights = weigh(query @ key.swapaxes(-1, -2) / scale(query))
    return weights @ value, weights


def _output_divided(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Pair:
    output, weights = _mean(query, key, value)
    return output, weights * key.shape[-2]


def _divided_again(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Pair:
    output, weights = _mean(query, key, value)
    return output / key.shape[-2], weights


def _scores_averaged(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Pair:
    weights = (query @ key.swapaxes(-1, -2)).mean(axis=-1)
    return weights @ value, weights


def noise(query, key, value) -> tuple[float, float]:
    weights = product_noise(query, key)
    return weights * largest(value) * np.sqrt(key.shape[-2]), weights


def cases(draw: Draw) -> list[Case]:
    """No softmax: large scores are no trouble."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_v: int, **kind) -> dict[str, Array]:
        return triple(draw, batch, n_q, n_k, d_q, d_v, **kind)

    return score_cases(draw, inputs_by_hand(draw), make, square_sizes=(3,))


EXERCISE = FunctionExercise(
    name="mean_attention",
    prompt="Attention without a softmax: the dot products, divided by the number of keys, are the weights.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "Plain dot products, as in the scores of `attention`, but without √d_key.",
        "The number of keys is the size of one axis of the key.",
    ),
    returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_value", "..., n_queries, n_keys")),
    oracle=oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions={
        "mean-over-queries": Misconception(
            "The scores are not divided by the number of keys",
            "Each output is a mean over the keys, so the divisor is n_keys. It is neither its root, nor the number of "
            "queries, nor d_key, nor the sum of the scores themselves, which may be 0.",
            (
                partial(_mean, weigh=lambda scores: scores / scores.shape[-2]),
                partial(_mean, weigh=lambda scores: scores / scores.sum(axis=-1, keepdims=True)),
                partial(_mean, weigh=lambda scores: scores / np.abs(scores).sum(axis=-1, keepdims=True)),
                partial(_mean, scale=lambda query: query.shape[-1], weigh=lambda scores: scores),
                partial(_mean, weigh=lambda scores: scores / np.sqrt(scores.shape[-1])),
            ),
        ),
        "mean-with-softmax": Misconception(
            "There is a softmax all the same",
            "Here the dot products, divided by n_keys, are the weights as they are. They may be negative.",
            (
                partial(_mean, weigh=soften),
                partial(_mean, weigh=lambda scores: soften(scores) / scores.shape[-1]),
                partial(_mean, weigh=lambda scores: soften(scores / scores.shape[-1])),
            ),
        ),
        "scale-added": (partial(_mean, scale=lambda query: np.sqrt(query.shape[-1])),),
        "divided-by-batch": Misconception(
            "The scores are divided by the size of the first axis",
            "`len` counts the first axis. That is the keys where there is no batch, and the batch where there is one.",
            (
                lambda query, key, value: _mean(query, key, value, weigh=lambda scores: scores / len(key)),
                lambda query, key, value: _mean(query, key, value, weigh=lambda scores: scores / len(query)),
            ),
        ),
        "output-averaged-alone": Misconception(
            "The output is divided by the number of keys, and the weights are not",
            "The weights that come back are those that mix the values. Divide the scores, and mix with what comes of "
            "that.",
            (_output_divided,),
        ),
        "divided-again": Misconception(
            "It is divided by the number of keys twice",
            "The weights hold the division already. The output is their product with the values, and no mean is taken "
            "of it.",
            (_divided_again,),
        ),
        "mean-of-scores": Misconception(
            "The mean is taken of the scores alone",
            "What is averaged over the keys are the values, each times its score. A mean of the scores alone is one "
            "number for each query, and no key has a weight of its own any more.",
            (_scores_averaged,),
        ),
        "not-averaged": Misconception(
            "The sum is not divided by the number of keys",
            "Twice as many keys would give an output twice as large. The mean divides by n_keys.",
            (partial(_mean, weigh=lambda scores: scores),),
        ),
    },
)

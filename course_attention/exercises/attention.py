"""Notebook 02: attention in general, and the ways to get it wrong."""

from __future__ import annotations

from functools import partial

import numpy as np

from course_attention.exercises import attention_cases, mask_mistakes
from course_attention.exercises.attention_parts import (
    ATTENTION_MISTAKES,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    dot,
    largest,
    mixed,
    pairwise,
    product_noise,
    variants,
)
from course_attention.exercises.mask_mistakes import soften
from course_attention.exercises.seq2seq import distribution_oracle
from course_attention.judging.exercise import Exercise

NOTEBOOK = "02_queries_keys_values"


# The oracles: one query and one key at a time.


def columns_oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """V · softmax(Qᵀ K)ᵀ, tokens as columns."""
    weights = distribution_oracle(pairwise(query.T, key.T, dot))
    return mixed(weights, value.T).T


def bilinear_oracle(query: np.ndarray, key: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """q W kᵀ."""
    return pairwise(
        query, key, lambda q, k: sum(q[a] * weight[a, b] * k[b] for a, b in np.ndindex(weight.shape))
    )


def additive_oracle(
    query: np.ndarray, key: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_score: np.ndarray
) -> np.ndarray:
    """tanh(q W_q + k W_k) · w_score."""

    def score(q: np.ndarray, k: np.ndarray) -> float:
        hidden = (np.tanh(dot(q, w_query[:, u]) + dot(k, w_key[:, u])) for u in range(len(w_score)))
        return sum(h * w for h, w in zip(hidden, w_score, strict=True))

    return pairwise(query, key, score)


def gaussian_oracle(query: np.ndarray, key: np.ndarray, width: float) -> np.ndarray:
    """−‖q − k‖² / (2·width²)."""
    return pairwise(
        query, key, lambda q, k: -sum((a - b) ** 2 for a, b in zip(q, k, strict=True)) / 2 / width**2
    )


def mean_oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> Pair:
    """Q Kᵀ / n_keys as weights."""
    weights = pairwise(query, key, dot) / key.shape[-2]
    return mixed(weights, value), weights


def cross_oracle(
    x: np.ndarray, context: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray
) -> Pair:
    """Attention with queries from x, keys and values from the context."""
    return attention_oracle(x @ w_query, context @ w_key, context @ w_value)


# The same in a line or two, with each part exchangeable for a wrong one.


def _columns(query, key, value, score=lambda q, k: q.swapaxes(-1, -2) @ k, weigh=soften) -> np.ndarray:
    return value @ weigh(score(query, key)).swapaxes(-1, -2)


def _as_rows(query, key, value, scale: float = 1.0) -> np.ndarray:
    return soften(query @ key.T * scale) @ value


def _additive(
    query, key, w_query, w_key, w_score, join=np.add, squash=np.tanh, score=np.matmul
) -> np.ndarray:
    pairs = join((query @ w_query)[..., :, None, :], (key @ w_key)[..., None, :, :])
    return score(squash(pairs), w_score)


def _distances(query: np.ndarray, key: np.ndarray) -> np.ndarray:
    return np.linalg.norm(query[..., :, None, :] - key[..., None, :, :], axis=-1)


def _mean(query, key, value, weigh) -> Pair:
    weights = weigh(query @ key.swapaxes(-1, -2))
    return weights @ value, weights


def _cross(x, context, w_query, w_key, w_value, attend=attend) -> Pair:
    return attend(x @ w_query, context @ w_key, context @ w_value)


def _cross_swapped_sources(x, context, w_query, w_key, w_value) -> Pair:
    return attend(context @ w_query, x @ w_key, x @ w_value)


def _cross_swapped_queries(x, context, w_query, w_key, w_value) -> Pair:
    return attend(context @ w_query, x @ w_key, context @ w_value)


def _cross_swapped_weights(x, context, w_query, w_key, w_value) -> Pair:
    return attend(x @ w_key, context @ w_query, context @ w_value)


def _cross_scaled_by_model(x, context, w_query, w_key, w_value) -> Pair:
    return _cross(x, context, w_query * np.sqrt(w_key.shape[-1] / x.shape[-1]), w_key, w_value)


def _cross_scaled_by_context(x, context, w_query, w_key, w_value) -> Pair:
    return _cross(x, context, w_query * np.sqrt(w_key.shape[-1] / context.shape[-1]), w_key, w_value)


def _cross_raw_value(x, context, w_query, w_key, w_value) -> Pair:
    return attend(x @ w_query, context @ w_key, context)


# Noise, in units of epsilon: the scores' own, what the softmax adds, and what the average makes of it.


def _columns_noise(query, key, value) -> tuple[float]:
    return ((product_noise(query.T, key.T) + key.shape[-1]) * largest(value),)


def _bilinear_noise(query, key, weight) -> tuple[float]:
    return (product_noise(np.abs(query) @ np.abs(weight), key) * np.sqrt(query.shape[-1]),)


def _additive_noise(query, key, w_query, w_key, w_score) -> tuple[float]:
    hidden = product_noise(query, w_query.T) + product_noise(key, w_key.T) + 1
    return (hidden * float(np.abs(w_score).sum()),)


def _gaussian_noise(query, key, width) -> tuple[float]:
    # ‖q‖² − 2 q·k + ‖k‖², which many write, cancels: its error is that of its terms.
    return ((largest(query) + largest(key)) ** 2 * query.shape[-1] / width**2,)


def _mean_noise(query, key, value) -> tuple[float, float]:
    weights = product_noise(query, key)
    return weights * largest(value) * np.sqrt(key.shape[-2]), weights


def _cross_noise(x, context, w_query, w_key, w_value) -> tuple[float, float]:
    query, key, value = (
        np.abs(a) @ np.abs(w) for a, w in ((x, w_query), (context, w_key), (context, w_value))
    )
    return attention_noise(query * x.shape[-1] ** 0.5, key * x.shape[-1] ** 0.5, value)


_CROSS_MISTAKES = variants(
    _cross,
    "attend",
    {
        name: ATTENTION_MISTAKES[name]
        for name in (
            "softmax-over-queries",
            "softmax-over-batch",
            "softmax-over-everything",
            "softmax-overflows",
            "softmax-missing",
            "no-scale",
            "scale-by-d",
            "scale-multiplied",
            "scale-wrong-axis",
            "key-reshaped",
            "weights-times-keys",
        )
    },
)
EXERCISES = (
    Exercise(
        name="attention",
        notebook=NOTEBOOK,
        prompt="Compute softmax(Q Kᵀ / √d_key) V, with an optional mask, and give the output and the weights.",
        points=4,
        difficulty=2,
        minutes=25,
        hints=(
            "Four steps: scores, scale, softmax, average. Write down the shape after each.",
            "The scores are (…, n_queries, n_keys): a product of the query with the key, its last two axes exchanged. "
            "`.mT` exchanges them whatever comes before.",
            "The softmax runs over the keys, the last axis. A blocked score is −∞ before it. A query that may attend "
            "to nothing would have only −∞: find such rows with `allowed.any`, and give them weights of 0.",
        ),
        parts=("output", "weights"),
        oracle=attention_oracle,
        cases=attention_cases.attention_cases,
        noise=attention_noise,
        wrong=ATTENTION_MISTAKES,
    ),
    Exercise(
        name="attention_columns",
        notebook=NOTEBOOK,
        prompt="The same with tokens as columns, and without the scale: V · softmax(Qᵀ K)ᵀ.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "Qᵀ K has a row for each query and a column for each key.",
            "The softmax runs along the rows of that matrix, so that each query's weights sum to 1.",
            "The output is (d_value, n_queries): V times the weights, transposed.",
        ),
        oracle=columns_oracle,
        cases=attention_cases.columns_cases,
        noise=_columns_noise,
        wrong={
            "softmax-over-everything": (partial(_columns, weigh=partial(soften, axis=None)),),
            "softmax-overflows": (
                partial(_columns, weigh=lambda scores: mask_mistakes.overflowing(scores, None)),
            ),
            "softmax-missing": (partial(_columns, weigh=lambda scores: scores),),
            "scale-added": (partial(_columns, score=lambda q, k: q.T @ k / np.sqrt(len(q))),),
            "key-reshaped": (
                partial(_columns, score=lambda q, k: q.reshape(q.shape[::-1]) @ k),
                partial(_columns, score=lambda q, k: (k.reshape(k.shape[::-1]) @ q).T),
            ),
            "columns-as-rows": (
                partial(_columns, weigh=partial(soften, axis=0)),
                lambda query, key, value: _columns(query, key, value).T,
                _as_rows,
                lambda query, key, value: _as_rows(query, key, value, len(query) ** -0.5),
                lambda query, key, value: _as_rows(query, key, value, query.shape[-1] ** -0.5),
            ),
        },
    ),
    Exercise(
        name="bilinear_scores",
        notebook=NOTEBOOK,
        prompt="Score queries against keys of another size with a learned matrix: q W kᵀ.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "W has a row for each channel of the query and a column for each channel of the key.",
            "The query times W has the size of a key. What remains is a plain dot product.",
        ),
        parts=("scores",),
        oracle=bilinear_oracle,
        cases=attention_cases.bilinear_cases,
        noise=_bilinear_noise,
        wrong={
            "scale-added": (
                lambda query, key, weight: query @ weight @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1]),
                lambda query, key, weight: query @ weight @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1]),
            ),
            "bilinear-transposed": (
                lambda query, key, weight: query @ weight.T @ key.swapaxes(-1, -2),
                lambda query, key, weight: key @ weight @ query.swapaxes(-1, -2),
                lambda query, key, weight: key @ weight.T @ query.swapaxes(-1, -2),
            ),
        },
    ),
    Exercise(
        name="additive_scores",
        notebook=NOTEBOOK,
        prompt="Score each pair of query and key with a small network: tanh(q W_q + k W_k) · w_score.",
        points=2,
        difficulty=3,
        minutes=15,
        hints=(
            "Project the queries and the keys first; each is then (…, n, d_hidden).",
            "Every query meets every key: give the projected queries an axis for the keys, and the keys one for the "
            "queries, and let them broadcast to (…, n_queries, n_keys, d_hidden).",
            "After the tanh, a product with w_score takes the last axis away.",
        ),
        parts=("scores",),
        oracle=additive_oracle,
        cases=attention_cases.additive_cases,
        noise=_additive_noise,
        wrong={
            "additive-no-tanh": (partial(_additive, squash=lambda pairs: pairs),),
            "additive-tanh-outside": (
                partial(_additive, squash=lambda pairs: pairs, score=lambda h, w: np.tanh(h @ w)),
            ),
            "additive-product": (
                partial(_additive, join=np.multiply),
                partial(_additive, join=np.multiply, squash=lambda pairs: pairs),
                lambda query, key, w_query, w_key, w_score: np.tanh(
                    (query @ w_query) @ (key @ w_key).swapaxes(-1, -2)
                ),
            ),
            "pairs-not-formed": (
                lambda query, key, w_query, w_key, w_score: np.tanh(query @ w_query + key @ w_key) @ w_score,
            ),
        },
    ),
    Exercise(
        name="gaussian_scores",
        notebook=NOTEBOOK,
        prompt="Score by distance: −‖q − k‖² / (2·width²).",
        points=1,
        difficulty=2,
        minutes=10,
        hints=(
            "The squared distance is a sum over the channels of the squared differences.",
            "Every query meets every key: an axis of its own for each lets the differences broadcast to "
            "(…, n_queries, n_keys, d_key).",
        ),
        parts=("scores",),
        oracle=gaussian_oracle,
        cases=attention_cases.gaussian_cases,
        noise=_gaussian_noise,
        wrong={
            "gaussian-no-half": (lambda query, key, width: -(_distances(query, key) ** 2) / width**2,),
            "gaussian-width-not-squared": (
                lambda query, key, width: -(_distances(query, key) ** 2) / (2 * width),
            ),
            "gaussian-sign": (lambda query, key, width: _distances(query, key) ** 2 / (2 * width**2),),
            "gaussian-not-squared": (
                lambda query, key, width: -_distances(query, key) / (2 * width**2),
                lambda query, key, width: -_distances(query, key) / (2 * width),
                lambda query, key, width: -_distances(query, key) / width,
            ),
            "pairs-not-formed": (
                lambda query, key, width: -((query - key) ** 2).sum(axis=-1) / (2 * width**2),
            ),
            "gaussian-exponentiated": (
                lambda query, key, width: np.exp(-(_distances(query, key) ** 2) / (2 * width**2)),
            ),
        },
    ),
    Exercise(
        name="mean_attention",
        notebook=NOTEBOOK,
        prompt="Attention without a softmax: the dot products, divided by the number of keys, are the weights.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Plain dot products, as in the scores of the first exercise here, and no √d_key.",
            "The number of keys is the size of one axis of the key.",
        ),
        parts=("output", "weights"),
        oracle=mean_oracle,
        cases=attention_cases.mean_cases,
        noise=_mean_noise,
        wrong={
            "mean-over-queries": (
                partial(_mean, weigh=lambda scores: scores / scores.shape[-2]),
                partial(_mean, weigh=lambda scores: scores / scores.sum(axis=-1, keepdims=True)),
            ),
            "mean-with-softmax": (
                partial(_mean, weigh=soften),
                partial(_mean, weigh=lambda scores: soften(scores) / scores.shape[-1]),
                partial(_mean, weigh=lambda scores: soften(scores / scores.shape[-1])),
            ),
            "scale-added": (
                lambda query, key, value: _mean(
                    query, key, value, lambda scores: scores / np.sqrt(key.shape[-1]) / scores.shape[-1]
                ),
            ),
            "divided-by-batch": (
                lambda query, key, value: _mean(query, key, value, lambda scores: scores / len(key)),
                lambda query, key, value: _mean(query, key, value, lambda scores: scores / len(query)),
            ),
            "not-averaged": (partial(_mean, weigh=lambda scores: scores),),
        },
        ideas={
            "not-averaged": (
                "The sum is not divided by the number of keys",
                "Twice as many keys would give an output twice as large. The mean divides by n_keys.",
            ),
        },
    ),
    Exercise(
        name="cross_attention",
        notebook=NOTEBOOK,
        prompt="Let x attend to a context: queries from x, keys and values from the context.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "Three projections come first: which of the two sequences does each take?",
            "What follows the projections is the attention that you have written already.",
        ),
        parts=("output", "weights"),
        oracle=cross_oracle,
        cases=attention_cases.cross_cases,
        noise=_cross_noise,
        wrong={
            **_CROSS_MISTAKES,
            "scale-wrong-axis": (
                *_CROSS_MISTAKES["scale-wrong-axis"],
                _cross_scaled_by_model,
                _cross_scaled_by_context,
            ),
            "roles-swapped": (_cross_swapped_sources, _cross_swapped_queries, _cross_swapped_weights),
            "value-not-projected": (_cross_raw_value,),
        },
    ),
    Exercise(
        name="score_variance",
        notebook=NOTEBOOK,
        prompt="What is the variance of q·k, where q and k have 256 independent entries of mean 0 and variance 1?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "The product of two independent entries has mean 0. What is its variance?",
            "The variance of a sum of independent terms is the sum of their variances. How many terms has q·k?",
        ),
        kind="value",
        value=256,
        wrong_values={
            "standard-deviation": (16,),
            "variance-of-one-term": (1,),
            "already-scaled": (1 / 16, 1 / 256),
            "terms-squared": (65536,),
            "variances-added": (512,),
        },
        ideas={
            "standard-deviation": ("That is the standard deviation", "The variance is its square."),
            "variance-of-one-term": (
                "That is the variance of one term, or of a scaled score",
                "Each of the terms of q·k has variance 1, and they are independent. The plain sum is asked for.",
            ),
            "already-scaled": (
                "A division too many",
                "The plain q·k is asked for; nothing has been divided yet, and a sum of more terms spreads further.",
            ),
            "terms-squared": (
                "The number of terms is squared",
                "Variances of independent terms add up. Were all terms the same, their sum would spread that far.",
            ),
            "variances-added": (
                "The variances of q and k are added",
                "Entries are multiplied: the variance of a product of independent entries of mean 0 is the product of "
                "their variances.",
            ),
        },
    ),
)

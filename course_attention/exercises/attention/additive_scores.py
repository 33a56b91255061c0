from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns
from course_attention.exercises.attention.inputs import score_cases
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import dot, pairwise, product_noise
from course_attention.exercises.common.masking import soften
from course_attention.exercises.common.variants import each


def oracle(
    query: np.ndarray, key: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_score: np.ndarray
) -> np.ndarray:
    """tanh(q W_q + k W_k) · w_score."""

    def score(q: np.ndarray, k: np.ndarray) -> float:
        hidden = (np.tanh(dot(q, w_query[:, u]) + dot(k, w_key[:, u])) for u in range(len(w_score)))
        return sum(h * w for h, w in zip(hidden, w_score, strict=True))

    return pairwise(query, key, score)


def _additive(query, key, w_query, w_key, w_score, join=np.add, squash=np.tanh, score=np.matmul) -> np.ndarray:
    pairs = join((query @ w_query)[..., :, None, :], (key @ w_key)[..., None, :, :])
    return score(squash(pairs), w_score)


def _as_it_is(projected: np.ndarray) -> np.ndarray:
    return projected


def _additive_of(query, key, w_query, w_key, w_score, apart) -> np.ndarray:
    of_query, of_key = apart
    return (of_query(query @ w_query)[..., :, None, :] + of_key(key @ w_key)[..., None, :, :]) @ w_score


def noise(query, key, w_query, w_key, w_score) -> tuple[float]:
    hidden = product_noise(query, w_query.T) + product_noise(key, w_key.T) + 1
    return (hidden * float(np.abs(w_score).sum()),)


def cases(draw: Draw) -> list[Case]:
    """Draw queries and keys of different sizes, which are projected to a third."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_k: int, **kind) -> dict[str, Array]:
        d_hidden = d_q if d_q == d_k else d_q + 1
        return {
            "query": draw.normal(*batch, n_q, d_q, **kind),
            "key": draw.normal(*batch, n_k, d_k, **kind),
            "w_query": draw.normal(d_q, d_hidden, **kind),
            "w_key": draw.normal(d_k, d_hidden, **kind),
            "w_score": draw.normal(d_hidden, **kind),
        }

    by_hand = {
        "query": draw.halves(2, 1),
        "key": draw.halves(3, 1),
        "w_query": draw.halves(1, 2),
        "w_key": draw.halves(1, 2),
        "w_score": draw.halves(2),
    }
    return score_cases(draw, by_hand, make, square_sizes=(3,))


EXERCISE = FunctionExercise(
    name="additive_scores",
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
    returns=Returns(names=("scores",), axes=("..., n_queries, n_keys",)),
    oracle=oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions={
        "additive-no-tanh": Misconception(
            "The tanh is left out",
            "Without it the score is a sum of a query's part and a key's part. The query's part is then "
            "the same for all keys and drops out of the softmax: every query would attend alike.",
            (partial(_additive, squash=lambda pairs: pairs),),
        ),
        "additive-tanh-outside": Misconception(
            "The tanh comes after w_score",
            "The network has a hidden layer: tanh acts on each hidden unit, and w_score sums the units afterwards.",
            (partial(_additive, squash=lambda pairs: pairs, score=lambda h, w: np.tanh(h @ w)),),
        ),
        "additive-tanh-on-a-part": Misconception(
            "The tanh is not taken of the whole sum",
            "tanh acts on the sum of the two projections. Where each is squashed by itself, or one of them alone, the "
            "score is a sum of a query's part and a key's part, and the query's part drops out of the softmax.",
            each(_additive_of, "apart", (np.tanh, np.tanh), (np.tanh, _as_it_is), (_as_it_is, np.tanh)),
        ),
        "other-activation": Misconception(
            "Another function is taken than the tanh",
            "tanh stands between the sum and w_score. It is 0 at 0, and lies between −1 and 1.",
            each(_additive, "squash", lambda pairs: np.maximum(pairs, 0.0), lambda pairs: 1 / (1 + np.exp(-pairs))),
        ),
        "score-vector-unused": Misconception(
            "w_score is not used",
            "w_score says how much each hidden unit counts, and with which sign. In a plain sum or mean all count "
            "alike.",
            each(_additive, "score", lambda h, w: h.sum(axis=-1), lambda h, w: h.mean(axis=-1)),
        ),
        "shared-projection": Misconception(
            "Query and key share a projection",
            "Queries have w_query, and keys have w_key. Where both have equally many channels, the wrong one raises no "
            "error.",
            (
                lambda query, key, w_query, w_key, w_score: _additive(query, key, w_query, w_query, w_score),
                lambda query, key, w_query, w_key, w_score: _additive(query, key, w_key, w_key, w_score),
            ),
        ),
        "scale-added": each(_additive, "score", lambda h, w: h @ w / np.sqrt(len(w)), lambda h, w: h @ w / len(w)),
        "scores-softmaxed": each(_additive, "score", lambda h, w: soften(h @ w)),
        "additive-product": Misconception(
            "The projections are multiplied, not added",
            "This score is called additive: what goes into the tanh is the sum of the two projections.",
            (
                partial(_additive, join=np.multiply),
                partial(_additive, join=np.multiply, squash=lambda pairs: pairs),
                lambda query, key, w_query, w_key, w_score: np.tanh((query @ w_query) @ (key @ w_key).swapaxes(-1, -2)),
            ),
        ),
        "scores-transposed": Misconception(
            "The scores are transposed",
            "Each row belongs to a query and each column to a key: (…, n_queries, n_keys). The keys' axis"
            " comes last because the softmax over the keys follows.",
            (
                lambda query, key, w_query, w_key, w_score: _additive(key, query, w_key, w_query, w_score),
                lambda query, key, w_query, w_key, w_score: (
                    np.tanh((query @ w_query)[None] + (key @ w_key)[:, None]) @ w_score
                ),
            ),
        ),
        "pairs-not-formed": (
            lambda query, key, w_query, w_key, w_score: np.tanh(query @ w_query + key @ w_key) @ w_score,
        ),
    },
)

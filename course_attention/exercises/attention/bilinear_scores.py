import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns
from course_attention.exercises.attention.inputs import score_cases
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import pairwise, product_noise
from course_attention.exercises.common.masking import soften


def oracle(query: np.ndarray, key: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """q W kᵀ."""
    return pairwise(query, key, lambda q, k: sum(q[a] * weight[a, b] * k[b] for a, b in np.ndindex(weight.shape)))


def noise(query, key, weight) -> tuple[float]:
    return (product_noise(np.abs(query) @ np.abs(weight), key) * np.sqrt(query.shape[-1]),)


def cases(draw: Draw) -> list[Case]:
    """Draw queries and keys of different sizes, and of the same."""

    def make(batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_k: int, **kind) -> dict[str, Array]:
        return {
            "query": draw.normal(*batch, n_q, d_q, **kind),
            "key": draw.normal(*batch, n_k, d_k, **kind),
            "weight": draw.normal(d_q, d_k, **kind),
        }

    by_hand = {"query": draw.halves(2, 2), "key": draw.halves(3, 2), "weight": draw.halves(2, 2)}
    return score_cases(draw, by_hand, make, square_sizes=(3, 4))


EXERCISE = FunctionExercise(
    name="bilinear_scores",
    prompt="Score queries against keys of another size with a learned matrix.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "W has a row for each channel of the query and a column for each channel of the key.",
        "The query times W has the size of a key. What remains is a plain dot product.",
    ),
    returns=Returns(names=("scores",), axes=("..., n_queries, n_keys",)),
    oracle=oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions={
        "scale-added": (
            lambda query, key, weight: query @ weight @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1]),
            lambda query, key, weight: query @ weight @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1]),
        ),
        "bilinear-transposed": Misconception(
            "The two sides of W are exchanged",
            "W has d_query rows and d_key columns: the query meets its rows, the key its columns.",
            (
                lambda query, key, weight: query @ weight.T @ key.swapaxes(-1, -2),
                lambda query, key, weight: key @ weight @ query.swapaxes(-1, -2),
                lambda query, key, weight: key @ weight.T @ query.swapaxes(-1, -2),
            ),
        ),
        "scores-softmaxed": (lambda query, key, weight: soften(query @ weight @ key.swapaxes(-1, -2)),),
        "pairs-not-formed": (
            lambda query, key, weight: (query @ weight * key).sum(axis=-1),
            lambda query, key, weight: (query * (key @ weight.T)).sum(axis=-1),
        ),
        "key-not-transposed": (lambda query, key, weight: query @ weight @ key,),
    },
)

from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.attention.inputs import score_cases
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import largest, pairwise
from course_attention.exercises.common.masking import soften


def oracle(query: np.ndarray, key: np.ndarray, width: float) -> np.ndarray:
    """−‖q − k‖² / (2·width²)."""
    return pairwise(query, key, lambda q, k: -sum((a - b) ** 2 for a, b in zip(q, k, strict=True)) / 2 / width**2)


def _gaussian(query, key, width, size=np.square, sign=-1.0, factor=2, power=2) -> np.ndarray:
    distances = np.linalg.norm(query[..., :, None, :] - key[..., None, :, :], axis=-1)
    return sign * size(distances) / (factor * width**power)


def _sum_squared(query: np.ndarray, key: np.ndarray, width: float) -> np.ndarray:
    sums = (query[..., :, None, :] - key[..., None, :, :]).sum(axis=-1)
    return -(sums**2) / (2 * width**2)


def _half_a_cross_term(query: np.ndarray, key: np.ndarray, width: float) -> np.ndarray:
    squares = (query**2).sum(axis=-1)[..., :, None] + (key**2).sum(axis=-1)[..., None, :]
    return -(squares - query @ key.swapaxes(-1, -2)) / (2 * width**2)


def noise(query, key, width) -> tuple[float]:
    # ‖q‖² − 2 q·k + ‖k‖², which many write, cancels: its error is that of its terms.
    return ((largest(query) + largest(key)) ** 2 * query.shape[-1] / width**2,)


def cases(draw: Draw) -> list[Case]:
    """Widths below and above 1, so that a width and its square differ either way."""

    def make(
        batch: tuple[int, ...], n_q: int, n_k: int, d_q: int, d_k: int, width: float | None = None, **kind
    ) -> dict[str, object]:
        query, key = draw.normal(*batch, n_q, d_q, **kind), draw.normal(*batch, n_k, d_q, **kind)
        return {"query": query, "key": key, "width": width or float(draw.rng.choice([0.5, 1.5, 2.0, 3.0]))}

    by_hand = {"query": draw.halves(2, 2), "key": draw.halves(3, 2), "width": 0.5}
    narrow = Case("3 queries, 4 keys, d_key 1", properties.VALUES, make((), 3, 4, 1, 1))
    # A width that float32 rounds: whoever makes a tensor of it has to give it a dtype.
    rounded = Case("2 queries, 3 keys, width 0.7", properties.VALUES, make((), 2, 3, 2, 2, width=0.7))
    return [*score_cases(draw, by_hand, make, square_sizes=(3,)), narrow, rounded]


EXERCISE = FunctionExercise(
    name="gaussian_scores",
    prompt="Score by distance: −‖q − k‖² / (2·width²).",
    points=1,
    difficulty=2,
    minutes=10,
    hints=(
        "The squared distance is a sum over the channels of the squared differences.",
        "Every query meets every key: an axis of its own for each lets the differences broadcast to "
        "(…, n_queries, n_keys, d_key).",
    ),
    returns=Returns(names=("scores",), axes=("..., n_queries, n_keys",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"width": lambda inputs: float(inputs.rng.uniform(0.3, 5.0))},
    noise=noise,
    words=WORDS,
    misconceptions={
        "gaussian-no-half": Misconception(
            "The factor ½ is left out",
            "The exponent of a Gaussian of this width is −distance² / (2·width²).",
            (partial(_gaussian, factor=1),),
        ),
        "gaussian-width-not-squared": Misconception(
            "The width is not squared",
            "Distance² over width has a unit left over. Squared over squared, the score does not depend on the unit.",
            (partial(_gaussian, power=1),),
        ),
        "gaussian-width-multiplied": Misconception(
            "The scores are multiplied by the width",
            "The wider the Gaussian, the less a distance counts, so the width divides. In Python, `a / 2 "
            "* b` is (a / 2) · b: without brackets, b is not part of the denominator.",
            (
                lambda query, key, width: _gaussian(query, key, 1.0) * width**2,
                lambda query, key, width: _gaussian(query, key, 1.0) * width,
            ),
        ),
        "gaussian-sign": Misconception(
            "The sign is the other way round",
            "Far keys get the higher scores. A score is high where query and key are near.",
            (partial(_gaussian, sign=1.0),),
        ),
        "gaussian-not-squared": Misconception(
            "The distance is not squared",
            "Its softmax is a kernel with a peak, exp(−distance), not a Gaussian.",
            (
                partial(_gaussian, size=np.abs),
                partial(_gaussian, size=np.abs, power=1),
                partial(_gaussian, size=np.abs, power=1, factor=1),
            ),
        ),
        "gaussian-two-squared": Misconception(
            "The 2 is squared with the width",
            "The denominator is 2·width². In Python, `(2 * width) ** 2` is 4·width².",
            (partial(_gaussian, factor=4),),
        ),
        "gaussian-mean-of-squares": Misconception(
            "The squared differences are averaged over the channels",
            "‖q − k‖² is their sum. A mean divides it by d_key.",
            (lambda query, key, width: _gaussian(query, key, width) / query.shape[-1],),
        ),
        "gaussian-squared-too-late": Misconception(
            "The differences are added before they are squared",
            "Differences of opposite sign would cancel. Each channel's difference is squared by itself, and the "
            "squares are added.",
            (_sum_squared,),
        ),
        "gaussian-cross-term": Misconception(
            "The product of query and key is in it once, not twice",
            "(a − b)² is a² − 2ab + b². The same holds for vectors, with q·k in the place of ab.",
            (_half_a_cross_term,),
        ),
        "gaussian-normalised": Misconception(
            "The constant of the bell curve is in it as well",
            "A density has a factor in front, which makes its area 1. The same number in every score changes no "
            "weight, and the definition leaves it out.",
            (
                lambda query, key, width: _gaussian(query, key, width) - np.log(width * np.sqrt(2 * np.pi)),
                lambda query, key, width: (
                    _gaussian(query, key, width) - query.shape[-1] * np.log(width * np.sqrt(2 * np.pi))
                ),
            ),
        ),
        "scores-softmaxed": (lambda query, key, width: soften(_gaussian(query, key, width)),),
        "pairs-not-formed": (lambda query, key, width: -((query - key) ** 2).sum(axis=-1) / (2 * width**2),),
        "gaussian-exponentiated": Misconception(
            "exp is applied already",
            "The score is the exponent. The softmax that follows applies exp.",
            (lambda query, key, width: np.exp(_gaussian(query, key, width)),),
        ),
    },
)

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.common.inputs import nothing_for
from course_attention.exercises.common.masking import (
    MASK_MISTAKES,
    MASK_ON_QUERIES,
    MISSING,
    OVERFLOWING,
    distribution_oracle,
    first_item_for_all,
    softmax_along,
    unnamed_axis,
    weigh,
)
from course_attention.exercises.masking.words import WORDS


def oracle(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """exp(score) / Σ exp over the allowed keys, row by row."""
    return distribution_oracle(scores, None if allowed is None else np.broadcast_to(allowed, scores.shape))


def _over_all_allowed(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """Pick the allowed scores with `scores[allowed]`, which puts them all in one row."""
    return weigh(scores, allowed, -1 if allowed is None else None)


def _not_normalised(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    kept = scores if allowed is None else np.where(allowed, scores, -np.inf)
    highest = kept.max(axis=-1, keepdims=True)
    return np.exp(kept - np.where(np.isfinite(highest), highest, 0.0))


def noise(scores: np.ndarray, allowed: np.ndarray | None) -> tuple[float]:
    return (largest(scores) + scores.shape[-1],)


def cases(draw: Draw) -> list[Case]:
    """Masks of the scores' shape and ones that broadcast to it, with nothing allowed, none at all, large scores."""

    def case(title, property, scores, allowed, gradient=False) -> Case:
        return Case(title, property, {"scores": scores, "allowed": allowed}, gradient)

    large = Array(np.array([[1e4, -1.01e4, 9.9e3], [-9.2e3, -9.2e3 - 1, -1e4]]), "float32")
    # Allows only the lowest score of the first query: a fill that is not low enough shows.
    lowest = Array(np.array([[False, True, False], [False, False, True]]), "bool")
    pair = "2 queries, 3 keys"
    # An item of nothing but padding, and one without any.
    empty = Array(np.array([[[True, True, False, False]], [[False] * 4], [[True] * 4]]), "bool")
    several, mask, blocked = properties.LEADING_DIMENSIONS, properties.MASK, properties.NOTHING_ALLOWED
    return [
        case(f"{pair}, masked", mask, draw.halves(2, 3), draw.allowed(2, 3), gradient=True),
        case(f"batch 2, {pair}, masked", mask, draw.halves(2, 2, 3), draw.allowed(2, 2, 3)),
        case(f"batch 2, {pair}, key padding (batch, 1, n_keys)", mask, draw.halves(2, 2, 3), draw.padded(2, 3)),
        case("batch 2, 3 queries, 5 keys", mask, draw.normal(2, 3, 5), draw.allowed(2, 3, 5)),
        case("batch 3, 3 queries, 3 keys", mask, draw.normal(3, 3, 3), draw.allowed(3, 3, 3)),
        case("4 queries, 4 keys, key padding", mask, draw.normal(3, 4, 4), draw.padded(3, 4)),
        case("more queries than keys", mask, draw.normal(5, 3, dtype="float32"), draw.allowed(5, 3)),
        case(f"{pair}, allowed None", properties.VALUES, draw.halves(2, 3), None, gradient=True),
        case(
            "batch 2, 3 queries, 5 keys, allowed None",
            properties.VALUES,
            draw.normal(2, 3, 5, dtype="float32"),
            None,
        ),
        case(
            "one query, one key",
            properties.VALUES,
            draw.normal(1, 1, dtype="float32"),
            Array(np.ones((1, 1), bool), "bool"),
        ),
        case("two batch dimensions, one mask for all", several, draw.normal(3, 2, 4, 5), draw.allowed(4, 5)),
        case(
            "two batch dimensions, a mask for each",
            several,
            draw.normal(2, 3, 4, 5),
            draw.allowed(2, 3, 4, 5),
        ),
        case(
            "inputs that are not contiguous",
            properties.STRIDES,
            draw.normal(2, 3, 4, strided=True),
            draw.allowed(2, 3, 4),
        ),
        case(f"{pair}, nothing allowed for query 0", blocked, draw.halves(2, 3), nothing_for(0, 2, 3), True),
        case(
            "batch 2, nothing allowed for query 1",
            blocked,
            draw.normal(2, 3, 4, dtype="float32"),
            nothing_for(1, 3, 4),
        ),
        case("batch 3, nothing but padding in item 1", blocked, draw.normal(3, 2, 4), empty),
        case("scores near ±10,000, masked", properties.LARGE_SCORES, large, lowest),
        case("scores near ±10,000, allowed None", properties.LARGE_SCORES, large, None),
        case(f"{pair}, masked", properties.DTYPES, draw.normal(2, 3, dtype="bfloat16"), draw.allowed(2, 3)),
        case(
            "batch 2, in float32",
            properties.DTYPES,
            draw.normal(2, 3, 5, dtype="float32"),
            draw.allowed(2, 3, 5),
        ),
    ]


EXERCISE = FunctionExercise(
    name="masked_softmax",
    prompt="Turn scores into weights over the allowed keys: rows sum to 1, or to 0 where nothing is allowed.",
    points=3,
    weights={properties.MASK: 6.0, properties.VALUES: 3.0},  # the mask is what is new here
    difficulty=2,
    minutes=12,
    hints=(
        "Without a mask it is a softmax over the keys, the last axis. A blocked score is −∞ before it.",
        "A row of nothing but −∞ becomes NaN. `allowed.any(dim=-1, keepdim=True)` finds such rows, and broadcasts "
        "against the scores.",
        "Let such a row keep its scores, so that its softmax is finite, and set its weights to 0 afterwards. If NaN "
        "arises on the way, replacing it at the end may mend the weights and still leave NaN in the gradient.",
    ),
    ready_made=(
        "torch.masked.softmax",
        "course_attention.attention_distribution",
        "course_attention.attend_and_concat",
        "course_attention.attention",
        "course_attention.self_attention",
        "course_attention.SelfAttention",
        "course_attention.multi_head_attention",
        "course_attention.MultiHeadAttention",
    ),
    returns=Returns(names=("weights",), axes=("..., n_queries, n_keys",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"scores": lambda inputs: inputs.scores("... n_queries n_keys")},
    noise=noise,
    words=WORDS,
    misconceptions={
        "softmax-over-queries": (*softmax_along(-2), *softmax_along(1)),
        "softmax-over-batch": (*softmax_along(0), *softmax_along(unnamed_axis)),
        "softmax-over-everything": (*softmax_along((-2, -1)), *softmax_along(None), _over_all_allowed),
        "softmax-overflows": OVERFLOWING,
        "softmax-missing": MISSING,
        "softmax-not-normalised": (_not_normalised,),
        **MASK_MISTAKES,
        "mask-on-queries": MASK_ON_QUERIES,
        "mask-first-item-for-all": first_item_for_all(2),
    },
)

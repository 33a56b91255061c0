"""The mistakes of attention for those exercises that take no mask, and for those whose query comes split into heads."""

import numpy as np

from course_attention.exercises.common.attention import ATTENTION_MISTAKES, SCALES, attend, scaled_by
from course_attention.exercises.common.masking import (
    MASK_MISTAKES,
    first_item_for_all,
    missing,
    overflowing,
    overflowing_logarithm,
    softmax_along,
)
from course_attention.exercises.common.variants import Variants, each, variants


def cleaned(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """exp without the shift, and every NaN set to 0."""
    return np.nan_to_num(overflowing(scores, allowed))


# Without a mask, most of the forms that a mistake takes are one.
UNMASKED: dict[str, Variants] = {
    "softmax-over-queries": each(attend, "weigh", softmax_along(-2)[0], softmax_along(1)[0]),
    "softmax-over-batch": each(attend, "weigh", softmax_along(0)[0]),
    "softmax-overflows": each(attend, "weigh", overflowing, overflowing_logarithm, cleaned),
    "softmax-missing": each(attend, "weigh", missing),
    **variants(attend, "score", SCALES),
    "weights-times-keys": ATTENTION_MISTAKES["weights-times-keys"],
}


def _scaled_by_all_heads(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> float:
    return np.sqrt(key.shape[-1] * query.shape[-3])


# Where the query comes split into heads: with a batch, axis 1 is the heads and axis 2 the queries.
SPLIT_HEADS: dict[str, Variants] = {
    **UNMASKED,
    "softmax-over-queries": each(attend, "weigh", *softmax_along(-2), *softmax_along(2)),
    "softmax-over-heads": each(attend, "weigh", *softmax_along(-3), *softmax_along(1)),
    "softmax-over-batch": each(attend, "weigh", *softmax_along(0)),
    "softmax-overflows": (*ATTENTION_MISTAKES["softmax-overflows"], *each(attend, "weigh", cleaned)),
    "softmax-missing": ATTENTION_MISTAKES["softmax-missing"],
    "scale-by-d-model": each(attend, "score", scaled_by(_scaled_by_all_heads)),
    **{name: ATTENTION_MISTAKES[name] for name in (*MASK_MISTAKES, "mask-on-queries")},
    "mask-first-item-for-all": each(attend, "weigh", *first_item_for_all(3)),
}

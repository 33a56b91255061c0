"""The ways to get multi-head attention wrong: what a variant exchanges in `multi_head_in_parts`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises.common.attention import (
    ATTENTION_MISTAKES,
    Pair,
    attend,
)
from course_attention.exercises.common.masking import (
    MASK_MISTAKES,
    Weigh,
    first_item_for_all,
    overflowing,
    softmax_along,
)
from course_attention.exercises.multi_head.common import (
    for_all_heads,
    merge_by_view,
    merge_interleaved,
    multi_head_in_parts,
    split,
    split_by_view,
    split_interleaved,
)


def _scaled_by_model(query, key, value, weights, n_heads, allowed=None) -> Pair:
    d_key = weights[0].shape[1] // n_heads
    weights = (weights[0] * np.sqrt(d_key / query.shape[-1]), *weights[1:])
    return multi_head_in_parts(query, key, value, weights, n_heads, allowed)


def _scaled_by_all_heads(query, key, value, weights, n_heads, allowed=None) -> Pair:
    weights = (weights[0] / np.sqrt(n_heads), *weights[1:])
    return multi_head_in_parts(query, key, value, weights, n_heads, allowed)


def _averaged(query, key, value, weights, n_heads, allowed=None) -> Pair:
    return multi_head_in_parts(query, key, value, (*weights[:3], weights[3] / n_heads), n_heads, allowed)


def _single_head(shown: str) -> Callable[..., Pair]:
    def compute(query, key, value, weights, n_heads, allowed=None) -> Pair:
        output, found = multi_head_in_parts(query, key, value, weights, 1, allowed)
        return output, {
            "with an axis": found,
            "without": found[..., 0, :, :],
            "repeated": np.repeat(found, n_heads, axis=-3),
        }[shown]

    return compute


def _over_batch(axis: int, swap_back: bool) -> Callable[..., Pair]:
    """A layer for (n_tokens, batch, d_model) that is given (batch, n_tokens, d_model)."""

    def compute(query, key, value, weights, n_heads, allowed=None) -> Pair:
        if query.ndim < 3:
            return multi_head_in_parts(query, key, value, weights, n_heads, allowed)
        query, key, value = (x.swapaxes(0, axis) for x in (query, key, value))
        output, found = multi_head_in_parts(query, key, value, weights, n_heads, allowed)
        return output.swapaxes(0, axis) if swap_back else output, found

    return compute


def _first_head(keep: bool) -> Callable[..., Pair]:
    def attend_as_first(query, key, value, allowed=None) -> Pair:
        _, weights = attend(query, key, value, allowed)
        first = np.broadcast_to(weights[..., :1, :, :], weights.shape)
        return first @ value, weights if keep else first

    return attend_as_first


def _batch_meets_heads(allowed: np.ndarray) -> np.ndarray:
    return allowed  # no axis for the heads: NumPy lines up the batch with them, as torch does


def _second_axis(allowed: np.ndarray) -> np.ndarray:
    return allowed[:, None]


def _fits(change: Callable[[np.ndarray], np.ndarray], strict: bool = True) -> dict[str, Callable]:
    """A mask lined up in another way, an error where it does not broadcast to the scores."""

    def attend_strictly(query, key, value, allowed=None) -> Pair:
        if allowed is not None:
            allowed = np.broadcast_to(allowed, (*query.shape[:-1], key.shape[-2]))
        return attend(query, key, value, allowed)

    return {"share": change, "attend": attend_strictly}


def _before_sharing(change: Callable[[np.ndarray], np.ndarray]) -> dict[str, Callable]:
    return {"share": lambda allowed: for_all_heads(change(allowed))}


def _same_projection(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_query, value @ w_value


def _keys_projection(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_key, key @ w_key, value @ w_value


def _values_by_key(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_key, value @ w_key


def _values_by_query(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_key, value @ w_query


def _one_projection(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_query, value @ w_query


def _exchanged(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_key, key @ w_query, value @ w_value


def _raw_value(query, key, value, w_query, w_key, w_value) -> tuple:
    return query @ w_query, key @ w_key, value


def _in_attention(*names: str) -> dict[str, tuple[dict, ...]]:
    """Mistakes of one head, made in every head."""
    return {name: tuple({"attend": way} for way in ATTENTION_MISTAKES[name]) for name in names}


def _weighed(ways: tuple[Weigh, ...]) -> tuple[dict, ...]:
    return tuple({"attend": partial(attend, weigh=way)} for way in ways)


_FIRST_ITEM = (
    lambda allowed: allowed[:1],
    lambda allowed: allowed[0] if allowed.ndim > 2 else allowed,
    lambda allowed: allowed[:1] if allowed.ndim > 2 else allowed,
    lambda allowed: allowed[(0,) * (allowed.ndim - 2)],
)


# id → what is done otherwise, as keyword arguments of `_function` and `_module`.
MISTAKES: dict[str, tuple[dict, ...]] = {
    **_in_attention(
        "softmax-over-everything",
        "softmax-overflows",
        "softmax-missing",
        "no-scale",
        "scale-by-d",
        "scale-multiplied",
        "scale-wrong-axis",
        "key-not-transposed",
        *MASK_MISTAKES,
        "mask-on-queries",
    ),
    # With a batch, axis 1 is the heads and axis 2 the queries.
    "softmax-over-queries": _weighed((*softmax_along(-2), *softmax_along(2))),
    "softmax-over-heads": _weighed((*softmax_along(-3), *softmax_along(1))),
    "softmax-over-batch": _weighed(softmax_along(0)),
    "mask-first-item-for-all": (
        *(_before_sharing(change) for change in _FIRST_ITEM),
        *_weighed(first_item_for_all(3)),
    ),
    "mask-no-head-axis": (_fits(_batch_meets_heads),),
    "mask-head-axis-second": (_fits(_second_axis),),
    "scale-by-d-model": ({"compute": _scaled_by_model}, {"compute": _scaled_by_all_heads}),
    "shared-projection": (
        {"project": _same_projection},
        {"project": _keys_projection},
        {"project": _values_by_key},
        {"project": _values_by_query},
        {"project": _one_projection},
    ),
    "roles-swapped": ({"project": _exchanged},),
    "value-not-projected": ({"project": _raw_value},),
    "heads-by-view": (
        {"split": split_by_view},
        {"split": split_by_view, "merge": merge_by_view},
        {"split": (split_by_view, split, split)},
        {"split": (split, split_by_view, split)},
        {"split": (split, split, split_by_view)},
    ),
    "heads-interleaved": (
        {"split": split_interleaved},
        {"split": split_interleaved, "merge": merge_interleaved},
    ),
    "merge-by-view": ({"merge": merge_by_view},),
    "merge-interleaved": ({"merge": merge_interleaved},),
    "heads-not-split": tuple(
        {"compute": _single_head(shown)} for shown in ("with an axis", "without", "repeated")
    ),
    "heads-averaged": ({"compute": _averaged},),
    "first-head-everywhere": ({"attend": _first_head(True)}, {"attend": _first_head(False)}),
    "weights-averaged": ({"give": lambda weights: weights.mean(axis=-3)},),
    "no-output-projection": ({"finish": lambda merged, w_out: merged},),
    "output-projection-transposed": ({"finish": lambda merged, w_out: merged @ w_out.T},),
    "batch-as-sequence": tuple(
        {"compute": _over_batch(axis, swap_back)} for axis in (1, -2) for swap_back in (True, False)
    ),
}


def _scaled_by_heads(query, key, value, weights, n_heads, allowed=None) -> Pair:
    d_key = weights[0].shape[1] // n_heads
    weights = (weights[0] * np.sqrt(d_key / n_heads), *weights[1:])
    return multi_head_in_parts(query, key, value, weights, n_heads, allowed)


def _scaled_by_all_channels(query, key, value, weights, n_heads, allowed=None) -> Pair:
    d_key = weights[0].shape[1] // n_heads
    weights = (weights[0] / np.sqrt(d_key) / n_heads, *weights[1:])
    return multi_head_in_parts(query, key, value, weights, n_heads, allowed)


def _overflowing_cleaned(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    return np.nan_to_num(overflowing(scores, allowed))


MISTAKES["scale-wrong-axis"] += ({"compute": _scaled_by_heads},)
MISTAKES["scale-by-d"] += ({"compute": _scaled_by_all_channels},)
MISTAKES["softmax-overflows"] += _weighed((_overflowing_cleaned,))


def made(run: Callable, mistakes: dict[str, tuple[dict, ...]]) -> dict[str, tuple[Callable, ...]]:
    return {name: tuple(partial(run, **parts) for parts in ways) for name, ways in mistakes.items()}

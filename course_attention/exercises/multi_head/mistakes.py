"""The ways to get multi-head attention wrong: what a variant exchanges in `multi_head_in_parts`."""

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises.common.attention import ATTENTION_MISTAKES, Pair, attend
from course_attention.exercises.common.masking import MASK_MISTAKES, Weigh, first_item_for_all, softmax_along
from course_attention.exercises.common.mistakes import cleaned
from course_attention.exercises.multi_head.heads import (
    first_columns,
    for_all_heads,
    merge_by_view,
    merge_interleaved,
    multi_head_in_parts,
    split,
    split_by_view,
    split_interleaved,
)


def _queries_times(factor: Callable[[int, int, int], float]) -> dict[str, Callable]:
    """Return what multiplies the queries, and so the scores, with a number made of d_key, n_heads and d_model."""

    def compute(query, key, value, weights, n_heads, allowed=None) -> Pair:
        by = factor(weights[0].shape[1] // n_heads, n_heads, query.shape[-1])
        return multi_head_in_parts(query, key, value, (weights[0] * by, *weights[1:]), n_heads, allowed)

    return {"compute": compute}


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


def _values_cut_by_d_key(query, key, value, weights, n_heads, allowed=None) -> Pair:
    """Cut w_value every d_key columns: some heads get too much, others too little or nothing."""
    d_key, columns = weights[0].shape[1] // n_heads, weights[2].shape[1]
    if d_key * n_heads == columns:
        return multi_head_in_parts(query, key, value, weights, n_heads, allowed)
    outputs, found = [], []
    for head in range(n_heads):
        place = slice(head * d_key, (head + 1) * d_key)
        own = (weights[0][:, place], weights[1][:, place], weights[2][:, place])
        output, weight = attend(query @ own[0], key @ own[1], value @ own[2], allowed)
        outputs.append(output)
        found.append(weight)
    return np.concatenate(outputs, axis=-1) @ weights[3], np.stack(found, axis=-3)


def _over_batch(axis: int, swap_back: bool) -> Callable[..., Pair]:
    """Give (batch, n_tokens, d_model) to a layer for (n_tokens, batch, d_model)."""

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


def _fits(change: Callable[[np.ndarray], np.ndarray]) -> dict[str, Callable]:
    """Line a mask up in another way, with an error where it does not broadcast to the scores."""

    def attend_strictly(query, key, value, allowed=None) -> Pair:
        if allowed is not None:
            allowed = np.broadcast_to(allowed, (*query.shape[:-1], key.shape[-2]))
        return attend(query, key, value, allowed)

    return {"share": change, "attend": attend_strictly}


def _before_sharing(change: Callable[[np.ndarray], np.ndarray]) -> dict[str, Callable]:
    return {"share": lambda allowed: for_all_heads(change(allowed))}


def _projected(*matrices: int | None) -> dict[str, Callable]:
    """Return what projects query, key and value with the matrices of these numbers; None leaves one as it is."""

    def project(query, key, value, *weights) -> tuple:
        pairs = zip((query, key, value), matrices, strict=True)
        return tuple(x if matrix is None else x @ weights[matrix] for x, matrix in pairs)

    return {"project": project}


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
    # No axis for the heads: NumPy lines up the batch with them, as torch does.
    "mask-no-head-axis": (_fits(lambda allowed: allowed),),
    "mask-head-axis-second": (_fits(lambda allowed: allowed[:, None]),),
    "scale-by-d-model": (
        _queries_times(lambda d_key, n_heads, d_model: (d_key / d_model) ** 0.5),
        _queries_times(lambda d_key, n_heads, d_model: n_heads**-0.5),
    ),
    "shared-projection": (
        _projected(0, 0, 2),
        _projected(1, 1, 2),
        _projected(0, 1, 1),
        _projected(0, 1, 0),
        _projected(0, 0, 0),
    ),
    "roles-swapped": (_projected(1, 0, 2),),
    "value-not-projected": (_projected(0, 1, None),),
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
    "heads-not-split": tuple({"compute": _single_head(shown)} for shown in ("with an axis", "without", "repeated")),
    "heads-averaged": ({"compute": _averaged},),
    "first-head-everywhere": ({"attend": _first_head(True)}, {"attend": _first_head(False)}),
    "first-columns-for-all": ({"split": first_columns},),
    "value-cut-by-d-key": ({"compute": _values_cut_by_d_key},),
    "no-projection": (_projected(None, None, None),),
    "heads-axis-first": ({"give": lambda weights: np.moveaxis(weights, -3, 0)},),
    "weights-averaged": ({"give": lambda weights: weights.mean(axis=-3)},),
    "no-output-projection": ({"finish": lambda merged, w_out: merged},),
    "output-projection-transposed": ({"finish": lambda merged, w_out: merged @ w_out.T},),
    "batch-as-sequence": tuple(
        {"compute": _over_batch(axis, swap_back)} for axis in (1, -2) for swap_back in (True, False)
    ),
}
MISTAKES["scale-wrong-axis"] += (_queries_times(lambda d_key, n_heads, d_model: (d_key / n_heads) ** 0.5),)
MISTAKES["scale-by-d"] += (_queries_times(lambda d_key, n_heads, d_model: d_key**-0.5 / n_heads),)
MISTAKES["softmax-overflows"] += _weighed((cleaned,))

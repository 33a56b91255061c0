"""The softmax with a sink, right and wrong: scores (..., n_queries, n_keys), a sink (..., n_queries, 1), and a mask."""

from collections.abc import Callable

import numpy as np

from course_attention.exercises.common import masking
from course_attention.exercises.common.masking import MASK_MISTAKES, MISSING, soften, softmax_along

Weigh = Callable[[np.ndarray, np.ndarray, "np.ndarray | None"], np.ndarray]


def _masked(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    return scores if allowed is None else np.where(allowed, scores, -np.inf)


def _share(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    """One softmax over the scores and the sink, whose column is cut off."""
    return soften(np.concatenate([scores, sink], axis=-1))[..., :-1]


def weigh(scores: np.ndarray, sink: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """Weights that sum to less than 1: the sink has the rest."""
    return _share(_masked(scores, allowed), sink)


def _blank(weights: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    return weights if allowed is None else np.where(allowed.any(axis=-1, keepdims=True), weights, 0.0)


def _both(compute: Weigh) -> tuple[Weigh, Weigh]:
    """As it is, and with the rows in which nothing is allowed set to 0."""
    return compute, lambda scores, sink, allowed: _blank(compute(scores, sink, allowed), allowed)


def _of_masked(compute: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> tuple[Weigh, Weigh]:
    """Take the scores with −∞ where they are blocked."""
    return _both(lambda scores, sink, allowed: compute(_masked(scores, allowed), sink))


def _all_of(*pairs: tuple[Weigh, ...]) -> tuple[Weigh, ...]:
    return tuple(way for pair in pairs for way in pair)


def _joined(way: masking.Weigh) -> tuple[Weigh, Weigh]:
    """Do with the scores and the sink beside them what is done with scores alone, and cut the sink's column off."""

    def weigh_it(scores: np.ndarray, sink: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
        if allowed is not None:
            allowed = np.concatenate([np.broadcast_to(allowed, scores.shape), np.ones_like(sink, dtype=bool)], axis=-1)
        return way(np.concatenate([scores, sink], axis=-1), allowed)[..., :-1]

    return _both(weigh_it)


def _misread(change: Callable[[np.ndarray], np.ndarray]) -> Weigh:
    return lambda scores, sink, allowed: weigh(scores, sink, None if allowed is None else change(allowed))


def _key_mask_transposed(allowed: np.ndarray) -> np.ndarray:
    return allowed.swapaxes(-1, -2) if allowed.shape[-2] == 1 else allowed


def _unlike_nothing(filler: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Weigh:
    """Treat the rows in which nothing is allowed in another way."""

    def weigh_it(scores: np.ndarray, sink: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
        weights = weigh(scores, sink, allowed)
        return weights if allowed is None else np.where(allowed.any(-1, keepdims=True), weights, filler(scores, sink))

    return weigh_it


def _raised(scores: np.ndarray, sink: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    return _share(scores if allowed is None else scores + allowed, sink)


# The sink has no mask of its own, so the rows in which nothing is allowed have a sum, whatever the mask is read as.
MASKED: dict[str, tuple[Weigh, ...]] = {
    "mask-inverted": (_misread(np.logical_not),),
    "mask-on-queries": (_misread(lambda allowed: allowed.swapaxes(-1, -2)), _misread(_key_mask_transposed)),
    "mask-first-item-for-all": (
        _misread(lambda allowed: allowed[:1]),
        _misread(lambda allowed: allowed[0]),
        _misread(lambda allowed: allowed[:1] if allowed.ndim > 3 else allowed),
        _misread(lambda allowed: allowed[(0,) * (allowed.ndim - 3)] if allowed.ndim > 3 else allowed),
    ),
    # These are pairs, which differ in what becomes of the rows in which nothing is allowed: here that is said anew.
    **{
        idea: _all_of(*map(_joined, MASK_MISTAKES[idea][::2]))
        for idea in ("mask-ignored", "mask-after-softmax", "mask-scores-to-zero", "mask-tiny-fill")
    },
    "mask-added-as-01": _both(_raised),
    "mask-fully-nan": (_unlike_nothing(lambda scores, sink: np.full(scores.shape, np.nan)),),
    "mask-fully-uniform": (
        _unlike_nothing(_share),
        _unlike_nothing(lambda scores, sink: np.full(scores.shape, 1 / scores.shape[-1])),
    ),
}


def _without(way: masking.Weigh) -> Weigh:
    return lambda scores, sink, allowed: way(scores, allowed)


def _renormalised(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    shares = _share(scores, sink)
    return shares / shares.sum(axis=-1, keepdims=True)


SUM_TO_ONE = (
    *map(_without, (masking.weigh, *MASK_MISTAKES["mask-fully-nan"], *MASK_MISTAKES["mask-fully-uniform"])),
    *_of_masked(_renormalised),
    *_of_masked(lambda scores, sink: np.nan_to_num(_renormalised(scores, sink))),
)

WITHOUT_SOFTMAX = tuple(map(_without, MISSING))

OVERFLOWING = _all_of(
    *map(_joined, masking.OVERFLOWING),
    _joined(lambda scores, allowed: np.nan_to_num(masking.overflowing(scores, allowed))),
)


def _sink_below_columns(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    """Softmax over the queries and the sink."""
    return soften(np.concatenate([scores, np.broadcast_to(sink[..., :1, :], scores[..., :1, :].shape)], -2), -2)[
        ..., :-1, :
    ]


def along(axis: int) -> tuple[Weigh, ...]:
    """Softmax along the wrong axis, where the sink's column meets no score, or where each sum has a sink."""
    ways = _all_of(*map(_joined, softmax_along(axis)))
    return (*ways, *_of_masked(_sink_below_columns)) if axis == -2 else ways


def _over(added: Callable[[np.ndarray, np.ndarray], np.ndarray], shift: str) -> Callable[..., np.ndarray]:
    """exp(score − shift) / (Σ exp(score − shift) + added), where what is added comes of the sink and the shift."""

    def weigh_it(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
        highest = {
            "none": np.zeros_like(sink),
            "keys": scores.max(axis=-1, keepdims=True),
            "all": np.maximum(scores.max(axis=-1, keepdims=True), sink),
        }[shift]
        parts = np.exp(scores - highest)
        return parts / (parts.sum(axis=-1, keepdims=True) + added(sink, highest))

    return weigh_it


def _added(added: Callable[[np.ndarray, np.ndarray], np.ndarray], *shifts: str) -> tuple[Weigh, ...]:
    return _all_of(*(_of_masked(_over(added, shift)) for shift in shifts))


def _for_each_key(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    return _share(scores, sink + np.log(scores.shape[-1]))


def _for_each_allowed(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    return _share(scores, sink + np.log(np.isfinite(scores).sum(axis=-1, keepdims=True)))


def _for_each_key_overflowing(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    parts = np.exp(scores)
    return parts / (parts + np.exp(sink)).sum(axis=-1, keepdims=True)


def _exchanged(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    return soften(scores) * soften(np.concatenate([scores, sink], axis=-1))[..., -1:]


def _wrong_end(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    return soften(np.concatenate([sink, scores], axis=-1))[..., :-1]


def _other_wrong_end(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    return soften(np.concatenate([scores, sink], axis=-1))[..., 1:]


def _column_behind(scores: np.ndarray, sink: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    return soften(np.concatenate([_masked(scores, allowed), sink], axis=-1))


def _column_in_front(scores: np.ndarray, sink: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    return soften(np.concatenate([sink, _masked(scores, allowed)], axis=-1))


def _gated(scores: np.ndarray, sink: np.ndarray) -> np.ndarray:
    """Weights of the keys alone, times 1 − sigmoid(sink)."""
    return soften(scores) / (1 + np.exp(np.minimum(sink, 500.0)))


# What becomes of the sink in the sum.
IN_THE_SUM: dict[str, tuple[Weigh, ...]] = {
    "sink-not-exponentiated": (
        *_added(lambda sink, highest: sink, "none", "keys", "all"),
        *_added(lambda sink, highest: sink - highest, "keys", "all"),
        *_added(lambda sink, highest: sink * np.exp(-highest), "keys", "all"),
    ),
    "sink-taken-as-one": (
        *_of_masked(lambda scores, sink: _share(scores, np.zeros_like(sink))),
        *_added(lambda sink, highest: np.ones_like(sink), "none", "keys", "all"),
    ),
    "sink-not-shifted": _added(lambda sink, highest: np.exp(sink), "keys", "all"),
    "sink-subtracted": (
        *_of_masked(lambda scores, sink: _share(scores, -sink)),
        *_added(lambda sink, highest: -np.exp(sink - highest), "none", "keys", "all"),
        *_added(lambda sink, highest: np.exp(-sink - highest), "none", "keys"),
    ),
    "sink-for-each-key": _all_of(
        *map(_of_masked, (_for_each_key, _for_each_allowed, _for_each_key_overflowing)),
    ),
    "sink-share-exchanged": _of_masked(_exchanged),
    "sink-as-gate": _of_masked(_gated),
    "sink-at-other-end": _all_of(_of_masked(_wrong_end), _of_masked(_other_wrong_end)),
}

# The sink's column is left in, on either side: the weights, and which of their columns are those of keys.
WITH_COLUMN: tuple[tuple[Weigh, slice], ...] = (
    (_column_behind, slice(None, -1)),
    (_column_in_front, slice(1, None)),
)

"""The masked softmax, right and wrong: the exercises of every topic that takes a mask are judged with it."""

from collections.abc import Callable
from functools import partial

import numpy as np

Axis = int | tuple[int, ...] | None  # None: all of them at once

Weigh = Callable[[np.ndarray, "np.ndarray | None"], np.ndarray]


def soften(
    scores: np.ndarray, axis: Axis = -1, *, keep_in_maximum: bool = True, keep_in_sum: bool = True
) -> np.ndarray:
    """Softmax that leaves NaN where everything along the axis is −∞.

    A maximum or a sum that does not keep its axis is broadcast along another axis of the scores.
    """
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=keep_in_maximum))
    return exponentials / exponentials.sum(axis=axis, keepdims=keep_in_sum)


# The maximum, the sum or both lose their axis. The last one is also what comes where no maximum is subtracted.
KEEPDIMS_FORGOTTEN = (
    partial(soften, keep_in_maximum=False, keep_in_sum=False),
    partial(soften, keep_in_maximum=False),
    partial(soften, keep_in_sum=False),
)


def weigh(scores: np.ndarray, allowed: np.ndarray | None, axis: Axis = -1) -> np.ndarray:
    """Masked softmax along an axis: 0 where blocked, and along an axis where nothing is allowed."""
    if allowed is None:
        return soften(scores, axis)
    allowed = np.broadcast_to(allowed, scores.shape)
    return np.where(allowed, np.nan_to_num(soften(np.where(allowed, scores, -np.inf), axis)), 0.0)


def _blank(weights: np.ndarray, allowed: np.ndarray, filler: float = 0.0) -> np.ndarray:
    """Set the rows of weights that have nothing allowed to a number."""
    return np.where(allowed.any(axis=-1, keepdims=True), weights, filler)


def _with_mask(compute: Callable[[np.ndarray, np.ndarray], np.ndarray], blank: bool) -> Weigh:
    def weigh_wrongly(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        if allowed is None:
            return soften(scores)
        weights = compute(scores, allowed)
        return _blank(weights, allowed) if blank else weights

    return weigh_wrongly


def _both(compute: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> tuple[Weigh, Weigh]:
    return _with_mask(compute, blank=True), _with_mask(compute, blank=False)


def _filled(scores: np.ndarray, allowed: np.ndarray, number: float) -> np.ndarray:
    return soften(np.where(allowed, scores, number))


def _lowered(scores: np.ndarray, allowed: np.ndarray, number: float) -> np.ndarray:
    return soften(scores + np.where(allowed, 0.0, number))


def _unlike_nothing(filler: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return lambda scores, allowed: _blank(weigh(scores, allowed), np.broadcast_to(allowed, scores.shape), filler)


def _uniform(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return _unlike_nothing(1 / scores.shape[-1])(scores, allowed)


def _unmasked_if_nothing(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return np.where(allowed.any(axis=-1, keepdims=True), weigh(scores, allowed), soften(scores))


def _misread(change: Callable[[np.ndarray], np.ndarray]) -> tuple[Weigh, ...]:
    """Read a mask as another one, with what may become of rows in which that one allows nothing."""
    zeros = lambda scores, allowed: weigh(scores, change(allowed))  # noqa: E731 - three forms of one line
    nan = lambda scores, allowed: soften(np.where(change(allowed), scores, -np.inf))  # noqa: E731
    uniform = lambda scores, allowed: _filled(scores, change(allowed), -1e30)  # noqa: E731
    return tuple(form for compute in (zeros, nan, uniform) for form in _both(compute))


def _transposed_keys(allowed: np.ndarray) -> np.ndarray:
    return allowed.swapaxes(-1, -2) if allowed.shape[-2] == 1 else allowed


# Fills and offsets that people choose. The lowest are found only among scores that are as low. An offset of −1 is left
# out: it is `mask-added-as-01`.
_FILLS = (-1.0, -2.0, -5.0, -9.0, -10.0, -20.0, -50.0, -100.0, -999.0, -1e3, -9999.0, -1e4)

MASK_MISTAKES: dict[str, tuple[Weigh, ...]] = {
    "mask-inverted": _misread(np.logical_not),
    "mask-ignored": (
        *_both(lambda scores, allowed: soften(scores)),
        lambda scores, allowed=None: overflowing(scores),  # who never reads the mask may write exp out
    ),
    "mask-after-softmax": _both(lambda scores, allowed: soften(scores) * allowed),
    "mask-scores-to-zero": (
        *_both(lambda scores, allowed: soften(scores * allowed)),
        *_both(partial(_filled, number=-1e-9)),  # 1e-9 where 1e9 was meant
    ),
    "mask-tiny-fill": tuple(
        form
        for way, fills in ((_filled, _FILLS), (_lowered, _FILLS[1:]))
        for fill in fills
        for form in _both(partial(way, number=fill))
    ),
    "mask-added-as-01": _both(lambda scores, allowed: soften(scores + allowed)),
    "mask-fully-nan": (_with_mask(_unlike_nothing(np.nan), blank=False),),
    "mask-fully-uniform": (_with_mask(_uniform, blank=False), _with_mask(_unmasked_if_nothing, blank=False)),
}


def _renormalised(guard: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    def compute(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        weights = soften(scores) * allowed
        return weights / np.maximum(weights.sum(axis=-1, keepdims=True), guard)

    return compute


MASK_MISTAKES["mask-after-renormalised"] = (
    *_both(_renormalised(guard=0.0)),
    *(_with_mask(_renormalised(guard), blank=False) for guard in (1e-30, 1e-12, 1e-9)),
)


def first_item_for_all(own_axes: int) -> tuple[Weigh, ...]:
    """Use the first item's mask for the whole batch, where a mask without a batch has `own_axes` axes."""
    return (
        *_misread(lambda allowed: allowed[:1]),
        *_misread(lambda allowed: allowed[0]),
        *_misread(lambda allowed: allowed[:1] if allowed.ndim > own_axes else allowed),
        *_misread(lambda allowed: allowed[(0,) * (allowed.ndim - own_axes)]),  # of each batch axis the first
    )


MASK_ON_QUERIES = (*_misread(lambda allowed: allowed.swapaxes(-1, -2)), *_misread(_transposed_keys))


def unnamed_axis(scores: np.ndarray) -> int:
    """Return the axis that torch's softmax takes where it is given none: the last of two, the first of three."""
    return 0 if scores.ndim == 3 else 1


def softmax_along(wrong: Axis | Callable[[np.ndarray], Axis]) -> tuple[Weigh, ...]:
    """Softmax along the wrong axis, blocked weights 0: with and without rows of nothing allowed in the sums.

    Args:
        wrong: the axis, or what finds it in the scores.
    """

    def weigh_it(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
        return weigh(scores, allowed, wrong(scores) if callable(wrong) else wrong)

    def soften_it(scores: np.ndarray) -> np.ndarray:
        return soften(scores, wrong(scores) if callable(wrong) else wrong)

    def among_allowed(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        return weigh_it(scores, allowed)

    def nan_where_none(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        return soften_it(scores if allowed is None else np.where(allowed, scores, -np.inf))

    def rows_of_nothing_kept(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        if allowed is None:
            return soften_it(scores)
        return _blank(weigh_it(scores, allowed | ~allowed.any(axis=-1, keepdims=True)), allowed)

    def nan_with_rows_of_nothing(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        if allowed is None:
            return soften_it(scores)
        kept = allowed | ~allowed.any(axis=-1, keepdims=True)
        return _blank(soften_it(np.where(kept, scores, -np.inf)), allowed)

    def nan_blanked(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        weights = nan_where_none(scores, allowed)
        return weights if allowed is None else _blank(weights, allowed)

    def uniform_where_none(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        return soften_it(scores if allowed is None else np.where(allowed, scores, -1e30))

    def uniform_blanked(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        weights = uniform_where_none(scores, allowed)
        return weights if allowed is None else _blank(weights, allowed)

    return (
        among_allowed,
        nan_where_none,
        nan_blanked,
        uniform_where_none,
        uniform_blanked,
        rows_of_nothing_kept,
        nan_with_rows_of_nothing,
    )


def missing(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """No softmax: the scores are the weights, 0 where blocked."""
    return scores if allowed is None else np.where(allowed, scores, 0.0)


def missing_infinite(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """No softmax, and −∞ where blocked."""
    return scores if allowed is None else np.where(allowed, scores, -np.inf)


def overflowing(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """exp without taking the maximum off first, blocked positions left out of the sum."""
    exponentials = np.exp(scores) if allowed is None else np.where(allowed, np.exp(scores), 0.0)
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights if allowed is None else _blank(weights, allowed)


def overflowing_product(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Do the same with blocked exponentials multiplied by 0: ∞ · 0 is NaN."""
    exponentials = np.exp(scores) if allowed is None else np.exp(scores) * allowed
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights if allowed is None else _blank(weights, allowed)


def overflowing_logarithm(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Do the same through a logarithm: where the sum is infinite the weights are 0, and where it is 0 infinite."""
    exponentials = np.exp(scores) if allowed is None else np.where(allowed, np.exp(scores), 0.0)
    weights = np.exp(scores - np.log(exponentials.sum(axis=-1, keepdims=True)))
    return weights if allowed is None else _blank(np.where(allowed, weights, 0.0), allowed)


def overflowing_clamped(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Do the same with a smallest sum: a row whose exponentials all vanish gets zeros, and ∞/∞ is still NaN."""
    exponentials = np.exp(scores) if allowed is None else np.where(allowed, np.exp(scores), 0.0)
    return exponentials / np.maximum(exponentials.sum(axis=-1, keepdims=True), 1e-30)


def shifted_by_one_maximum(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Take the largest of all scores off every one: a row far below it has nothing but exponentials of 0."""
    scores = scores if allowed is None else np.where(allowed, scores, -np.inf)
    exponentials = np.exp(scores - scores.max())
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights if allowed is None else _blank(weights, allowed)


def shifted_and_cleaned(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Do the same, and set every NaN to 0."""
    return np.nan_to_num(shifted_by_one_maximum(scores, allowed))


def _unguarded(soften_wrongly: Callable[[np.ndarray], np.ndarray]) -> Weigh:
    """Set −∞ where blocked, and do nothing for rows in which nothing is allowed."""

    def weigh_wrongly(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
        return soften_wrongly(scores if allowed is None else np.where(allowed, scores, -np.inf))

    return weigh_wrongly


AXIS_LOST = tuple(map(_unguarded, KEEPDIMS_FORGOTTEN))

MISSING = (missing, missing_infinite)

# What may stand in the place of exp, before all is divided by the sum.
_MEASURES: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
    lambda scores: scores,
    np.abs,
    np.square,
    lambda scores: np.maximum(scores, 0.0),
    lambda scores: 1 / (1 + np.exp(-scores)),
)


def _shares(scores: np.ndarray, allowed: np.ndarray | None = None, axis: Axis = -1, *, measure) -> np.ndarray:
    measured = measure(scores) * (1.0 if allowed is None else allowed)
    return np.asarray(measured / measured.sum(axis=axis, keepdims=True))


def _from_the_smallest(scores: np.ndarray, axis: Axis = -1) -> np.ndarray:
    above = scores - scores.min(axis=axis, keepdims=True)
    return np.asarray(above / above.sum(axis=axis, keepdims=True))


WITHOUT_EXP = tuple(partial(_shares, measure=measure) for measure in _MEASURES)
WITHOUT_EXP_OR_MASK = (
    *(partial(_shares, allowed=None, measure=measure) for measure in _MEASURES),
    _from_the_smallest,
)

OVERFLOWING = (
    overflowing,
    overflowing_product,
    overflowing_logarithm,
    overflowing_clamped,
    shifted_by_one_maximum,
    shifted_and_cleaned,
)


def distribution_oracle(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """α_i = exp(e_i) / Σ_j exp(e_j), over the allowed positions."""
    allowed = np.ones(scores.shape, dtype=bool) if allowed is None else allowed
    distribution = np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        positions = np.flatnonzero(allowed[row])
        if len(positions) == 0:
            continue
        largest = max(scores[row][i] for i in positions)
        total = sum(np.exp(scores[row][i] - largest) for i in positions)
        for i in positions:
            distribution[(*row, i)] = np.exp(scores[row][i] - largest) / total
    return distribution


def _added(make: Callable[..., np.ndarray], number: float) -> Callable[..., np.ndarray]:
    """Return the mask as numbers to be added to scores."""
    return lambda *args, **kwargs: np.where(make(*args, **kwargs) > 0, 0.0, number)


def to_be_added(make: Callable[..., np.ndarray]) -> tuple[Callable[..., np.ndarray], ...]:
    return tuple(_added(make, number) for number in (-np.inf, -1e9))

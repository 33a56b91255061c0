"""Says what comes of an input that is to show that one of three functions is not attention."""

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, allclose

from course_attention.mechanisms.attention import attention
from course_attention.practice.slips.plausible import PLAUSIBLE

# What can come of an input. Both functions give the same in the last ones, for which a card has different advice.
DIFFER = "the two differ"
NO_DICT = "it is not a dict"
MISSING = "there is no such input"
NONE_MISSING = "there is an input for each function"
NOT_TENSORS = "it is not query, key, value and a mask or None"
WHOLE = "a tensor of it holds whole numbers"
TWO_DTYPES = "query, key and value have different dtypes"
FLAT = "query, key or value has fewer than two axes"
EMPTY = "an axis of it has size 0"
REFUSED = "the right function does not take it"
INFINITE = "the right function gives NaN or ∞ as well"
NO_MASK = "the two agree, and there is no mask"
ONE_ROW = "the two agree, and there is one row of scores"
NO_BATCH = "the two agree, and there is no batch"
UNMET = "the two agree, and the condition of the `if` is not met"
AGREE = "the two agree"
NOT_YET = "not looked at, because an input above is not right yet"

_ROUGHLY = 1e-3  # relative to the largest number: less than that may be rounding in float32


def _came_of(name: str, found: Any) -> str:
    """Say what comes of an input for one of the three functions."""
    inputs = tuple(found) if isinstance(found, tuple | list) else (found,)
    if all(one is None or one is ... for one in inputs):
        return MISSING
    if len(inputs) not in (3, 4) or not all(isinstance(one, Tensor) for one in inputs[:3]):
        return NOT_TENSORS
    query, key, value, allowed = (*inputs, None)[:4]
    if not isinstance(allowed, Tensor | None):
        return NOT_TENSORS
    if not all(one.is_floating_point() for one in (query, key, value)):
        return WHOLE
    if not query.dtype == key.dtype == value.dtype:
        return TWO_DTYPES
    if min(query.ndim, key.ndim, value.ndim) < 2:
        return FLAT
    if not all(one.numel() for one in inputs if one is not None):
        return EMPTY
    return _compared(name, query.detach(), key.detach(), value.detach(), allowed)


def _compared(name: str, query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None) -> str:
    try:
        right = attention(query, key, value, allowed)
    except (ValueError, RuntimeError):
        return REFUSED
    if right[1].shape != (*query.shape[:-1], key.shape[-2]):  # one query, and a mask with a row for each of several
        return REFUSED
    if not all(one.isfinite().all() for one in right):
        return INFINITE
    wrong = PLAUSIBLE[name](query, key, value, allowed)
    if any(_far(one, other) for one, other in zip(wrong, right, strict=True)):
        return DIFFER
    return _alike(name, query, key, allowed)


def _far(one: Tensor, other: Tensor) -> bool:
    """Whether two results differ by more than rounding; NaN and another shape do."""
    if one.shape != other.shape:
        return True
    near = allclose(one, other, rtol=0.0, atol=_ROUGHLY * max(float(other.abs().max()), 1e-30))
    return not near


def _alike(name: str, query: Tensor, key: Tensor, allowed: Tensor | None) -> str:
    """Say more of an input at which a function is right."""
    if name == "without_overflow":
        return ONE_ROW if query.shape[:-1].numel() == 1 else AGREE
    if allowed is None:
        return NO_MASK
    if name == "takes_padding" and query.ndim < 3:
        return NO_BATCH
    if name == "takes_padding" and allowed.shape != (query.shape[0], key.shape[1]):
        return UNMET
    return AGREE


def tried(name: str, answer: Callable[[], Any]) -> str:
    """Say what comes of the input for one function. The later ones wait for the earlier, so that one thing is said.

    An input that is not there is nothing wrong yet: `missing` speaks of it, after all that are there.
    """
    found = answer()
    if not isinstance(found, Mapping):
        return NO_DICT
    names = list(PLAUSIBLE)
    if any(_came_of(one, found.get(one)) not in (DIFFER, MISSING) for one in names[: names.index(name)]):
        return NOT_YET
    came = _came_of(name, found.get(name))
    return DIFFER if came == MISSING else came


def missing(answer: Callable[[], Any]) -> str:
    """Say for which functions there is no input, once all inputs that are there are right."""
    found = answer()
    if not isinstance(found, Mapping):
        return NO_DICT
    came = {name: _came_of(name, found.get(name)) for name in PLAUSIBLE}
    if not set(came.values()) <= {DIFFER, MISSING}:
        return NOT_YET
    left_out = [name for name, said in came.items() if said == MISSING]
    return f"there is none for {', '.join(left_out)}" if left_out else NONE_MISSING

"""Compares what came with what was expected, over nested tuples, lists and dicts: leaf by leaf, the shapes first."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from torch import Tensor

from course_attention.judging.comparison import Difference, alike, first_difference
from course_attention.judging.drawing import EPSILON

# A right answer may compute in another order: that is a few hundred roundings over the steps of a model.
ROUNDINGS = 512
_SHORT = 12  # a row of as many numbers is written out


def differences(
    expected: Any, received: Any, names: Sequence[str] = ("result",), tolerance: float | None = None
) -> list[Difference]:
    """Return the ways in which what came is not what was expected; none where it is.

    A list counts as the tuple of the same things, and a tensor without axes as a number.

    Args:
        expected, received: what is compared.
        names: of the results, where `expected` is a tuple of as many; else of the one result.
        tolerance: how far a number may be from the expected one. None: a few roundings, relative to the largest.

    Example:
        >>> [d.note for d in differences((1.0, [2, 3]), (1.0, [2]), ("mean", "symbols"))]
        ['symbols should be [2, 3]; got [2]']
    """
    return list(_differences(expected, received, names, tolerance))


def _differences(expected: Any, received: Any, names: Sequence[str], tolerance: float | None) -> Iterator[Difference]:
    if isinstance(expected, tuple) and len(names) == len(expected) > 1:
        if received is None:
            yield Difference("nothing", "")
        elif not _is_row(received) or len(received) != len(expected):
            wanted = f"({', '.join(names)})"
            yield Difference("form", names[0], note=f"{wanted} should be returned; got {described(received)}")
        else:
            for name, one, other in zip(names, expected, received, strict=True):
                yield from _of_part(name, one, other, tolerance)
    elif received is None and expected is not None:
        yield Difference("nothing", names[0])
    else:
        yield from _of_part(names[0], expected, received, tolerance)


def _of_part(part: str, expected: Any, received: Any, tolerance: float | None) -> Iterator[Difference]:
    if isinstance(expected, Mapping):
        if not isinstance(received, Mapping):
            yield Difference("type", part, note=f"{part} should be a dict; got {described(received)}")
        elif set(expected) != set(received):
            wanted, came = (", ".join(map(str, one)) or "none" for one in (expected, received))
            yield Difference("form", part, note=f"the keys of {part} should be {wanted}; got {came}")
        else:
            for key, one in expected.items():
                yield from _of_part(f"{part}[{key!r}]", one, received[key], tolerance)
    elif _is_row(expected):
        if not _is_row(received) or len(received) != len(expected):
            note = f"{part} should be {described(expected)}; got {described(received)}"
            yield Difference("form", part, note=note)
        else:
            for i, (one, other) in enumerate(zip(expected, received, strict=True)):
                yield from _of_part(f"{part}[{i}]", one, other, tolerance)
    elif (right := as_numbers(expected)) is not None:
        yield from _of_numbers(part, right, expected, received, tolerance)
    elif type(expected) is not type(received) or expected != received:
        note = f"{part} should be {_written(expected)}; got {_written(received)}"
        yield Difference("values", part, note=note)


def _of_numbers(
    part: str, right: np.ndarray, expected: Any, received: Any, tolerance: float | None
) -> Iterator[Difference]:
    came = as_numbers(received)
    if came is None:
        wanted = ("a tensor" if isinstance(expected, Tensor) else "an array") if right.ndim else "a number"
        yield Difference("type", part, right, note=f"{part} should be {wanted}; got {described(received)}")
    elif came.shape != right.shape:
        wanted = f"have shape {right.shape}" if right.ndim else "be one number"
        shape = came.shape if right.ndim else f"shape {came.shape}"
        yield Difference("shape", part, right, came, note=f"{part} should {wanted}; got {shape}")
    elif right.ndim and right.dtype.kind in "iub" and came.dtype.kind == "f":
        wanted = "booleans" if right.dtype.kind == "b" else "whole numbers"
        note = f"{part} should hold {wanted}; got {getattr(received, 'dtype', 'float')}"
        yield Difference("type", part, right, came, note=note)
    else:
        one, other = right.astype(np.float64), came.astype(np.float64)
        allowed = _tolerance(one, expected, received) if tolerance is None else tolerance
        if not alike(other, one, allowed):
            yield Difference("values", part, right, came, first_difference(other, one, allowed))


def _tolerance(right: np.ndarray, *values: Any) -> float:
    """Return what a few roundings of the coarser dtype leave of the largest number.

    A plain number may come from tensors in float32, with `.item()`.
    """
    named = [str(getattr(value, "dtype", "float32")).removeprefix("torch.") for value in values]
    epsilon = max(EPSILON.get(dtype, EPSILON["float64"]) for dtype in named)
    return ROUNDINGS * epsilon * float(np.abs(right[np.isfinite(right)]).max(initial=0.0))


def as_numbers(value: Any) -> np.ndarray | None:
    """Return a tensor, an array or a number as an array; None where it is something else.

    Example:
        >>> as_numbers(True), as_numbers("two")
        (array(True), None)
    """
    if isinstance(value, Tensor):
        detached = value.detach().cpu()
        return (detached.double() if detached.dtype.is_floating_point else detached).numpy()
    if isinstance(value, (bool, int, float, np.ndarray, np.generic)):
        array = np.asarray(value)
        return array if array.dtype.kind in "biuf" else None
    return None


def described(value: Any) -> str:
    """Return what a value is, in a few words.

    Example:
        >>> described([1, 2]), described(None)
        ('[1, 2]', 'None')
    """
    if value is None:
        return "None"
    if _is_row(value) and all(isinstance(item, (str, int, float)) for item in value) and len(value) <= _SHORT:
        return repr(value)
    if _is_row(value):
        return f"a {type(value).__name__} of {len(value)}"
    name = type(value).__name__
    shape = getattr(value, "shape", None)
    about = f"{name} of shape {tuple(shape)}" if isinstance(shape, tuple) else name
    return f"{'an' if about[0].lower() in 'aeiou' else 'a'} {about}"


def _is_row(value: Any) -> bool:
    return isinstance(value, (tuple, list))


def _written(value: Any) -> str:
    return repr(value) if isinstance(value, (str, int, float, type(None))) else described(value)

"""Stands between the judge and somebody's code: hands it our arguments in its form, and us its results in ours."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Literal, get_args

import numpy as np
import torch
from torch import Tensor

import course_attention
from course_attention.judging.exercise import FunctionExercise
from course_attention.testing.axes import Axes, argument_axes

Mask = Literal["allowed", "blocked", "added"]
"""What a mask says: True where a query may attend, True where it may not, or 0 and −∞ to be added to the scores."""
Arrays = Literal["torch", "numpy"]
"""Whose arrays the code takes and returns."""
MASKS: tuple[str, ...] = get_args(Mask)
ARRAYS: tuple[str, ...] = get_args(Arrays)

MASK = "allowed"
"""The argument that is a mask."""


def adapter(
    function: Callable[..., Any], exercise: FunctionExercise, axes: Axes, mask: str, arrays: str
) -> Callable[..., Any]:
    """Return a function of the form that the exercise asks for, which calls one of another form.

    It has the signature of the function that it calls, so that a runner chooses between names and places as it would
    without it; and an error shows the line of that function.

    Args:
        function: the code.
        exercise: what it is held to.
        axes: where the code has its axes.
        mask: one of `MASKS`.
        arrays: one of `ARRAYS`.
    """
    names = argument_axes(getattr(course_attention, exercise.name))
    order = [name for name in names if name not in exercise.asked.missing]
    results = [tuple(one.split(", ")) for one in exercise.returns.axes]

    @wraps(function)
    def adapted(*by_place: Any, **by_name: Any) -> Any:
        ours = {**dict(zip(order, by_place, strict=False)), **by_name}
        several, dtype = _leading_axes(ours, names), _floating_dtype(ours)

        def handed(value: Any, own: Sequence[tuple[str, ...]], is_mask: bool) -> Any:
            if isinstance(value, tuple):
                return tuple(handed(one, [axes_of_one], is_mask) for one, axes_of_one in zip(value, own, strict=True))
            if not isinstance(value, Tensor | np.ndarray):
                return value
            tensor = torch.as_tensor(value)
            tensor = axes.there(tensor, own[0], several) if own else tensor
            return _as(arrays, _as_said(tensor, mask, dtype) if is_mask else tensor)

        def taken(value: Any, left: Iterator[tuple[str, ...]]) -> Any:
            if isinstance(value, Mapping):
                return {name: taken(one, iter(())) for name, one in value.items()}
            if isinstance(value, tuple | list):
                items = [taken(one, left) for one in value]
                return items if isinstance(value, list) else tuple(items)
            own = next(left, ())
            if value is None or isinstance(value, bool | int | float):
                return value
            tensor = value if isinstance(value, Tensor) else torch.from_numpy(np.array(value))
            return _as(exercise.library, axes.back(tensor, own, several))

        theirs = {name: handed(value, names[name], name == MASK) for name, value in ours.items()}
        before = {name: _copied(value) for name, value in theirs.items()}
        places = list(theirs.values())[: len(by_place)]
        returned = function(*places, **{name: theirs[name] for name in by_name})
        for name, value in theirs.items():
            if not _is_same(value, before[name]):
                _change(ours[name])
        return taken(returned, iter(results))

    return adapted


def _leading_axes(ours: Mapping[str, Any], names: Mapping[str, Sequence[tuple[str, ...]]]) -> tuple[int, ...]:
    """Return the sizes of the axes that the course writes as "...", from the first argument that has them."""
    for name, value in ours.items():
        for axes in names[name]:
            if axes[0] == "..." and isinstance(value, Tensor | np.ndarray) and name != MASK:
                return tuple(value.shape[: value.ndim - len(axes) + 1])
    return ()


def _floating_dtype(ours: Mapping[str, Any]) -> torch.dtype:
    floating = [one.dtype for one in ours.values() if isinstance(one, Tensor) and one.is_floating_point()]
    return floating[0] if floating else torch.float64


def _as_said(allowed: Tensor, mask: str, dtype: torch.dtype) -> Tensor:
    """Return a mask as the code reads it."""
    if mask == "allowed":
        return allowed
    if mask == "blocked":
        return ~allowed
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill(~allowed, float("-inf"))


def _as(library: str, tensor: Tensor) -> Any:
    return tensor.detach().numpy() if library == "numpy" else tensor


def _copied(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_copied, value))
    if isinstance(value, Tensor):
        return value.detach().clone()
    return value.copy() if isinstance(value, np.ndarray) else value


def _is_same(value: Any, before: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_same, value, before))
    if isinstance(value, Tensor):
        return torch.equal(value.detach(), before)
    return np.array_equal(value, before) if isinstance(value, np.ndarray) else True


def _change(value: Any) -> None:
    """Change our own argument, of which the code may have changed a copy: the judge looks at ours."""
    first = value[0] if isinstance(value, tuple) else value
    if isinstance(first, Tensor) and not first.requires_grad:
        first.copy_(first.logical_not() if first.dtype == torch.bool else first + 1)
    elif isinstance(first, np.ndarray):
        first[...] = ~first if first.dtype == bool else first + 1

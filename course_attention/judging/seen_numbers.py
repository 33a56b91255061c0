"""Wrong numbers beside the right ones, and what their relations are read off with."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_attention.judging.shapes import axis_name

ENOUGH = 3  # numbers that have to agree with a relation, beside those that it is read off


@dataclass(frozen=True)
class SeenNumbers:
    """What should have come of a case, what came, and the arguments; both arrays have the same shape."""

    expected: np.ndarray
    received: np.ndarray
    inputs: Mapping[str, Any]

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.expected).all() and np.isfinite(self.received).all())


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether numbers agree to the precision of float32, beside the largest of them."""
    if a.shape != b.shape or not np.isfinite(a).all() or not np.isfinite(b).all():
        return False
    return bool((np.abs(a - b) <= 1e-4 * np.abs(b) + 2e-5 * np.abs(b).max(initial=0.0)).all())


def count(seen: Sequence[SeenNumbers]) -> int:
    """Return how many numbers a relation must explain: those that are not 0 on both sides."""
    return sum(int(((one.expected != 0) | (one.received != 0)).sum()) for one in seen)


def agree(seen: Sequence[SeenNumbers], arrays: Iterable[Any]) -> bool:
    """Whether what came is one of these arrays in each case, and made of enough numbers to be no accident."""
    return count(seen) >= ENOUGH and all(same(one.received, array) for one, array in zip(seen, arrays, strict=True))


def named_axes(axes: str, seen: Sequence[SeenNumbers]) -> Iterator[tuple[int, str]]:
    """Yield the axes that the docstring names, from the last one on, each with its name."""
    names = axes.split(", ") if axes else []
    fewest = min(one.expected.ndim for one in seen)
    for axis in range(-1, -min(len(names), fewest) - 1, -1):
        if names[axis] not in ("...", "1"):
            name = axis_name(axes, axis)
            yield axis, name if names.count(names[axis]) == 1 else f"axis −{-axis} ({name})"


def sizes(seen: Sequence[SeenNumbers]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the lengths of the inputs' axes, and the numbers among the inputs: in words, and one for each case."""
    for name, value in seen[0].inputs.items():
        values = [one.inputs.get(name) for one in seen]
        if isinstance(value, int | float) and not isinstance(value, bool):
            if all(isinstance(v, int | float) for v in values):
                yield f"`{name}`", np.array(values, dtype=float)
        elif isinstance(value, np.ndarray):
            shapes = [np.asarray(v).shape for v in values]
            for axis in range(-1, -min(map(len, shapes)) - 1, -1):
                which = "the last axis" if axis == -1 else f"axis −{-axis}"
                yield f"how long {which} of `{name}` is", np.array([shape[axis] for shape in shapes], dtype=float)

"""Draws the arguments of an answer from the shapes that its helper's annotations name.

An exercise whose sizes or arguments follow a rule of their own says so in `mutant_inputs`. Each of those functions
takes the `Inputs` that it draws from.
"""

import inspect
import typing
from typing import Any

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.judging.drawing import rounded
from course_attention.judging.exercise import FunctionExercise

_DTYPES = ("float64", "float64", "float32", "float16")
_SIZES = (1, 2, 3, 4, 5, 6, 7, 9, 13)


def is_known(parameter: inspect.Parameter, hint: Any) -> bool:
    """Whether an annotation says what may be drawn: a shape, a size, or a number with a default."""
    options = _options(hint)
    return (
        any(hasattr(part, "dim_str") for one in options for part in (one, *typing.get_args(one)))
        or int in options
        or (float in options and isinstance(parameter.default, float))
    )


def _options(hint: Any) -> list[Any]:
    """Return the types of a union, None left out."""
    if typing.get_origin(hint) is tuple:
        return [hint]
    return [one for one in (typing.get_args(hint) or (hint,)) if one is not type(None)]


class Inputs:
    """One set of arguments, in which the same name is the same size.

    Args:
        exercise: whose answer takes them.
        seed: the same seed gives the same numbers.
    """

    def __init__(self, exercise: FunctionExercise, seed: int) -> None:
        self._rules = exercise.mutant_inputs
        self._known: dict[str, Any] = {}
        self.rng = np.random.default_rng([seed, 2718])
        half = "bfloat16" if exercise.library == "torch" else "float32"
        self.dtype = str(self.rng.choice([*_DTYPES, half]))
        wide = 3.0 if self.dtype == "float16" else 30.0  # products of larger numbers overflow in float16
        self.spread = float(self.rng.choice([0.3, 1.0, 1.0, wide]))
        axes = next(iter(exercise.returns.axes), "...")
        n_leading = 1 if axes.startswith("batch") else int(self.rng.integers(4)) if "..." in axes else 0
        self._leading = n_leading

    def of(self, name: str) -> Any:
        """Return what has this name: an argument that was drawn before, or a size."""
        if name not in self._known:
            rule = self._rules.get(name)
            self._known[name] = int(self.rng.choice(_SIZES)) if rule is None else rule(self)
        return self._known[name]

    def known(self, name: str, value: Any) -> Any:
        """Decide what has this name."""
        self._known[name] = value
        return value

    def whole(self, least: int, most: int) -> int:
        """Draw a whole number."""
        return int(self.rng.integers(least, most + 1))

    def one_of(self, *values: Any) -> Any:
        """Draw one of these."""
        return values[self.rng.integers(len(values))]

    def multiple(self, of: str) -> int:
        """Draw a size that another one divides."""
        return int(self.of(of)) * self.whole(1, 3)

    def even(self) -> int:
        """Draw an even size."""
        return 2 * self.whole(1, 5)

    def odd(self) -> int:
        """Draw an odd size."""
        return self.even() - 1

    def shape(self, dims: str) -> tuple[int, ...]:
        """Return the sizes of the axes that an annotation names, such as "... n_keys d_key"."""
        if "..." in dims and "..." not in self._known and "..." not in self._rules:
            self.known("...", tuple(self.whole(1, 3) for _ in range(self._leading)))
        shape: list[int] = []
        for dim in dims.split():
            name = dim.removeprefix("#")
            shape += self.of(name) if name == "..." else [int(name) if name.isdigit() else self.of(name)]
        return tuple(shape)

    def floats(self, *shape: int) -> Array:
        """Draw numbers, in an array that may be strided."""
        return self.array(self.spread * self.rng.normal(size=shape))

    def array(self, numbers: np.ndarray) -> Array:
        """Make an array of these numbers, in the dtype of all arguments."""
        return Array(rounded(numbers, self.dtype), self.dtype, self._strided())

    def integers(self, n: int, dims: str) -> Array:
        """Draw whole numbers below n, in an array of these axes."""
        numbers = self.rng.integers(n, size=self.shape(dims))
        return Array(numbers, "int32" if self.rng.integers(2) else "int64", self._strided())

    def scores(self, dims: str) -> Array:
        """Draw scores, in some cases with the rows far from each other, and rising or falling along a row."""
        values = self.floats(*self.shape(dims)).values
        far = float(self.rng.choice([0.0, 20.0, 1000.0]))
        rows, slopes = (self.rng.normal(size=(*values.shape[:-1], 1)) for _ in range(2))
        return self.array(values + far * (rows + slopes * np.arange(values.shape[-1])))

    def mask(self, dims: str) -> Array | None:
        """Draw a mask of the scores' shape, or one that broadcasts to it, or none; it may block all of a row."""
        if self.rng.random() < 0.25:
            return None
        shape = self.shape(dims)
        if "#" in dims:
            own = sum("#" in dim for dim in dims.split())
            shape = shape[self.rng.choice([0, len(shape) - own]) :]
            shape = tuple(1 if self.rng.random() < 0.15 else n for n in shape)
        mask = self.rng.random(shape) < self.rng.choice([0.2, 0.5, 0.9, 1.0])
        return Array(mask, "bool", self._strided())

    def argument(self, parameter: inspect.Parameter, hint: Any) -> Any:
        """Draw what a parameter takes, by the exercise's rule or by its annotation."""
        if parameter.name in self._rules or int in _options(hint):
            return self.of(parameter.name)
        return self.known(parameter.name, self._annotated(_options(hint)[0], parameter.default))

    def _annotated(self, hint: Any, default: Any) -> Any:
        if hint is float:
            return float(default * self.rng.choice([1.0, 0.5, 0.005]))
        left_out = default is None and self.rng.random() < 0.3
        if typing.get_origin(hint) is tuple:
            return None if left_out else tuple(self._annotated(one, ...) for one in typing.get_args(hint))
        if "bool" in hint.dtypes:
            return self.mask(hint.dim_str)
        if left_out:
            return None
        if not any(name.startswith("float") for name in hint.dtypes):
            return self.integers(50, hint.dim_str)
        return self.floats(*self.shape(hint.dim_str))

    def _strided(self) -> bool:
        return bool(self.rng.integers(2))

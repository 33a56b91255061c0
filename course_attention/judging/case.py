"""A case: one set of arguments, and the property of the answer that it looks at."""

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Array, Call, Device, Step, TorchAttention
from course_attention.judging.drawing import EPSILON
from course_attention.judging.properties import Property


@dataclass(frozen=True)
class Case:
    """Arguments for an answer.

    Attributes:
        title: what the arguments look like: "2 queries, 3 keys, d_key 2".
        property: what does not hold where this case fails: `properties.VALUES`, `properties.MASK`, …
        arguments: name → Array, tuple of Arrays, TorchAttention, Step, number or None, in the order of the signature.
        gradient: look at the gradient too; such a case is in float64.
        settings, weights: of a module, see `Call`.
        limit: how many numbers the largest tensor may have that an answer makes; None for as many as it likes.
    """

    title: str
    property: Property
    arguments: Mapping[str, Any]
    gradient: bool = False
    settings: Mapping[str, Any] | None = None
    weights: Mapping[str, Array] = field(default_factory=dict)
    limit: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.property, Property):
            raise TypeError(f"the property of a case is a Property, such as properties.VALUES; got {self.property!r}")

    def plain(self) -> dict[str, Any]:
        """Return the arguments, settings and weights for an oracle: fresh arrays of float64, int64 or bool."""
        everything = {**self.arguments, **(self.settings or {}), **self.weights}
        return {name: plain(value) for name, value in everything.items()}

    @cached_property
    def dtype(self) -> str:
        """The floating dtype that the results are to have."""
        arrays = (*_arrays(self.arguments).values(), *self.weights.values())
        return next((a.dtype for a in arrays if a.dtype in EPSILON), "float64")

    @builtins.property
    def size(self) -> int:
        """How many numbers a reader would have to look at."""
        return sum(array.values.size for array in (*_arrays(self.arguments).values(), *self.weights.values()))

    @cached_property
    def by_hand(self) -> bool:
        """Whether its numbers are halves and whole ones, with which one can reckon."""
        arrays = (*_arrays(self.arguments).values(), *self.weights.values())
        with np.errstate(over="ignore", invalid="ignore"):
            return all(bool((2 * a.values == np.round(2 * a.values)).all()) for a in arrays if a.dtype in EPSILON)

    @builtins.property
    def shown(self) -> dict[str, Any]:
        """The arguments, settings and weights as a reader is shown them: arrays, numbers and None."""
        arguments = labelled(self.arguments)
        arrays = {name: array.values for name, array in {**_arrays(arguments), **self.weights}.items()}
        plain = {n: v for n, v in arguments.items() if not isinstance(v, Array | TorchAttention | Step)}
        heads = {f"{n}.num_heads": v.num_heads for n, v in arguments.items() if isinstance(v, TorchAttention)}
        order = [*arguments, *(self.settings or {}), *heads, *arrays]
        everything = {**plain, **(self.settings or {}), **heads, **arrays}
        return {name: everything[name] for name in dict.fromkeys(order) if name in everything}

    def call(self, device: Device, cotangents: tuple[np.ndarray, ...] = ()) -> Call:
        """Return this case as a call."""
        measure = self.limit is not None
        return Call(self.arguments, device, cotangents, self.settings, self.weights, measure=measure)


def plain(value: Any) -> Any:
    """Return an argument for a computation in NumPy: an array that it may change, a number, or what a model gives."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, Step):
        return value.logits
    return value.values.copy() if isinstance(value, Array) else value


def _arrays(arguments: Mapping[str, Any]) -> dict[str, Array]:
    """All arrays among the arguments, those within a module under the module's name, and what a model writes."""
    found: dict[str, Array] = {}
    for name, value in labelled(arguments).items():
        if isinstance(value, TorchAttention):
            found |= {f"{name}.{weight}": array for weight, array in value.weights.items()}
        elif isinstance(value, Step):
            found[f"what {name} finds most probable, place by place"] = value.writes
        elif isinstance(value, Array):
            found[name] = value
    return found

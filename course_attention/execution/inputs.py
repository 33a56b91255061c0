"""Says which arguments an answer changed, from what they were and what they are after the call.

It needs no more than that, so a judge can ask it in a process of its own about an answer in another.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Array, Call, Result, TorchAttention


def looked_at(call: Call) -> bool:
    """Whether the arguments are read after the call: not for a gradient, nor on the simulated GPU."""
    return call.device != "simulated-cuda" and not call.cotangents


def changed(call: Call, after: Mapping[str, Result]) -> tuple[str, ...]:
    """Return the names of the arguments that are not what they were, or are missing after the call.

    Args:
        call: what the answer was given.
        after: the arguments after the call, by the names of `given`.

    Example:
        >>> call = Call({"scores": Array(np.zeros(2), "float64")})
        >>> changed(call, {"scores": Result("array", "float64", "cpu", (2,), np.ones(2))})
        ('scores',)
    """
    return tuple(
        name
        for name, value in call.arguments.items()
        if any(not _same(array, after.get(own)) for own, array in given({name: value}).items())
    )


def given(arguments: Mapping[str, Any]) -> dict[str, Array]:
    """Return the arrays among the arguments, those within a tuple or a module under names of their own."""
    found: dict[str, Array] = {}
    for name, value in labelled(arguments).items():
        if isinstance(value, TorchAttention):
            found |= {f"{name}.{weight}": array for weight, array in value.weights.items()}
        elif isinstance(value, Array):
            found[name] = value
    return found


def _same(before: Array, after: Result | None) -> bool:
    if after is None or after.values is None or after.dtype != before.dtype:
        return False
    return after.shape == before.values.shape and np.array_equal(after.values, before.values)

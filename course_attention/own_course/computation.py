"""Puts a computation in NumPy, an oracle or a variant, in the place of a student's answer."""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Array, Call, Outcome, Raised, Result
from course_attention.judging.case import plain
from course_attention.judging.exercise import FunctionExercise


class Computation:
    """Runs a computation in NumPy in the place of an answer; it rounds nothing and changes nothing.

    Args:
        exercise: which it answers, rightly or wrongly.
        compute: takes the arguments of the exercise's oracle.
    """

    def __init__(self, exercise: FunctionExercise, compute: Callable[..., Any]) -> None:
        self._exercise, self._compute = exercise, compute

    def observe(self, call: Call) -> Outcome:
        """Return what the computation gives, as an answer's outcome."""
        given = {**call.arguments, **(call.settings or {}), **call.weights}
        arguments = {name: plain(value) for name, value in given.items()}
        dtype = next((v.dtype for v in labelled(given).values() if isinstance(v, Array)), "float32")
        try:
            with np.errstate(all="ignore"):
                results = self._exercise.results(self._compute, arguments)
        except Exception as error:  # noqa: BLE001 - a wrong computation may fail in any way
            return Outcome(error=Raised(type(error).__name__, str(error)))
        tensors = tuple(Result("tensor", dtype, "cpu", r.shape, r) for r in results)
        returns = self._exercise.returns
        form = "mapping" if returns.mapping else "single" if len(tensors) == 1 else "tuple"
        return Outcome(tensors, form, names=returns.names if returns.mapping else (), groups=returns.groups)

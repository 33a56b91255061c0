"""Cases that the judge does not draw: they say whether a mutant that it lets pass is another function."""

import inspect
import typing
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import course_attention
from course_attention.execution.protocol import Array
from course_attention.exercises import Entry
from course_attention.judging import properties
from course_attention.judging.case import Case
from course_attention.judging.drawing import EPSILON, rounded
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.exercise import FunctionExercise
from course_attention.mutants.inputs import Inputs, is_known

DRAWN = 40  # so many cases, where the helper says by its annotations what it takes
_OTHER_NUMBERS = 4  # times that the numbers of a judge's case are drawn anew, where it does not
_SEED = 3  # of those cases: no mutant is judged at it


def other_cases(entry: Entry) -> Iterator[Case]:
    """Draw cases of other sizes, dtypes, strides and masks; where the shapes are not known, with other numbers."""
    exercise = entry.exercise
    assert isinstance(exercise, FunctionExercise)
    helper = getattr(course_attention, exercise.name)
    called = inspect.unwrap(helper.forward if exercise.kind == "module" else helper)
    parameters = [p for p in inspect.signature(called).parameters.values() if p.name not in ("self", "device", "dtype")]
    hints = _hints(called)
    if all(p.name in exercise.mutant_inputs or is_known(p, hints.get(p.name)) for p in parameters):
        return (_drawn(exercise, helper, parameters, hints, seed) for seed in range(DRAWN))
    return _redrawn(exercise)


def _hints(called: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(called)
    except Exception:  # noqa: BLE001 - an author may write into an annotation whatever Python can parse
        return {}


def _drawn(
    exercise: FunctionExercise,
    helper: Any,
    parameters: list[inspect.Parameter],
    hints: dict[str, Any],
    seed: int,
) -> Case:
    inputs = Inputs(exercise, seed)
    settings = None
    weights: dict[str, Array] = {}
    if exercise.kind == "module":
        settings = {name: inputs.of(name) for name in inspect.signature(helper).parameters}
    arguments = {p.name: inputs.argument(p, hints.get(p.name)) for p in parameters}
    if settings is not None:
        shapes = {name: tuple(weight.shape) for name, weight in helper(**settings).state_dict().items()}
        weights = {name: Array(inputs.floats(*shape).values, inputs.dtype) for name, shape in shapes.items()}
    smooth = inputs.dtype == "float64" and inputs.spread < 10
    gradient = smooth and properties.GRADIENTS in exercise.contract_checks
    return Case(f"other case {seed}", properties.VALUES, arguments, gradient, settings, weights)


def _redrawn(exercise: FunctionExercise) -> Iterator[Case]:
    """Yield the judge's cases with numbers in another order and of other sizes, each with the sign that it had."""
    rng = np.random.default_rng(0)

    def other(value: Any) -> Any:
        if not isinstance(value, Array) or value.dtype not in EPSILON:
            return value
        numbers = rng.permutation(value.values.ravel()).reshape(value.values.shape)
        return replace(value, values=rounded(numbers * rng.uniform(0.3, 3.0, numbers.shape), value.dtype))

    for prepared in drawn_cases(exercise, _SEED):
        for _ in range(_OTHER_NUMBERS):
            arguments = {name: other(value) for name, value in prepared.case.arguments.items()}
            yield replace(prepared.case, arguments=arguments)

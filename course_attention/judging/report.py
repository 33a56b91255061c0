"""Puts a verdict into words: the misconception, the smallest failing case, and the points earned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_attention.judging.comparison import Difference
from course_attention.judging.diagnosis import NOTHING_ALLOWED, Observed, readability, smallest
from course_attention.judging.exercise import Exercise, FunctionExercise, Returns
from course_attention.judging.plain_text import example_lines
from course_attention.judging.properties import CONTRACT_WORDS, PROPERTIES
from course_attention.judging.verdict import Example, Properties, Status, Verdict

# The part that shows a mistake where it is made, rather than what it does to the rest.
_CAUSES = ("weights", "distribution", "scores")


def passed(exercise: Exercise, properties: Properties) -> Verdict:
    """Everything that was looked at holds."""
    message = f"{exercise.name}: passed, {exercise.points:g} of {exercise.points:g} points."
    return Verdict(
        exercise.name, "passed", 1.0, exercise.points, message=message, idea="", properties=properties
    )


def not_attempted(exercise: Exercise) -> Verdict:
    """The answer is still the stub."""
    message = f"{exercise.name}: not attempted yet. {exercise.prompt}"
    return Verdict(exercise.name, "not_attempted", 0.0, exercise.points, message=message)


def not_callable(exercise: Exercise, answer: Any) -> Verdict:
    """The answer is neither a function nor a class."""
    wanted = "a module class" if exercise.kind == "module" else "a function"
    return _verdict(exercise, "failed", None, (f"{exercise.name} should be {wanted}", f"It is {_a(answer)}."))


def not_a_number(exercise: Exercise, answer: Any) -> Verdict:
    """The answer of a value exercise cannot be read as a number."""
    text = (f"{exercise.name} should be a number", f"It is {_a(answer)}.")
    return _verdict(exercise, "failed", None, text, properties=(("value", False),))


def wrong_number(exercise: Exercise, number: float, named: str | None) -> Verdict:
    """The number is not the right one."""
    text = _words(exercise, named) if named else PROPERTIES["value"]
    return _verdict(
        exercise, "failed", named, text, f"Your number: {number:.12g}.", properties=(("value", False),)
    )


def named(
    exercise: FunctionExercise, name: str, failing: Sequence[Observed], properties: Properties
) -> Verdict:
    """A mistaken idea explains the answer."""
    title, explanation = _words(exercise, name)
    blind = [o for o in failing if o.prepared.case.property == NOTHING_ALLOWED]
    if (
        blind
        and not name.startswith("mask-fully")
        and any(d.kind == "nan" for o in blind for d in o.differences)
    ):
        explanation += " Apart from this, a query that may attend to nothing gives NaN."
    masked = [o for o in failing if o.prepared.case.arguments.get("allowed") is not None]
    shown = masked if name.startswith("mask-") and masked else failing
    example = _example(exercise, shown)
    return _verdict(exercise, "failed", name, (title, explanation), "", example, properties)


def broken(
    exercise: FunctionExercise, name: str, failing: Sequence[Observed], properties: Properties
) -> Verdict:
    """No known idea explains the answer; a property that does not hold is named instead."""
    addition = f"Asked for: ({', '.join(exercise.returns.names)})." if name == "order" else ""
    return _verdict(
        exercise, "failed", None, PROPERTIES[name], addition, _example(exercise, failing), properties
    )


def input_changed(exercise: FunctionExercise, observed: Observed, properties: Properties) -> Verdict:
    """The answer wrote into what it was given."""
    names = " and ".join(observed.outcome.changed)
    difference = Difference("changed", note=f"{names} came back changed")
    at_fault = Observed(observed.prepared, observed.outcome, [difference])
    example = _example(exercise, [at_fault])
    return _verdict(
        exercise, "failed", "input-changed", _words(exercise, "input-changed"), "", example, properties
    )


def errored(exercise: FunctionExercise, raised: Sequence[Observed], properties: Properties) -> Verdict:
    """The answer raised, and no wrong idea explains what it did otherwise."""
    error = smallest(raised).outcome.error
    assert error is not None, "only cases in which the answer raised come here"
    stage = {"construct": "while it was constructed", "load": "while its weights were loaded"}.get(
        error.stage, ""
    )
    title = f"The answer raised {error.type}{' ' + stage if stage else ''}"
    where = f" The line: `{error.line}`." if error.line else ""
    explanation = f"{error.message.rstrip('.')}.{where}" if error.message else where.strip()
    if error.stage == "load":
        weights = smallest(raised).prepared.case.weights.items()
        wanted = ", ".join(f"{name} {array.values.shape}" for name, array in weights)
        explanation += f" The weights asked for here: {wanted}."
    places = {o.prepared.case.property for o in raised}
    if len(places) == 1 and places < {name for name, _ in properties} - {"values"}:
        explanation += " {}. {}".format(*PROPERTIES[places.pop()])
    example = replace(_example(exercise, raised), note="")  # the explanation has said it
    return _verdict(exercise, "errored", None, (title, explanation), "", example, properties)


def _verdict(
    exercise: Exercise,
    status: Status,
    name: str | None,
    text: tuple[str, str],
    addition: str = "",
    example: Example | None = None,
    properties: Properties = (),
) -> Verdict:
    title, explanation = text
    score = sum(held is True for _, held in properties) / len(properties) if properties else 0.0
    explanation = f"{explanation} {addition}".strip()
    earned = f"{score * exercise.points:.3g} of {exercise.points:g} points"
    state = "raised an error" if status == "errored" else "not right yet"
    lines = [f"{exercise.name}: {state}, {earned}.", f"{title}.", explanation]
    if example is not None:
        lines += ["", *example_lines(example)]
    return Verdict(
        exercise=exercise.name,
        status=status,
        score=score,
        points=exercise.points,
        misconception=name,
        message="\n".join(lines).rstrip(),
        idea=title,
        explanation=explanation,
        example=example,
        properties=properties,
    )


def _words(exercise: Exercise, name: str) -> tuple[str, str]:
    returns = exercise.returns if isinstance(exercise, FunctionExercise) else Returns()
    if name == "wrong-dtype" and (returns.dtype or returns.from_sizes_only):
        name = f"wrong-dtype: {returns.dtype or 'from sizes only'}"
    return exercise.words.get(name) or CONTRACT_WORDS[name]


def _a(answer: Any) -> str:
    name = type(answer).__name__
    shape = getattr(answer, "shape", None)
    described = f"{name} of shape {tuple(shape)}" if isinstance(shape, tuple) and shape else name
    return f"{'an' if described[0].lower() in 'aeio' else 'a'} {described}"


def _example(exercise: FunctionExercise, failing: Sequence[Observed]) -> Example:
    """The case with the fewest numbers; one that shows numbers before one that shows an error."""
    chosen = min(failing, key=lambda o: (o.differences[0].kind == "raised", *readability(o.prepared.case)))
    case, found = chosen.prepared.case, chosen.differences
    difference = next((d for cause in _CAUSES for d in found if d.part == cause), found[0])
    note = difference.note
    if chosen.outcome.error is not None and difference.kind == "raised" and chosen.outcome.error.line:
        note = f"{note} at `{chosen.outcome.error.line}`"
    return Example(
        title=f"{case.title}, {case.dtype}" if case.dtype != "float64" else case.title,
        inputs=case.shown,
        part=difference.part,
        expected=_shown_as(exercise.returns.dtype, difference.expected),
        received=_shown_as(exercise.returns.dtype, difference.received),
        where=difference.where,
        note=note,
    )


def _shown_as(dtype: str, values: np.ndarray | None) -> np.ndarray | None:
    """Results are compared in float64; where booleans or whole numbers are asked for, they are shown as such."""
    if values is None or dtype not in ("bool", "int64"):
        return values
    shown = values.astype(dtype)
    return shown if (shown == values).all() else values

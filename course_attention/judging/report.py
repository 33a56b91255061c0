"""Puts a verdict into words: the misconception, the smallest failing case, and the points earned."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_attention.judging import faults, properties
from course_attention.judging.diagnosis import Broken, Diagnosis
from course_attention.judging.error_meanings import meaning
from course_attention.judging.example import chosen_example
from course_attention.judging.exercise import Exercise, FunctionExercise, Misconception
from course_attention.judging.observed import Observed
from course_attention.judging.properties import Property
from course_attention.judging.related import related, right_parts
from course_attention.judging.scoring import Held, credit, score
from course_attention.judging.shapes import Misshapen, explained_shape, shapes_of, sizes_of
from course_attention.judging.verdict import Example, Properties, Status, Verdict


def passed(exercise: Exercise, held: Held) -> Verdict:
    """Everything that was looked at holds."""
    message = f"{exercise.name}: passed, {exercise.points:g} of {exercise.points:g} points."
    return Verdict(
        exercise.name,
        "passed",
        1.0,
        exercise.points,
        message=message,
        properties=_by_name(held),
        credit=credit(held, exercise.weights),
    )


def not_attempted(exercise: Exercise) -> Verdict:
    """Say that the answer is still the stub."""
    message = f"{exercise.name}: not attempted yet. {exercise.prompt}"
    return Verdict(exercise.name, "not_attempted", 0.0, exercise.points, message=message)


def not_callable(exercise: Exercise, answer: Any) -> Verdict:
    """Say that the answer is neither a function nor a class."""
    wanted = "a module class" if exercise.kind == "module" else "a function"
    return failing_verdict(exercise, "failed", None, (f"{exercise.name} should be {wanted}", f"It is {_a(answer)}."))


def not_a_number(exercise: Exercise, answer: Any) -> Verdict:
    """Say that the answer of a value exercise cannot be read as a number."""
    text = (f"{exercise.name} should be a number", f"It is {_a(answer)}.")
    return failing_verdict(exercise, "failed", None, text, held=((properties.VALUE, False),))


def wrong_number(exercise: Exercise, number: float, named: str | None) -> Verdict:
    """Say that the number is not the right one."""
    text = words(exercise.ideas[named] if named else properties.VALUE)
    yours, held = f"Your number: {number:.12g}.", ((properties.VALUE, False),)
    return failing_verdict(exercise, "failed", named, text, yours, held=held)


def diagnosed(exercise: FunctionExercise, diagnosis: Diagnosis, failing: Sequence[Observed], held: Held) -> Verdict:
    """Name the mistaken idea that explains the answer, or else the property that does not hold is named instead."""
    if diagnosis.broken == properties.SHAPE:
        return _misshapen(exercise, diagnosis.shown, held)
    name = diagnosis.misconception
    speaks_of_mask = diagnosis.broken == faults.BLOCKED_WEIGHT or (name or "").startswith("mask")
    speaks_of_missing = diagnosis.broken == faults.WITHOUT_WEIGHT
    example = chosen_example(exercise, diagnosis.shown, speaks_of_mask, speaks_of_missing)
    if diagnosis.broken is not None:
        text, addition = words(diagnosis.broken), _said_of_broken(exercise, diagnosis, failing)
        if diagnosis.broken in (properties.VALUES, faults.ROW_SUMS):
            text, addition = _with_relation(exercise, diagnosis, failing, example, text, addition)
    else:
        text, addition = _named(exercise, diagnosis), _also_wrong(exercise, diagnosis, failing)
    followed = diagnosis.followed if (properties.VALUES, False) in held else frozenset()
    return failing_verdict(exercise, "failed", name, text, addition, example, held, followed)


def _with_relation(
    exercise: FunctionExercise,
    diagnosis: Diagnosis,
    failing: Sequence[Observed],
    example: Example,
    text: tuple[str, str],
    addition: str,
) -> tuple[tuple[str, str], str]:
    """Return the words for wrong numbers, with how they relate to the right ones, or what was asked for once more."""
    plain = [o for o in failing if o.returned and not o.about.edge and not o.masked]
    how = related(exercise, plain, example) or related(exercise, diagnosis.shown, example)
    if diagnosis.broken == faults.ROW_SUMS:
        return text, f"{how} {addition}".strip()
    said = how or f"Asked for: {exercise.prompt} {text[1]}"
    title = "The mask is not right" if exercise.returns.dtype == "bool" else text[0]
    return (title, said), f"{right_parts(exercise, failing)} {addition}".strip()


def _said_of_broken(exercise: FunctionExercise, diagnosis: Diagnosis, failing: Sequence[Observed]) -> str:
    """Return what is added to the words for a property that does not hold."""
    if diagnosis.broken == faults.ORDER:
        return f"Asked for: ({', '.join(exercise.returns.names)})."
    if diagnosis.raised is not None:
        return _raises_elsewhere(diagnosis.raised, any(o.masked for o in failing))
    places = {o.about for o in diagnosis.shown}
    if diagnosis.broken in (faults.NAN, faults.ROW_SUMS) and len(places) == 1:
        return _at(*places - {properties.VALUES, properties.DTYPES, properties.NOTHING_ALLOWED})
    return ""


def _misshapen(exercise: FunctionExercise, shown: Sequence[Observed], held: Held) -> Verdict:
    """Say which slip leads to a shape that no idea explains, in every case, the one shown first."""
    example = chosen_example(exercise, shown)
    seen = [
        Misshapen(
            np.shape(example.expected), np.shape(example.received), shapes_of(example.inputs), sizes_of(example.inputs)
        )
    ]
    for o in shown:
        for d in o.differences:
            if d.part == example.part and d.expected is not None and d.received is not None:
                inputs = o.prepared.case.shown
                seen.append(Misshapen(d.expected.shape, d.received.shape, shapes_of(inputs), sizes_of(inputs)))
    # A design has no right shape: its d_key is the student's choice.
    known = example.expected is not None
    slip = explained_shape(exercise.returns.axes_of(example.part), seen) if known else ""
    return failing_verdict(exercise, "failed", None, words(properties.SHAPE), slip, example, held)


def _named(exercise: FunctionExercise, diagnosis: Diagnosis) -> tuple[str, str]:
    """Return the words for a misconception, with what comes next in the title."""
    assert diagnosis.misconception is not None, "only a diagnosis with a name comes here"
    title, explanation = words(exercise.ideas[diagnosis.misconception])
    if diagnosis.then:
        title = f"First: {_within_a_sentence(title)}; then look at {diagnosis.then.next}"
    return title, explanation


def _also_wrong(exercise: FunctionExercise, diagnosis: Diagnosis, failing: Sequence[Observed]) -> str:
    """Sentences on what else is wrong than the misconception that the title names."""
    if diagnosis.second is not None:
        return f"After that: {_within_a_sentence(exercise.ideas[diagnosis.second].title)}."
    if diagnosis.raised is not None:
        return _raises_elsewhere(diagnosis.raised, any(o.masked for o in failing))
    empty = [d for o in failing if o.about == properties.NOTHING_ALLOWED for d in o.differences]
    is_told = diagnosis.then or (diagnosis.misconception or "").startswith("mask-fully")
    if not is_told and any(d.kind == "nan" for d in empty):
        return "Apart from this, a query that may attend to nothing gives NaN."
    return ""


def _raises_elsewhere(observed: Observed, takes_mask: bool) -> str:
    """Say that another input makes the answer raise, which one, and what Python's message means here."""
    error = observed.outcome.error
    assert error is not None, "only a case in which the answer raised comes here"
    meant = meaning(error)
    said = f": {error.message.rstrip('.')}" if error.message else ""
    without = takes_mask and not observed.masked and "NoneType" in error.message
    where = "without a mask (`allowed` is None)" if without else f"for {observed.prepared.case.title}"
    return f"Besides, {where} it raises {error.type}{said}. {meant.text if meant else ''}".strip()


def _within_a_sentence(title: str) -> str:
    """Return a title with a small first letter, unless it begins with a name.

    Example:
        >>> _within_a_sentence("The mask has no effect"), _within_a_sentence("W_O is left out")
        ('the mask has no effect', 'W_O is left out')
    """
    return title[:1].lower() + title[1:] if title[1:2].islower() or title[1:2] == " " else title


def errored(
    exercise: FunctionExercise, raised: Sequence[Observed], held: Held, about: Property | None = None
) -> Verdict:
    """Say that the answer raised, and no wrong idea explains what it did otherwise.

    Args:
        exercise: what was asked.
        raised: the cases in which it did.
        held: what holds.
        about: the property that is known to be behind it, or None.
    """
    smallest = min(raised, key=lambda o: o.readability)
    error = smallest.outcome.error
    assert error is not None, "only cases in which the answer raised come here"
    stage = {"construct": "while it was constructed", "load": "while its weights were loaded"}.get(error.stage, "")
    title = f"The answer raised {error.type}{' ' + stage if stage else ''}"
    where = f" The line: `{error.line}`." if error.line else ""
    explanation = f"{error.message.rstrip('.')}.{where}" if error.message else where.strip()
    if error.stage == "load":
        weights = smallest.prepared.case.weights.items()
        wanted = ", ".join(f"{name} {array.values.shape}" for name, array in weights)
        explanation += f" The weights asked for here: {wanted}."
    meant = meaning(error)
    places = {o.about for o in raised}
    places = {place for place in places if not place.edge} or places
    places = {about} if about else places
    is_told = meant is not None and meant.whole
    if not is_told and len(places) == 1 and places < {one for one, _ in held} - {properties.VALUES}:
        explanation += f" {_at(*places)}"  # the cause stands before what the message means in general
    if meant is not None:
        explanation = f"{explanation} {meant.text}".strip()
    example = replace(chosen_example(exercise, raised), note="")  # the explanation has said it
    return failing_verdict(exercise, "errored", None, (title, explanation), "", example, held)


def failing_verdict(
    exercise: Exercise,
    status: Status,
    name: str | None,
    text: tuple[str, str],
    addition: str = "",
    example: Example | None = None,
    held: Held = (),
    followed: Collection[Property] = (),
    counted: float | None = None,
) -> Verdict:
    """Return a verdict on an answer that does not pass. Its share follows from what holds, or was counted."""
    title, explanation = text
    share = score(held, exercise.weights, followed) if counted is None else counted
    if not exercise.partial_credit:
        share = 0.0
    explanation = f"{explanation} {addition}".strip()
    earned = f"{round(share * exercise.points, 2):g} of {exercise.points:g} points"
    state = "raised an error" if status == "errored" else "not right yet"
    lines = [f"{exercise.name}: {state}, {earned}.", f"{title}.", explanation]
    return Verdict(
        exercise=exercise.name,
        status=status,
        score=share,
        points=exercise.points,
        misconception=name,
        message="\n".join(lines).rstrip(),
        idea=title,
        explanation=explanation,
        example=example,
        properties=_by_name(held),
        credit=() if counted is not None else credit(held, exercise.weights, followed),
    )


def words(said: Misconception | Broken) -> tuple[str, str]:
    return said.title, said.explanation


def _at(*places: Property) -> str:
    """Return what is said of the one property in whose cases something goes wrong."""
    return "".join(f"{place.title}. {place.explanation}" for place in places)


def _by_name(held: Held) -> Properties:
    """Return the properties as a verdict, which is plain data, speaks of them."""
    return tuple((one.name, holds) for one, holds in held)


def _a(answer: Any) -> str:
    name = type(answer).__name__
    shape = getattr(answer, "shape", None)
    described = f"{name} of shape {tuple(shape)}" if isinstance(shape, tuple) and shape else name
    return f"{'an' if described[0].lower() in 'aeio' else 'a'} {described}"

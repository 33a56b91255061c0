"""Judges an answer to a task: tries it, and names the mistaken idea that explains what it gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_attention.execution.untouched import is_given, is_stub
from course_attention.judging import faults, properties
from course_attention.judging.comparison import Difference, of_error
from course_attention.judging.error_meanings import meaning
from course_attention.judging.verdict import Example, Status, Verdict
from course_attention.practice.authoring import AS_GIVEN, Practice, Trial
from course_attention.practice.called import Came, call
from course_attention.practice.leaves import as_numbers, described, differences

_FAULTS: Mapping[str, faults.Fault | properties.Property] = {
    "form": faults.FORM,
    "nothing": faults.NOTHING_RETURNED,
    "type": faults.TYPE,
    "shape": properties.SHAPE,
    "values": properties.VALUES,
}


@dataclass(frozen=True)
class _Tried:
    """A trial, what should come of it, and what came."""

    trial: Trial
    expected: Any
    came: Came
    differences: list[Difference]

    @property
    def right(self) -> bool:
        return self.came.error is None and not self.differences and not self.came.changed


def judge(task: Practice, answer: Any, seed: int, device: str, notebook: Mapping[str, Any] | None = None) -> Verdict:
    """Judge an answer. Whatever the answer does, nothing is raised for it.

    Args:
        task: what was asked.
        answer: a function or a class.
        seed: draws the trials.
        device: where the tensors of the trials are.
        notebook: the names of the notebook, among them all that the trials need.

    Example:
        >>> from course_attention.practice import PRACTICE
        >>> judge(PRACTICE["entropy"], lambda weights: weights.sum(-1), 0, "cpu").status
        'failed'
    """
    if answer is None or answer is ...:
        return _not_attempted(task)
    if not callable(answer):
        return _wrong(task, "failed", f"{task.name} should be a function or a class", f"It is {described(answer)}.")
    if is_stub(answer) or is_given(answer, task.start):
        return _not_attempted(task)
    trials = task.drawn(seed, notebook or {})
    tried = [_try(task, answer, trial, device) for trial in trials]
    if all(one.came.error is not None and one.came.error.unwritten for one in tried):
        return _not_attempted(task)
    if all(one.right for one in tried):
        return Verdict(task.name, "passed", 1.0, 0.0, message=f"{task.name}: passed.")
    if changing := next((one for one in tried if one.came.changed), None):
        note = f"{' and '.join(changing.came.changed)} came back changed"
        rule = properties.INPUTS_UNCHANGED
        example = _example(changing, Difference("changed", note=note))
        return _wrong(task, "failed", rule.title, rule.explanation, example, rule.misconception)
    first = next(one for one in tried if not one.right)
    if named := _explanation(task, tried, device):
        idea = task.misconceptions[named]
        return _wrong(task, "failed", idea.title, idea.explanation, _example(first, _shown(first)), named)
    if first.came.error is not None:
        return _errored(task, first)
    shown = _shown(first)
    fault = _FAULTS[shown.kind]
    return _wrong(task, "failed", fault.title, first.trial.says or fault.explanation, _example(first, shown))


def _try(task: Practice, answer: Any, trial: Trial, device: str) -> _Tried:
    expected = trial.expected
    if expected is AS_GIVEN:
        expected = call(task.given, trial, device).result
    came = call(answer, trial, device)
    found = [] if came.error else differences(expected, came.result, task.returns, trial.tolerance)
    return _Tried(trial, expected, came, found)


def _explanation(task: Practice, tried: Sequence[_Tried], device: str) -> str:
    """Return the first misconception of which one variant gives what the answer gives, in every trial; or ""."""
    return next(
        (
            name
            for name, idea in task.misconceptions.items()
            if any(_gives_the_same(variant, task, tried, device) for variant in idea.variants)
        ),
        "",
    )


def _gives_the_same(variant: Any, task: Practice, tried: Sequence[_Tried], device: str) -> bool:
    for one in tried:
        wrong = call(variant, one.trial, device)
        if _said(wrong) != _said(one.came):
            return False
        if wrong.error is None and (differences(wrong.result, one.came.result, task.returns, one.trial.tolerance)):
            return False
    return True


def _said(came: Came) -> tuple[str, str] | None:
    return None if came.error is None else (came.error.type, came.error.message)


def _shown(tried: _Tried) -> Difference:
    return tried.differences[0] if tried.came.error is None else of_error(tried.came.error)


def _example(tried: _Tried, difference: Difference) -> Example:
    return Example(
        title=tried.trial.title,
        inputs=_labelled(tried.trial.arguments),
        part=difference.part,
        expected=difference.expected,
        received=difference.received,
        where=difference.where,
        note=difference.note,
    )


def _labelled(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as a reader is shown them: those in a row or a mapping under names of their own."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        numbers = as_numbers(value)
        if numbers is not None:
            found[name] = numbers if numbers.ndim else numbers.item()
        elif isinstance(value, Mapping):
            found |= _labelled({f"{name}[{key!r}]": item for key, item in value.items()})
        elif isinstance(value, (tuple, list)) and not all(isinstance(item, (str, int, float)) for item in value):
            found |= _labelled({f"{name}[{i}]": item for i, item in enumerate(value)})
        elif isinstance(value, (tuple, list)):
            found[name] = np.array(value)
        else:
            found[name] = value
    return found


def _errored(task: Practice, tried: _Tried) -> Verdict:
    error = tried.came.error
    assert error is not None, "only a trial in which the answer raised comes here"
    meant = meaning(error)
    said = [
        f"{error.message.rstrip('.')}." if error.message else "",
        f"The line: `{error.line}`." if error.line else "",
        meant.text if meant is not None else "",
    ]
    title = f"The answer raised {error.type}"
    if not error.line and tried.trial.run is not None:  # it was the trial that could not go on with what came
        title = f"What `{task.name}` gives cannot be used: {error.type}"
    explanation = " ".join(part for part in said if part)
    return _wrong(task, "errored", title, explanation, _example(tried, Difference("raised")))


def _not_attempted(task: Practice) -> Verdict:
    message = f"{task.name}: not attempted yet. {task.prompt}"
    return Verdict(task.name, "not_attempted", 0.0, 0.0, message=message)


def _wrong(
    task: Practice,
    status: Status,
    title: str,
    explanation: str,
    example: Example | None = None,
    misconception: str | None = None,
) -> Verdict:
    state = "raised an error" if status == "errored" else "not right yet"
    return Verdict(
        exercise=task.name,
        status=status,
        score=0.0,
        points=0.0,
        misconception=misconception,
        message=f"{task.name}: {state}.\n{title}.\n{explanation}".rstrip(),
        idea=title,
        explanation=explanation,
        example=example,
    )

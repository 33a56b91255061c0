"""Judges answers that are tests themselves: by the right functions that they accept and the wrong ones they refuse."""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from course_attention.execution.protocol import Call, Device, GivenFunction, Outcome
from course_attention.judging import report
from course_attention.judging.candidate import Told
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionTestExercise
from course_attention.judging.runners import called_runner
from course_attention.judging.told_apart import told_apart
from course_attention.judging.verdict import Verdict

SECONDS = 5.0
"""Processor time that a test may take for one function. A busy machine makes no answer wrong."""


def judge(exercise: FunctionTestExercise, answer: Any, seed: int, device: Device) -> Verdict:
    """Judge a test of functions; see `judging.judge`."""
    if answer is None or answer is ...:
        return report.not_attempted(exercise)
    runner = called_runner(exercise, answer, device)
    if runner is None:
        return report.not_callable(exercise, answer)
    drawn = exercise.candidates(Draw(seed, crc32(exercise.name.encode())))
    told = []
    for candidate in drawn:
        call = Call({exercise.argument: GivenFunction(candidate.source, exercise.argument)}, device)
        outcome = runner.observe(call)
        if not _in_time(outcome):  # the first call of all imports what the answer uses
            outcome = runner.observe(call)
        in_time = _in_time(outcome)
        told.append(Told(candidate, _said(outcome) if in_time else None, outcome, in_time))
    if all(one.outcome.is_stub or (one.outcome.error and one.outcome.error.unwritten) for one in told):
        return report.not_attempted(exercise)
    return told_apart(exercise, told, _named(exercise, told))


def _in_time(outcome: Outcome) -> bool:
    return outcome.milliseconds <= 1000 * SECONDS


def _said(outcome: Outcome) -> bool | None:
    """Return True or False where that is what came, and nothing else."""
    if outcome.form != "single" or outcome.results[0].kind != "bool" or outcome.results[0].values is None:
        return None
    return bool(outcome.results[0].values)


def _named(exercise: FunctionTestExercise, told: Sequence[Told]) -> str:
    """Return the misconception that explains the answer, or ""."""
    said = {one.accepted for one in told}
    if said == {True}:
        return exercise.everything_accepted
    if said == {False}:
        return exercise.everything_refused
    if silent := [one for one in told if one.accepted is None]:
        raised = all(one.outcome.error and not one.candidate.is_right for one in silent)
        return exercise.raised_instead if raised else ""
    right = [one.accepted for one in told if one.candidate.is_right]
    if 2 * sum(map(bool, right)) < len(right):
        return exercise.right_ones_refused
    return next((idea for idea in exercise.ideas if _explains(idea, told)), "")


def _explains(idea: str, told: Sequence[Told]) -> bool:
    """Whether there are functions that are hidden from the idea, and all of them were answered wrongly."""
    hidden = [one for one in told if one.candidate.hidden_from == idea]
    return bool(hidden) and not any(one.is_right for one in hidden)

"""The check cell: judges an answer, shows the verdict, and hands back a function that works."""

from __future__ import annotations

import sys
from typing import Any

import torch

import course_attention
from course_attention.execution import tensors  # noqa: F401 - loads torch before the first verdict waits for it
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.lesson.device import device
from course_attention.lesson.library import keep
from course_attention.lesson.naming import exercise_named, exercise_of
from course_attention.lesson.progress import record
from course_attention.presentation.card import verdict_card
from course_attention.presentation.display import Bundle, frame, paragraphs, show, wrapped

_last: dict[str, Verdict] = {}
_lent: dict[str, object] = {}


def check(answer: Any, name: str | None = None) -> Any:
    """Judges an answer, shows the verdict as a card, and keeps it for `points` and `progress`.

    Args:
        answer: the function, module class or number to be judged.
        name: the exercise's name; found from the answer itself where it is a function or a class.

    Returns:
        The answer where it passed, else the course's own helper of that name (for a number, the right one):
        the notebook runs to its end whatever the answer.

    Raises:
        ValueError: there is no exercise of that name, or nothing says which exercise is answered. Nothing
            that the answer itself does is raised.
    """
    caller = sys._getframe(1)
    if name is None:
        name = exercise_of(answer, {**caller.f_globals, **caller.f_locals})
    exercise = CATALOGUE[exercise_named(name, "check")]
    if name in _lent and answer is _lent[name]:
        show(_lent_card(name))
        return answer
    # What an answer draws from the global generator must not change the cells that follow.
    with torch.random.fork_rng(devices=[]):
        verdict = exercise.judge(answer, seed=0, device=device().type)
    _last[name] = verdict
    record(verdict)
    show(verdict_card(verdict, exercise.prompt))
    if verdict.status == "passed":
        keep(name, answer, caller.f_globals)
        return answer
    _lent[name] = _own(name)
    return _lent[name]


def points(name: str) -> float:
    """Points earned in the last check of an exercise in this session; 0.0 before the first.

    As the last expression of a check cell it is what nbgrader's autograder reads.

    Raises:
        ValueError: there is no exercise of that name.
    """
    verdict = _last.get(exercise_named(name, "points"))
    return float(verdict.earned) if verdict is not None else 0.0


def _own(name: str) -> Any:
    """The course's own helper; a number as an object of its own, to be told from the same number typed in."""
    helper = getattr(course_attention, name)
    return type("Lent", (type(helper),), {})(helper) if isinstance(helper, (int, float)) else helper


def _lent_card(name: str) -> Bundle:
    """The card for a check cell that ran twice without its answer cell: the helper that `check` lent is no answer."""
    text = (
        f"This is the course's own `{name}`, which the last check lent you, not your answer: "
        "run your answer's cell again, then this one.\nThe points of the last check stay."
    )
    return Bundle(frame("not_attempted", f"{name}: nothing new to check", paragraphs(text)), wrapped(text))

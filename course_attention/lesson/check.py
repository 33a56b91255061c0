"""The check cell: judges an answer, shows the verdict, and hands back a function that works."""

import sys
from collections.abc import Mapping
from typing import Any

import torch

import course_attention
from course_attention.execution import tensors  # noqa: F401 - loads torch before the first verdict waits for it
from course_attention.execution.prints import prints_kept
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.lesson.answer_cell import AnswerCell, cells_run
from course_attention.lesson.device import device
from course_attention.lesson.first_step import first_step
from course_attention.lesson.library import keep
from course_attention.lesson.misconception_page import page_on
from course_attention.lesson.naming import exercise_named, exercise_of, task_named
from course_attention.lesson.obstacles import found_before_judging, lacks
from course_attention.lesson.progress import record
from course_attention.lesson.records import in_course_folder
from course_attention.lesson.watch import Watch
from course_attention.practice import PRACTICE
from course_attention.practice.judge import judge
from course_attention.presentation.card import verdict_card
from course_attention.presentation.display import Unseen, show

NOT_THE_WORKSPACE = (
    "This notebook is the course's own copy, not the one in your workspace: progress is not kept here, and an update "
    "of the course meets your changes. `course-attention start workspace` (`make learn` in a clone) makes your own."
)

_last: dict[str, Verdict] = {}
_lent: dict[str, object] = {}


def check(answer: Any, name: str | None = None) -> Any:
    """Judges an answer, shows the verdict as a card, and keeps it for `points` and `progress`.

    Practice is judged as exercises are. It earns no points, and its trials may need names of the notebook.

    Args:
        answer: the name of an exercise or of practice, as in `check("attention")`, whose answer is then looked up
            where `check` is called; or the function, module class or number itself.
        name: the exercise's name where `answer` is the answer; found from the answer where it is a function or a class.

    Returns:
        The answer where it passed, else the course's own helper of that name (for a number, the right one):
        the notebook runs to its end whatever the answer, and even where there is none.

    Raises:
        ValueError: nothing that is asked has that name, or nothing says which exercise is answered. Nothing that the
            answer itself does is raised.
    """
    caller = sys._getframe(1)
    namespace = {**caller.f_globals, **caller.f_locals}
    by_name = name is None and isinstance(answer, str)
    if by_name:
        name, answer = task_named(answer, "check"), namespace.get(answer)
    elif name is None:
        name = exercise_of(answer, namespace)
    is_value = task_named(name, "check") in CATALOGUE and CATALOGUE[name].kind == "value"
    cell = AnswerCell(name, is_value, cells_run() if by_name else [])

    was_lent = name in _lent and answer is _lent[name]
    is_own = was_lent or (by_name and callable(answer) and answer is _ours(name))
    is_bound = not by_name or name in namespace
    found = found_before_judging(name, answer, cell, is_bound=is_bound, is_own=is_own, was_lent=was_lent)
    if found.card is not None and found.is_own:
        show(found.card)
        return answer

    watch, card = Watch(name, caller), found.card or lacks(name, _missing(name, namespace))
    if card is None:
        # What an answer draws from the global generator must not change the cells that follow.
        with prints_kept() as printed, watch, torch.random.fork_rng(devices=[]):
            try:
                verdict = _judged(name, answer, namespace)
            except KeyboardInterrupt as interrupt:
                card = watch.stopped(interrupt, printed)
    if card is None and verdict.status == "not_attempted":
        card = found.if_stub
    if card is not None:
        watch.show(card)
        _last.pop(name, None)
        return _lend(name)

    _last[name] = verdict
    record(verdict)
    first = first_step(verdict, cell, namespace)
    passed = verdict.status == "passed"
    last = keep(name, answer, caller.f_globals) if passed and name in CATALOGUE else ""
    if verdict.status != "not_attempted" and in_course_folder():
        last = NOT_THE_WORKSPACE
    prompt = (PRACTICE[name] if name in PRACTICE else CATALOGUE[name].exercise).prompt
    watch.show(verdict_card(verdict, prompt, first=first, last=last, printed=printed, page=page_on(verdict)))
    return answer if passed else _lend(name)


def points(name: str) -> float:
    """Points earned in the last check of an exercise in this session; 0.0 before the first.

    As the last expression of a check cell it is what nbgrader's autograder reads. A notebook does not show it a second
    time: the card says it.

    Raises:
        ValueError: there is no exercise of that name.
    """
    verdict = _last.get(exercise_named(name, "points"))
    return Unseen(verdict.earned if verdict is not None else 0.0)


def has_passed(name: str) -> bool:
    """Whether the last check of an exercise in this session passed."""
    return name in _last and _last[name].status == "passed"


def is_lent(name: str) -> bool:
    """Whether the last check of an exercise in this session handed back the course's own function."""
    return name in _lent and not has_passed(name)


def last_verdict(name: str) -> Verdict | None:
    """Return what the last check in this session said; None where there was none, or nothing to judge."""
    return _last.get(name)


def _judged(name: str, answer: Any, namespace: Mapping[str, Any]) -> Verdict:
    if name in PRACTICE:
        # Practice goes on in its own notebook alone. Where the notebook computes on the CPU, so may the answer.
        where = device().type if namespace.get("device") is device else "cpu"
        return judge(PRACTICE[name], answer, seed=0, device=where, notebook=namespace)
    return CATALOGUE[name].judge(answer, seed=0, device=device().type)


def _missing(name: str, namespace: Mapping[str, Any]) -> list[str]:
    """Return what the trials of practice need of the notebook, and no cell has defined."""
    return [one for one in PRACTICE[name].needs if one not in namespace] if name in PRACTICE else []


def _ours(name: str) -> Any:
    return PRACTICE[name].given if name in PRACTICE else getattr(course_attention, name)


def _lend(name: str) -> Any:
    """Return the course's own helper; a number as an object of its own, to be told from the same number typed in."""
    helper = _ours(name)
    if isinstance(helper, (int, float)):
        helper = type("Lent", (type(helper),), {})(helper)
    _lent[name] = helper
    return helper

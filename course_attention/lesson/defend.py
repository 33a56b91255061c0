"""Defend an answer: what would one small change break? Asked of the student's own function, and never scored."""

import json
import linecache
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch

from course_attention.course.defended import kept
from course_attention.execution.prints import prints_kept
from course_attention.exercises import CATALOGUE
from course_attention.lesson import defences
from course_attention.lesson.check import has_passed
from course_attention.lesson.choice import Choice, show_widget
from course_attention.lesson.defence_card import (
    HOW,
    Told,
    options_of,
    outcome,
    question_html,
    question_text,
    right_choice,
    told_html,
    told_text,
    whole_html,
)
from course_attention.lesson.naming import exercise_named
from course_attention.lesson.own_answer import own_answer
from course_attention.lesson.progress import kept_records
from course_attention.mutants.making import bare
from course_attention.mutants.questions import Question, Questions, can_be_asked
from course_attention.mutants.right_answer import RightAnswer, helper
from course_attention.presentation.display import Bundle, remark, show

ROW = defences.IN_A_ROW
_questions = cache(Questions)  # what was found out about an answer's changes is kept for the session


def defend(name: str | None = None, *, quiet: bool = False) -> Choice | None:
    """Ask what one small change of your own answer would break: one of up to four properties, or nothing.

    The judge then says what is so, and shows the case. Three right ones in a row, and the answer is defended. Where
    yours has not passed, you are asked about the course's own, and nothing is kept.

    Args:
        name: the exercise's name, as in `question = defend("attention")`. Without one, nothing is asked: a card says
            which of your answers can be defended.
        quiet: without a name, show nothing where none can be defended, as in the last cell of a notebook.

    Returns:
        The question, which `question.answer = "mask"` answers where there is nothing to click. None where an exercise
        has nothing to ask about.

    Raises:
        ValueError: there is no exercise of that name.

    Example:
        >>> question = defend("score_variance")  # doctest: +ELLIPSIS
        There is nothing to defend in `score_variance`. ...
    """
    if name is None:
        _overview(quiet)
        return None
    caller = sys._getframe(1)
    exercise_named(name, "defend")
    if not can_be_asked(name):
        show(remark(f"Defend {name}", NOT_ASKED.format(name=name)))
        return None
    line = linecache.getline(caller.f_code.co_filename, caller.f_lineno)
    variable = found[1] if (found := re.match(r"\s*(\w+)\s*=\s*defend\b", line)) else "question"
    return _Defending(name, {**caller.f_globals, **caller.f_locals}, variable).begin()


NOT_ASKED = (
    "There is nothing to defend in `{name}`. A number is right or wrong, and so is what a formula or a design gives: "
    "a change has no four properties to choose from. Functions and modules that take arrays can be defended."
)
NOTHING_PASSED = (
    "`defend` asks what one small change of an answer that passed would break. None of your functions or classes has "
    'passed a check yet. `question = defend("softmax")` asks about the course\'s own.'
)
NONE_FOUND = "No change was found of which exactly one thing could be said. Try another exercise."


class _Defending:
    """The questions that one cell asks, one after the other, in one card.

    Args:
        name: the exercise.
        namespace: the names of the notebook's cells.
        variable: what the cell calls the question.
    """

    def __init__(self, name: str, namespace: Mapping[str, Any], variable: str) -> None:
        self._name, self._variable = name, variable
        self._answer, self._is_own = _answer_of(name, namespace)
        self._told: list[Told] = []
        self._handle: Any = None

    def begin(self) -> Choice | None:
        """Ask the first question, with controls below it."""
        choice = self._ask()
        if choice is None:
            show(remark(f"Defend {self._name}", NONE_FOUND))
            return None
        show_widget(choice, lambda _shown: None)
        return choice

    def _ask(self) -> Choice | None:
        before = defences.defence_of(self._name)
        asked = [*before.changes, *(one.question.mutant.change for one in self._told)]
        number = before.asked if self._is_own else len(self._told)
        with _aside():
            questions = _questions(self._answer)
            # Where everything was asked about, it is asked about again, but for what was asked last.
            question = questions.draw(number, asked) or questions.draw(number, asked[-1:])
        if question is None:
            return None
        parts = self._title(), self._whose(question), question, self._how(question)
        self._update(question_html(*parts), question_text(*parts), told=self._told)
        return Choice(
            options_of(question),
            lambda chosen: self._answered(question, chosen),
            self._ask,
            lambda chosen: f"{outcome(question, chosen)}.".replace("`", ""),
        )

    def _answered(self, question: Question, chosen: str) -> Bundle:
        with _aside():
            verdict = CATALOGUE[self._name].judge(self._answer.built(question.mutant.source), seed=0)
        is_right = chosen == right_choice(question)
        after = "Nothing is kept of this, as it is the course's own answer. Yours can be defended once it has passed."
        if self._is_own:
            after = _so_far(self._name, defences.keep(self._name, is_right, question.mutant.change))
        told = Told(question, chosen, verdict, f"{after} {_AGAIN.format(variable=self._variable, name=self._name)}")
        earlier, self._told = list(self._told), [*self._told, told]
        self._update(told_html(told), told_text(told), told=earlier)
        return self._bundle(told_html(told), told_text(told), told=[])

    def _update(self, part: str, text: str, told: list[Told]) -> None:
        """Show a part in the card's place, below what was answered before; a terminal has the new part alone."""
        self._handle = show(self._bundle(part, text, told), self._handle)

    def _bundle(self, part: str, text: str, told: list[Told]) -> Bundle:
        return Bundle(whole_html(self._name, told, [part]), text, kept(list(defences.defended())))

    def _title(self) -> str:
        row = defences.defence_of(self._name).row if self._is_own else 0
        done = f", {min(row, ROW)} of {ROW} in a row so far" if row else ""
        return f"Defend {'your' if self._is_own else 'the course’s'} `{self._name}`{done}: what does this change break?"

    def _whose(self, question: Question) -> str:
        changed = "became the one marked +" if any(mark == "+" for mark, _ in question.lines) else "is left out"
        whose = (
            f"This is your own answer, from {self._answer.label}."
            if self._is_own
            else "This is the course's own answer, because yours has not passed here yet."
        )
        return f"{whose} The line marked − {changed}."

    def _how(self, question: Question) -> str:
        example = json.dumps(question.choices[0].name)
        return (
            f"{HOW} Where you see nothing to click, write for example "
            f"`{self._variable}.answer = {example}` in a cell of your own, with your own choice."
        )


_AGAIN = 'For another: `{variable} = defend("{name}")`.'


def _overview(quiet: bool) -> None:
    """Say which answers can be defended, and which are."""
    passed = [name for name, record in kept_records().items() if record.passed and name in CATALOGUE]
    can_be = [name for name in passed if can_be_asked(name)]
    open_ones = [name for name in can_be if name not in defences.defended()]
    if not open_ones and quiet:
        return
    if not can_be:
        text = NOTHING_PASSED
    elif not open_ones:
        text = f"Defended: {', '.join(can_be)}. Nothing else that passed can be defended yet."
    else:
        calls = "\n\n".join(f'`question = defend("{name}")`' for name in open_ones)
        done = f"{len(can_be) - len(open_ones)} of {len(can_be)} are defended. " if len(can_be) > len(open_ones) else ""
        text = (
            f"What would one small change of your own answer break? {done}These passed and are not defended yet; write "
            f"one of these lines into a cell of your own. This is never scored.\n\n{calls}"
        )
    show(remark("Defend an answer", text))


def _so_far(name: str, defence: defences.Defence) -> str:
    if defence.row == ROW:
        return f"Three in a row: your `{name}` is defended."
    if defence.defended:
        return f"Your `{name}` is defended, and stays so."
    return f"{defence.row} of {ROW} in a row."


def _answer_of(name: str, namespace: Mapping[str, Any]) -> tuple[RightAnswer, bool]:
    """Return the answer to ask about, and whether it is the student's own."""
    own = own_answer(name, namespace, has_passed(name))
    if own is not None and _still_right(own):
        return own, True
    ours = helper(name)
    return RightAnswer(name, ours.label, bare(ours.source), ours.above), False


@cache
def _still_right(answer: RightAnswer) -> bool:
    """Whether an answer passes where it stands now: a module may have been edited by hand."""
    try:
        with _aside():
            return CATALOGUE[answer.exercise].judge(answer.built(), seed=0).status == "passed"
    except Exception:  # noqa: BLE001 - the file is the student's, and may hold anything
        return False


@contextmanager
def _aside() -> Iterator[None]:
    """Judge without a trace in the notebook: no prints, and its random numbers go on as they would."""
    with prints_kept(), torch.random.fork_rng(devices=[]):
        yield

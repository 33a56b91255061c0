"""What stands between an answer and its verdict, as a card: a cell that stopped or has not run."""

from __future__ import annotations

import re
from collections.abc import Mapping

from course_attention.judging.verdict import Verdict
from course_attention.lesson.answer_cell import AnswerCell, Stopped
from course_attention.presentation.display import Bundle
from course_attention.presentation.notice import notice

AGAIN = "run its cell, then run this one again"
ABOVE = "the menu Run > Run All Above Selected Cell"


def obstacle(name: str, answer: object, cell: AnswerCell) -> Bundle | None:
    """The card for an answer that cannot be judged; None where there is something to judge.

    Args:
        name: the exercise.
        answer: what the exercise's name is bound to; None where that is nothing of the student's.
        cell: what the cells that ran say of the answer.
    """
    stopped = cell.stopped(answer)
    if (stopped or answer is None) and (card := answered_elsewhere(name, cell)):
        return card
    if stopped:
        return _stopped(name, stopped)
    if rest := cell.split_off():
        title = f"A cell below your `{name}` stopped with {_article(rest.error)}"
        text = (
            "It looks like the rest of your answer, as if its cell had been split. Join the two "
            f"(select both, then press Shift+M), {AGAIN}."
        )
        return _card("errored", name, title, text, rest.line)
    return None


def answered_elsewhere(name: str, cell: AnswerCell) -> Bundle | None:
    """The card for a newer cell that seems to be meant for the answer and defines no such name; None without one."""
    found = cell.meant()
    if found is None:
        return None
    misspelt, stopped = found
    if stopped:
        return _stopped(name, stopped)
    title = f"You defined `{misspelt}`; the exercise asks for `{name}`"
    return _card("not_judged", name, title, f"Change the name in your answer above, {AGAIN}.")


def not_run(name: str, cell: AnswerCell) -> Bundle:
    """The card for a name that is bound to nothing."""
    if cell.source:
        title = f"The cell of `{name}` did not come to its end"
        return _card("errored", name, title, f"Read the error below it. Mend your answer, {AGAIN}.")
    title = f"There is no `{name}` yet: run the cells above first"
    text = (
        f"Since the kernel started, no cell has defined `{name}`. Run all cells above ({ABOVE}), "
        "then run this one again."
    )
    return _card("not_judged", name, title, text)


def course_own(name: str, was_lent: bool) -> Bundle:
    """The card for a name that is bound to the course's own helper, which is no answer."""
    if was_lent:
        title = f"This is the course's own `{name}`, which the last check lent you"
        text = f"To have your answer checked, {AGAIN}.\nThe points of the last check stay."
    else:
        title = f"This is the course's own `{name}`, not your answer"
        text = f"To have your answer checked, {AGAIN}. Run the cells above first if you have not ({ABOVE})."
    return notice("not_judged", name, title, text)


def first_step(verdict: Verdict, cell: AnswerCell, namespace: Mapping[str, object]) -> str:
    """What to do before anything that the verdict says; "" where nothing comes before it."""
    if verdict.status == "passed":
        return ""
    undefined = re.search(r"name '(\w+)' is not defined", f"{verdict.explanation} {verdict.message}")
    if undefined and undefined[1] not in namespace:
        return (
            f"No cell that has run defines `{undefined[1]}`: where a cell above does, run the cells above first "
            f"({ABOVE})"
        )
    return cell.leftover_stub()


def _stopped(name: str, stopped: Stopped) -> Bundle:
    title = f"The cell of `{name}` stopped with {_article(stopped.error)}"
    return _card("errored", name, title, f"Mend your answer above, {AGAIN}.", stopped.line)


def _card(status: str, name: str, title: str, text: str, code: str = "") -> Bundle:
    text += f' For help: `hint("{name}")`.\nUntil then the cells below use the course\'s own `{name}`.'
    return notice(status, name, title, text, code=code)


def _article(error: str) -> str:
    return f"{'an' if error[:1] in 'AEIOU' else 'a'} {error}"

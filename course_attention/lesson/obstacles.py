"""What stands between an answer and its verdict, as a card: a cell that stopped or has not run."""

from collections.abc import Sequence
from dataclasses import dataclass

from course_attention.lesson.answer_cell import AnswerCell, Stopped
from course_attention.presentation.display import Bundle
from course_attention.presentation.notice import notice

AGAIN = "run its cell, then run this one again"
ABOVE = "the menu Run > Run All Above Selected Cell"


@dataclass(frozen=True)
class Found:
    """What is known of an answer before it is judged.

    Attributes:
        card: what stands in the way of judging it; None where nothing does.
        is_own: whether that is the course's own helper, which no student has written.
        if_stub: what is to be said in place of a verdict where the answer is still the stub; or None.
    """

    card: Bundle | None
    is_own: bool = False
    if_stub: Bundle | None = None


def found_before_judging(
    name: str, answer: object, cell: AnswerCell, *, is_bound: bool, is_own: bool, was_lent: bool
) -> Found:
    """Find out what stands between an answer and its verdict.

    Args:
        name: the exercise.
        answer: what the exercise's name is bound to; None where that is nothing.
        cell: what the cells that ran say of the answer.
        is_bound: whether there is an answer to look at.
        is_own: whether it is the course's own helper.
        was_lent: whether the last check handed it out.
    """
    elsewhere = _answered_elsewhere(name, cell)
    card = _unfinished(name, None if is_own else answer, cell, elsewhere)
    if card is None and is_own:
        return Found(_course_own(name, was_lent), is_own=True)
    if card is None and not is_bound:
        card = _not_run(name, cell)
    return Found(card, if_stub=elsewhere)


def lacks(name: str, needed: Sequence[str]) -> Bundle | None:
    """Return the card for practice whose trials need what no cell has defined yet; None where they need nothing.

    Args:
        name: the practice.
        needed: names of the notebook.
    """
    if not needed:
        return None
    them = " and ".join(f"`{one}`" for one in needed)
    title = f"To try `{name}`, the check needs {them} of this notebook: run the cells above first"
    text = f"No cell that has run defines {them}. Run all cells above ({ABOVE}), then run this one again."
    return _card("not_judged", name, title, text)


def _unfinished(name: str, answer: object, cell: AnswerCell, elsewhere: Bundle | None) -> Bundle | None:
    """Return the card for a cell that did not come to its end; None where there is something to judge."""
    stopped = cell.stopped(answer)
    if elsewhere is not None and (stopped or answer is None):
        return elsewhere
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


def _answered_elsewhere(name: str, cell: AnswerCell) -> Bundle | None:
    """Return the card for a newer cell that is meant for the answer, it seems, and defines no such name; or None."""
    found = cell.meant()
    if found is None:
        return None
    misspelt, stopped = found
    if stopped:
        return _stopped(name, stopped)
    title = f"You defined `{misspelt}`; the exercise asks for `{name}`"
    return _card("not_judged", name, title, f"Change the name in your answer above, {AGAIN}.")


def _not_run(name: str, cell: AnswerCell) -> Bundle:
    """Return the card for a name that is bound to nothing."""
    if cell.source:
        title = f"The cell of `{name}` did not come to its end"
        return _card("errored", name, title, f"Read the error below it. Mend your answer, {AGAIN}.")
    title = f"There is no `{name}` yet: run the cells above first"
    text = (
        f"Since the kernel started, no cell has defined `{name}`. Run all cells above ({ABOVE}), "
        "then run this one again."
    )
    return _card("not_judged", name, title, text)


def _course_own(name: str, was_lent: bool) -> Bundle:
    """Return the card for a name that is bound to the course's own helper, which is no answer."""
    if was_lent:
        title = f"This is the course's own `{name}`, which the last check lent you"
        text = f"To have your answer checked, {AGAIN}.\nThe points of the last check stay."
    else:
        title = f"This is the course's own `{name}`, not your answer"
        text = f"To have your answer checked, {AGAIN}. Run the cells above first if you have not ({ABOVE})."
    return notice("not_judged", name, title, text)


def _stopped(name: str, stopped: Stopped) -> Bundle:
    title = f"The cell of `{name}` stopped with {_article(stopped.error)}"
    return _card("errored", name, title, f"Mend your answer above, {AGAIN}.", stopped.line)


def _card(status: str, name: str, title: str, text: str, code: str = "") -> Bundle:
    text += f' For help: `hint("{name}")`.\nUntil then the cells below use the course\'s own `{name}`.'
    return notice(status, name, title, text, code=code)


def _article(error: str) -> str:
    return f"{'an' if error[:1] in 'AEIOU' else 'a'} {error}"

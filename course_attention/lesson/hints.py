"""Hints in steps, for exercises and practice: each call gives one more, the last is a skeleton of the solution."""

import html
import sys

from course_attention.course.helper_source import own_source
from course_attention.course.skeleton import CLOSED, skeleton_of
from course_attention.exercises import CATALOGUE
from course_attention.lesson.naming import exercise_of, task_named
from course_attention.practice import PRACTICE
from course_attention.presentation.display import Bundle, announced, frame, paragraphs, rich, show, wrapped

_given: dict[str, int] = {}


def hint(name: object) -> None:
    """Show the next hint for an exercise or for practice; the last is a skeleton of the solution, and stays.

    Args:
        name: the exercise's name, as in `hint("attention")`, or what its name is bound to, as in `hint(attention)`.

    Raises:
        ValueError: nothing that is asked has that name.

    Example:
        >>> hint("score_variance")
        Hint 1 of 3 for `score_variance`
        <BLANKLINE>
        The product of two independent entries has mean 0. What is its variance?
        <BLANKLINE>
        For one more: `hint("score_variance")` again.
    """
    if not isinstance(name, str):
        caller = sys._getframe(1)
        name = exercise_of(name, {**caller.f_globals, **caller.f_locals}, "hint")
    steps = len(_hints(task_named(name, "hint"))) + 1
    _given[name] = min(_given.get(name, 0) + 1, steps)
    show(hint_bundle(name, _given[name]))


def hint_bundle(name: str, step: int) -> Bundle:
    """Return the hint of a step, 1 being the first; the step after the exercise's own hints is the skeleton."""
    hints = _hints(name)
    title = f"Hint {step} of {len(hints) + 1} for `{name}`"
    if step <= len(hints):
        after = f'For one more: `hint("{name}")` again.'
        body, plain = paragraphs(hints[step - 1]), wrapped(hints[step - 1])
    else:
        title += ", the last: a skeleton"
        plain = skeleton_of(own_source(name))
        loop = f" So is the condition after `while`, in the place of `{CLOSED}`." if f"while {CLOSED}:" in plain else ""
        after = (
            f"Each `...` is yours to fill in.{loop} The comment beside it names what the course's own solution uses "
            f'there, sorted by the alphabet. There is no further hint. Once yours has passed, `solution("{name}")` '
            "shows both."
        )
        body = f'<pre tabindex="0">{html.escape(plain)}</pre>'
    head = f'<p class="ca-idea">{rich(title)}</p>'
    return Bundle(
        frame("hint", title.replace("`", ""), announced(head), body, paragraphs(after)),
        f"{wrapped(title)}\n\n{plain}\n\n{wrapped(after)}",
    )


def hints_given(name: str) -> tuple[int, int]:
    """Return how many hints have been given in this session, and how many there are."""
    return _given.get(name, 0), len(_hints(name)) + 1


def _hints(name: str) -> tuple[str, ...]:
    return PRACTICE[name].hints if name in PRACTICE else CATALOGUE[name].exercise.hints

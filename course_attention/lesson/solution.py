"""The course's own answer beside the student's, once theirs has passed; before that, the way there."""

import html
import sys
from collections.abc import Mapping
from typing import Any

from course_attention.course.helper_source import own_source
from course_attention.exercises import CATALOGUE
from course_attention.lesson.check import has_passed, last_verdict
from course_attention.lesson.hints import hints_given
from course_attention.lesson.naming import task_named
from course_attention.lesson.own_answer import own_text
from course_attention.lesson.progress import kept_records
from course_attention.lesson.two_answers import differences
from course_attention.presentation.display import Bundle, frame, paragraphs, rich, show, wrapped

NOT_HERE = (
    "Yours passed, but it can't be read here. Run its cell and its check in this notebook, and this shows both, and "
    "what differs."
)
_STYLE = """<style>
.ca-card .ca-beside{display:flex;flex-wrap:wrap;gap:1em}
.ca-card .ca-beside>div{flex:1 1 24em;min-width:0}
</style>"""


def solution(name: str) -> None:
    """Show the course's own answer beside yours, and what differs, once yours has passed. Before that, say the way.

    Args:
        name: of an exercise or of practice, as in `solution("attention")`.

    Raises:
        ValueError: nothing that is asked has that name.

    Example:
        >>> solution("score_variance")  # doctest: +ELLIPSIS
        `score_variance` has not passed yet, so its solution is not shown. ...
    """
    caller = sys._getframe(1)
    task_named(name, "solution")
    record = kept_records().get(name)
    if not has_passed(name) and not (record and record.passed):
        show(_not_yet(name))
        return
    show(_both(name, {**caller.f_globals, **caller.f_locals}))


def _not_yet(name: str) -> Bundle:
    title = f"`{name}` has not passed yet, so its solution is not shown. The way there:"
    given, of = hints_given(name)
    verdict = last_verdict(name)
    said = (
        f"The card says: {verdict.idea}."
        if verdict and verdict.idea
        else "Its card shows the smallest case that fails."
    )
    steps = [
        f"Run the check cell and read its card. {said} Compute that case by hand first.",
        f'`hint("{name}")` gives one hint at a time: {given} of {of} so far. The last is a skeleton.',
        "You can go on without it: until yours passes, the cells below use the course's own.",
    ]
    items = "".join(f"<li>{rich(one)}</li>" for one in steps)
    text = "\n".join(wrapped(f"{number}. {one}") for number, one in enumerate(steps, start=1))
    head = f'<p class="ca-idea">{rich(title)}</p>'
    return Bundle(frame("hint", f"Solution of {name}", head, f"<ol>{items}</ol>"), f"{wrapped(title)}\n\n{text}")


def _both(name: str, namespace: Mapping[str, Any]) -> Bundle:
    ours = own_source(name)
    yours = own_text(name, namespace, has_passed(name))
    is_number = name in CATALOGUE and CATALOGUE[name].kind == "value"
    if is_number:
        title, said = f"`{name}`: yours has passed. This is where the number comes from.", []
    elif yours:
        title, said = f"`{name}`: yours, and the course's own. Both are right.", differences(yours, ours)
    else:
        title, said = f"`{name}`: the course's own.", [NOT_HERE]
    shown = [("The course's own", ours)] if is_number or not yours else [("Yours", yours), ("The course's own", ours)]
    columns = "".join(
        f'<div role="group" aria-label="{head}"><p><b>{head}</b></p><pre tabindex="0">{html.escape(text)}</pre></div>'
        for head, text in shown
    )
    items = "".join(f"<li>{rich(one)}</li>" for one in said)
    parts = [
        f'<p class="ca-idea">{rich(title)}</p>',
        f'{_STYLE}<div class="ca-beside">{columns}</div>',
        f"<p>What differs:</p><ul>{items}</ul>" if yours and said else paragraphs("\n\n".join(said)),
    ]
    told = [wrapped(title), *(f"{head}:\n\n{text}" for head, text in shown)]
    told += ["What differs:"] if yours and said else []
    return Bundle(frame("hint", f"Solution of {name}", *parts), "\n\n".join([*told, *map(wrapped, said)]))

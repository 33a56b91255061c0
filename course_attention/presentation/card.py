"""The card of a verdict: what came of an answer, why, and the smallest case that shows it."""

import html
import re
from collections.abc import Sequence

from course_attention.judging.verdict import Verdict
from course_attention.presentation.display import WIDTH, Bundle, announced, folded, frame, paragraphs, rich, wrapped
from course_attention.presentation.example import EXAMPLE_STYLE, example_html, example_text
from course_attention.presentation.wording import (
    MISCONCEPTION,
    PRACTICE,
    PRINTED,
    STATUSES,
    points_of,
    properties_by_result,
)

PRINTED_LINES = 6  # in plain text


def verdict_card(
    verdict: Verdict, prompt: str = "", *, first: str = "", last: str = "", printed: Sequence[str] = (), page: str = ""
) -> Bundle:
    """Return the card of a verdict, as HTML and as plain text.

    Args:
        verdict: what the judge says.
        prompt: the exercise's question in a line, shown while there is no answer.
        first: what to do before anything that the verdict says, in a line.
        last: what is to be said after it.
        printed: what the answer printed, call by call.
        page: the address of a page on the misconception, to which its name leads.
    """
    name, (mark, words) = verdict.exercise, STATUSES[verdict.status]
    status = f"{mark} {words}"
    score = points_of(verdict.earned, verdict.points) if verdict.points else PRACTICE
    explanation = "" if first else prompt
    if verdict.status != "not_attempted":
        explanation = _explanation(verdict)
    example = verdict.example if verdict.status in ("failed", "errored") else None
    properties = [f"{label}: {names}" for label, names in properties_by_result(verdict.properties)]
    misconception = verdict.misconception or ""

    what_came = f'<p><span class="ca-badge">{status}</span>&ensp;<code class="ca-key">{name}</code>&ensp;{score}</p>'
    in_html = [
        # "Run All" would have every card of an untouched notebook read out.
        what_came if verdict.status == "not_attempted" else announced(what_came),
        f'<p class="ca-idea">{rich(first)}</p>' if first else "",
        f'<p class="ca-idea">{rich(verdict.idea)}</p>' if verdict.idea else "",
        f"<p>{MISCONCEPTION}: {_linked(misconception, page)}</p>" if misconception else "",
        paragraphs(explanation),
        "" if example is None else f"<style>{EXAMPLE_STYLE}</style>",
        "" if example is None else _heading(f"Smallest case: {example.title}"),
        "" if example is None else example_html(example),
        paragraphs("\n".join(properties)),
        folded(PRINTED, "\n".join(printed)),
        paragraphs(f"{_next(verdict, first)}\n\n{last}"),
    ]
    in_text = [
        f"{status}   {name}   {score}",
        wrapped(first),
        wrapped(verdict.idea + (f" [{misconception}]" if misconception else "")),
        wrapped(explanation),
        "" if example is None else example_text(example),
        wrapped("\n".join(properties)),
        _in_short(printed),
        wrapped(_next(verdict, first)),
        wrapped(last),
    ]
    label = f"{name}: {words}, {score}"
    return Bundle(
        without_addresses(frame(verdict.status, label, *in_html)),
        without_addresses("\n\n".join(part for part in in_text if part)),
    )


def without_addresses(text: str) -> str:
    """Text without memory addresses, which differ from run to run.

    Example:
        >>> without_addresses("<function f at 0x7f3a5c0d>")
        '<function f at 0x…>'
    """
    return re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", text)


def _in_short(printed: Sequence[str]) -> str:
    """Return the first lines that were printed: plain text cannot be folded."""
    lines = [line for line in "\n".join(printed).splitlines() if line.strip()]
    shown = [line[: WIDTH - 2] for line in lines[:PRINTED_LINES]] + ["…"] * (len(lines) > PRINTED_LINES)
    return "\n".join([wrapped(PRINTED), *(f"  {line}" for line in shown)]) if lines else ""


def _explanation(verdict: Verdict) -> str:
    """Return the explanation; the whole message where a failed verdict has no parts to show."""
    if verdict.status == "passed":
        return ""
    return verdict.explanation or ("" if verdict.idea or verdict.example else verdict.message)


def _next(verdict: Verdict, first: str) -> str:
    """Return what the student may do now, when the first step is done."""
    name = verdict.exercise
    if verdict.status == "passed":
        return f'The cells below use your own `{name}`. `solution("{name}")` shows the course\'s own beside it.'
    if verdict.status == "not_attempted" and not first:
        todo = "Write your answer into the cell above, run it, then run this cell again."
    else:
        todo = "Change your answer above, run its cell, then run this one again."
    return f'{todo} For help: `hint("{name}")`.\nUntil then the cells below use the course\'s own `{name}`.'


def _linked(misconception: str, page: str) -> str:
    name = f"<code>{html.escape(misconception)}</code>"
    return f'<a href="{html.escape(page)}" target="_blank" rel="noopener">{name}</a>' if page else name


def _heading(title: str) -> str:
    return f'<div class="ca-head" role="heading" aria-level="4">{html.escape(title)}</div>'

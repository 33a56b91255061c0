"""Looks back over a student's work: what their own module holds, and which misconceptions they have met."""

import html
from itertools import groupby

from course_attention.course.student_module import FILE
from course_attention.exercises import CATALOGUE
from course_attention.judging.exercise import Misconception
from course_attention.lesson.library import passed_sources
from course_attention.lesson.progress import kept_records
from course_attention.practice import PRACTICE
from course_attention.presentation.display import Bundle, frame, paragraphs, show, wrapped

NOTHING_YET = f"There is no {FILE} yet. Each answer that passes `check` in a workspace is kept in it."
NONE_MET = "The judge has named no misconception so far."


def look_back() -> None:
    """Show which of your functions `my_attention.py` holds, by notebook, and which misconceptions you have met.

    A misconception that you met is one that a card has named. It is marked ✓ where the exercise has passed since.
    """
    show(_bundle())


def _bundle() -> Bundle:
    sources = {name: source for name, source in passed_sources().items() if name in CATALOGUE}
    lines = sum(len(source.splitlines()) for source in sources.values())
    total = f"{FILE}: {len(sources)} of {len(CATALOGUE)} exercises, {lines} lines" if sources else NOTHING_YET
    rows = [
        (notebook, ", ".join(names))
        for notebook, group in groupby(CATALOGUE.values(), key=lambda entry: entry.notebook)
        if (names := [entry.name for entry in group if entry.name in sources])
    ]
    met = _met()
    said = f"Misconceptions that you have met: {len(met)}" if met else NONE_MET
    table = "".join(f'<tr><th scope="row">{notebook}</th><td>{names}</td></tr>' for notebook, names in rows)
    items = "".join(f"<li>{html.escape(line)}</li>" for line in met)
    body = [
        f'<p class="ca-idea">{html.escape(total)}</p>',
        f'<table class="ca-list"><tbody>{table}</tbody></table>' if rows else "",
        paragraphs(said),
        f"<ul>{items}</ul>" if met else "",
    ]
    text = [total, *(f"  {notebook}: {names}" for notebook, names in rows), said, *(f"  {line}" for line in met)]
    return Bundle(frame("progress", "Looking back", *body), "\n".join(map(wrapped, text)))


def _met() -> list[str]:
    """Return a line for each misconception that a check has named, in the course's order."""
    records = kept_records()
    return [
        f"{'✓' if records[name].passed else '~'} {ideas[id].title} ({name})"
        for name in (*CATALOGUE, *PRACTICE)
        if name in records
        for id in records[name].met
        if id in (ideas := _ideas(name))
    ]


def _ideas(name: str) -> dict[str, Misconception]:
    return dict(CATALOGUE[name].exercise.ideas if name in CATALOGUE else PRACTICE[name].misconceptions)

"""A page for each misconception of the exercises, and one for each task of practice."""

import re

from course_attention.encyclopedia.copied_test import copied_test
from course_attention.encyclopedia.entries import entries, words_of
from course_attention.encyclopedia.entry_verdict import verdict_on
from course_attention.encyclopedia.in_training import told
from course_attention.encyclopedia.mistaken_code import mistaken_code
from course_attention.encyclopedia.museum import Piece, pieces_with
from course_attention.encyclopedia.symptoms import symptoms
from course_attention.exercises import CATALOGUE
from course_attention.practice import PRACTICE
from course_attention.topics import TOPICS
from course_site.cards import card


def page(id: str) -> str:
    """Return the page of a misconception, in Markdown."""
    code = mistaken_code(id)
    title, explanation = words_of(id, code.exercise)
    names = entries()[id].exercises
    return _joined(
        "---\norphan: true\n---",
        f"# {title}",
        f"`{id}` · [all misconceptions](index.md)",
        explanation,
        "## Code that has it",
        f"In `{code.exercise}` of {_lesson(code.exercise)}. {_mended(code.shows_the_right_lines)}",
        f"```diff\n{code.as_diff()}\n```",
        "## What the judge says of it",
        card(verdict_on(id)),
        "## What one sees",
        "\n".join(
            f"- [{_first_upper(symptom)}](by-symptom.md#{anchor_of_symptom(symptom)})" for symptom in symptoms(id)
        ),
        *_section("## In training", told(id)),
        *_section("## A test that finds it", _test(id)),
        *_section(
            "## It happened", "\n".join(f"- [{one.title}](../museum.md#{anchor_of(one)})" for one in pieces_with(id))
        ),
        "## Where it is met",
        "\n".join(f"- `{name}`, in {_lesson(name)}" for name in names),
    )


def practice_page(task: str) -> str:
    """Return the page of a task of practice: what its misconceptions are, in words."""
    topic = next(topic for topic in TOPICS if task in topic.practice)
    ideas = PRACTICE[task].misconceptions
    return _joined(
        "---\norphan: true\n---",
        f"# Misconceptions in the practice `{task}`",
        f"{PRACTICE[task].prompt} It is practice, for no points, of the lesson "
        f"[{topic.notebook[:2]}](../notebooks/{topic.notebook}.ipynb).",
        *(f"({id})=\n## {idea.title}\n\n`{id}`\n\n{idea.explanation}" for id, idea in ideas.items()),
    )


def anchor_of_symptom(symptom: str) -> str:
    """Return the place of a symptom in the index by symptom."""
    return re.sub(r"[^a-z0-9]+", "-", symptom.lower()).strip("-")


def anchor_of(piece: Piece) -> str:
    """Return the place of a bug on the page of the museum."""
    return f"{piece.project.replace('/', '-')}-{piece.number}".lower().replace("_", "-")


def _lesson(exercise: str) -> str:
    notebook = CATALOGUE[exercise].notebook
    return f"[lesson {notebook[:2]}](../notebooks/{notebook}.ipynb)"


def _mended(is_shown: bool) -> str:
    if is_shown:
        return "The line with − has the mistake, the line with + mends it, and … stands for the rest of the answer."
    return "The lines with − have the mistake, and … stands for the rest of the answer. What is right is the exercise."


def _test(id: str) -> str:
    return (
        f"Put your own function in the place of `your_…`.\n\n```python\n{code}\n```"
        if (code := copied_test(id))
        else ""
    )


def _section(heading: str, text: str) -> list[str]:
    return [heading, text] if text else []


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"

"""An entry of the encyclopedia for a terminal."""

from difflib import get_close_matches

from course_attention.encyclopedia.copied_test import copied_test
from course_attention.encyclopedia.entries import entries, tasks_of_practice, words_of
from course_attention.encyclopedia.entry_verdict import verdict_on
from course_attention.encyclopedia.errors import NoSuchEntry
from course_attention.encyclopedia.in_training import told
from course_attention.encyclopedia.mistaken_code import mistaken_code
from course_attention.encyclopedia.museum import pieces_with
from course_attention.encyclopedia.symptoms import symptoms
from course_attention.exercises import CATALOGUE
from course_attention.presentation.display import wrapped
from course_attention.presentation.example import example_text

MOST_EXERCISES = 8


def page_text(id: str) -> str:
    """Return all that the course knows of a misconception, as lines of text.

    Args:
        id: its name, as a card shows it.

    Raises:
        NoSuchEntry: there is none of this name.
    """
    if id in tasks_of_practice():
        title, explanation = words_of(id)
        tasks = ", ".join(tasks_of_practice()[id])
        return "\n\n".join([f"{id}: {title}", wrapped(explanation), f"It occurs in the practice {tasks}."])
    if id not in entries():
        near = get_close_matches(id, [*entries(), *tasks_of_practice()], n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "a card shows the name of what it found"
        raise NoSuchEntry(f"no misconception is called {id!r}; {hint}")
    code, verdict, names = mistaken_code(id), verdict_on(id), entries()[id].exercises
    title, explanation = words_of(id, code.exercise)
    more = f" and {len(names) - MOST_EXERCISES} more" if len(names) > MOST_EXERCISES else ""
    parts = [
        f"{id}: {title}",
        wrapped(explanation),
        _indented(f"In `{code.exercise}` (notebook {CATALOGUE[code.exercise].notebook[:2]}):", code.as_diff()),
        "" if verdict.example is None else example_text(verdict.example),
        "What one sees:\n" + "\n".join(wrapped(f"- {symptom}") for symptom in symptoms(id)),
        wrapped(told(id)),
        _indented("A test that finds it:", copied_test(id)),
        wrapped(f"It occurs in {', '.join(names[:MOST_EXERCISES])}{more}."),
        *(wrapped(f"It happened: {piece.project} {piece.number}. {piece.title}.") for piece in pieces_with(id)),
    ]
    return "\n\n".join(part for part in parts if part.strip())


def _indented(title: str, code: str) -> str:
    return f"{title}\n\n" + "\n".join(f"    {line}".rstrip() for line in code.splitlines()) if code else ""

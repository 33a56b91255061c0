"""The answers of the corpus as functions, modules and numbers, to be judged in this process."""

from __future__ import annotations

import linecache
from functools import cache
from typing import Any

from course_attention.grading.simulation.corpus import answers, corpus_folder
from course_attention.grading.simulation.corpus_answer import Answer
from course_attention.grading.simulation.corpus_file import read_answers
from course_attention.topics import TOPICS


@cache
def value_of(answer: Answer) -> Any:
    """Return what an answer defines.

    Its text is known to `linecache` under the answer's name: a traceback shows the line at fault.

    Args:
        answer: of the corpus.
    """
    filename = f"<{answer.name}>"
    linecache.cache[filename] = (len(answer.cell), None, answer.cell.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"__name__": answer.name}
    exec(compile(answer.cell, filename, "exec", dont_inherit=True), names)
    return names[answer.exercise]


def of_kind(exercise: str, kind: str) -> list[Answer]:
    """Return the answers of one kind to an exercise.

    Args:
        exercise: its name.
        kind: one of the corpus's kinds.
    """
    return [answer for answer in answers(exercise) if answer.kind == kind]


@cache
def practised_answers(name: str) -> tuple[Answer, ...]:
    """Return the answers of the corpus to practice.

    Args:
        name: of the practice.
    """
    topic = next(topic.name for topic in TOPICS if name in topic.practice)
    return read_answers(corpus_folder() / topic / f"{name}.py")


def by_idea(exercise: str, kind: str) -> dict[str, list[Answer]]:
    """Misconception → the answers that hold it, number 1 first.

    Args:
        exercise: its name.
        kind: "wrong" or "natural".
    """
    found: dict[str, list[Answer]] = {}
    for answer in sorted(of_kind(exercise, kind), key=lambda answer: answer.label):
        found.setdefault(answer.idea, []).append(answer)
    return found

"""The answers of the corpus, by kind and by idea."""

from __future__ import annotations

from functools import cache

from course_attention.answer_corpus.corpus import answers, corpus_folder
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.answer_corpus.corpus_file import read_answers
from course_attention.topics import TOPICS


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

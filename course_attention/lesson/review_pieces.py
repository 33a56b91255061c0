"""Short pieces of code with a former mistake in them, or without it: answers of the corpus to exercises that passed.

An answer to an exercise that has not passed is not shown, right or wrong: it would give the exercise away.
"""

import random
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from course_attention.answer_corpus.corpus import answers, is_there
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.exercises import CATALOGUE

MOST_LINES, MOST_CHARACTERS = 14, 550  # half a minute
TITLES = 3  # misconceptions to choose from, beside "It is right"
WITH_MISTAKE = 0.65  # of the pieces have it
RIGHT = "It is right"


@dataclass(frozen=True)
class Piece:
    """A piece of code, and what it may be.

    Attributes:
        exercise: that it answers.
        code: the answer.
        choices: titles of misconceptions of that exercise, and last "It is right".
        right: the choice that is so.
        met: the title of the former mistake, which the code may have or not.
        explanation: why the former mistake is one.
    """

    exercise: str
    code: str
    choices: tuple[str, ...]
    right: str
    met: str
    explanation: str


def piece(id: str, passed: Collection[str], met_in: Collection[str], number: int) -> Piece | None:
    """Return a piece about a misconception; None where there is none that may be shown.

    Args:
        id: the misconception.
        passed: the exercises that have passed.
        met_in: those in which the student made the mistake. It comes in another exercise's clothes, where there are
            any.
        number: the same number gives the same piece.
    """
    rng = random.Random(f"{id} {number}")
    homes = [name for name in CATALOGUE if name in passed and _wrong(name, id)]
    if not homes:
        return None
    name = rng.choice([name for name in homes if name not in met_in] or homes)
    ideas = CATALOGUE[name].exercise.ideas
    own = ideas[id]
    has_it = rng.random() < WITH_MISTAKE or not _right(name)
    code = rng.choice(_wrong(name, id) if has_it else _right(name)).source
    others = [one.title for other, one in ideas.items() if other != id and one.variants and one.title != own.title]
    titles = [own.title, *rng.sample(others, min(TITLES - 1, len(others)))]
    rng.shuffle(titles)
    return Piece(name, code, (*titles, RIGHT), own.title if has_it else RIGHT, own.title, own.explanation)


def _wrong(name: str, id: str) -> list[Answer]:
    return [one for one in _short(name) if one.kind == "wrong" and one.idea == id]


def _right(name: str) -> list[Answer]:
    return [one for one in _short(name) if one.kind == "right"]


@cache
def _short(name: str) -> tuple[Answer, ...]:
    """Return the short answers to an exercise that is answered by code; none to an author's."""
    if CATALOGUE[name].kind not in ("function", "module") or not is_there(name):
        return ()
    known = CATALOGUE[name].exercise.ideas
    found = (
        one
        for one in answers(name)
        if len(one.source.splitlines()) <= MOST_LINES and len("".join(one.source.split())) <= MOST_CHARACTERS
    )
    return tuple(one for one in found if one.kind == "right" or one.idea in known)

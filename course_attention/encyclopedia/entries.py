"""Which misconceptions there are: those of the exercises, with a page each, and those of practice, with a line each."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from course_attention.exercises import CATALOGUE
from course_attention.practice import PRACTICE


@dataclass(frozen=True)
class Entry:
    """A misconception, and where it is met.

    Attributes:
        id: its name.
        exercises: in which an answer can be named by it, in the order taught.
    """

    id: str
    exercises: tuple[str, ...]


@cache
def entries() -> Mapping[str, Entry]:
    """Return the misconceptions of the exercises by id, in the order in which a student may meet them."""
    exercises: dict[str, list[str]] = {}
    for name, one in CATALOGUE.items():
        for id in one.misconceptions:
            exercises.setdefault(id, []).append(name)
    return {id: Entry(id, tuple(names)) for id, names in exercises.items()}


@cache
def tasks_of_practice() -> Mapping[str, tuple[str, ...]]:
    """Return the misconceptions that only practice has: id → the tasks, in the order taught."""
    tasks: dict[str, list[str]] = {}
    for name, task in PRACTICE.items():
        for id in task.misconceptions:
            if id not in entries():
                tasks.setdefault(id, []).append(name)
    return {id: tuple(names) for id, names in tasks.items()}


def words_of(id: str, exercise: str = "") -> tuple[str, str]:
    """Return the title and the explanation of a misconception.

    Args:
        id: its name.
        exercise: whose words are asked for; the first one that has it unless given.

    Raises:
        KeyError: there is no misconception of this name.

    Example:
        >>> words_of("mask-inverted")[0]
        'The mask is read the other way round'
    """
    if id in entries():
        said = CATALOGUE[exercise or entries()[id].exercises[0]].exercise.ideas[id]
    else:
        said = PRACTICE[tasks_of_practice()[id][0]].misconceptions[id]
    return said.title, said.explanation

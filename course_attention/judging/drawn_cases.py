"""Draws the cases of an exercise, once for each seed, and prepares them as its kind is judged."""

from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from course_attention.judging.completion import completed
from course_attention.judging.design import DesignExercise
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.prepared_case import PreparedCase
from course_attention.judging.prepared_design_case import PreparedDesignCase


@dataclass(frozen=True)
class _Key:
    """Exercises hold mappings, so they are told apart by identity."""

    exercise: FunctionExercise

    def __hash__(self) -> int:
        return id(self.exercise)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.exercise is self.exercise


# A grader uses one seed for all exercises; the tests go through a hundred for one exercise at a time.
@lru_cache(maxsize=128)
def _prepared(key: _Key, seed: int) -> tuple[PreparedCase, ...]:
    prepare = PreparedDesignCase if isinstance(key.exercise, DesignExercise) else PreparedCase
    # Mixed with the name: two exercises at one seed would draw the same numbers otherwise.
    own = Draw(seed, crc32(key.exercise.name.encode()))
    cases = key.exercise.asked.cases(completed(key.exercise, key.exercise.cases(own)))
    return tuple(prepare(key.exercise, case, seed) for case in cases)


def drawn_cases(exercise: FunctionExercise, seed: int) -> tuple[PreparedCase, ...]:
    """Return the cases of an exercise for a seed, with what is right for them."""
    return _prepared(_Key(exercise), seed)

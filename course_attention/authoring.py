"""The names that the author of a course of one's own imports into a file of exercises.

>>> from course_attention.authoring import Draw
>>> Draw(0).halves(2).values.shape
(2,)
"""

from course_attention.execution.protocol import Array
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import (
    FunctionExercise,
    Misconception,
    ModuleExercise,
    Returns,
    ValueExercise,
)

__all__ = [
    "Array",
    "Case",
    "Draw",
    "FunctionExercise",
    "Misconception",
    "ModuleExercise",
    "Returns",
    "ValueExercise",
]

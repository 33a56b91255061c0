"""What the author of a course of one's own works with: the names that a file of exercises imports, and two commands.

- The names below, all from `judging` and `execution.protocol`.
- `new_course`: writes the beginning of a course. `verify`: says what is not yet right about one.
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

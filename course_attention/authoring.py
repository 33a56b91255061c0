"""The names that a file of exercises imports, in this course and in a course of one's own.

>>> from course_attention.authoring import Draw
>>> Draw(0).halves(2).values.shape
(2,)
"""

from course_attention.execution.protocol import Array, Step, TorchAttention
from course_attention.judging import properties
from course_attention.judging.candidate import Candidate, Witness
from course_attention.judging.case import Case
from course_attention.judging.design import DesignCase, DesignExercise, Undivided
from course_attention.judging.drawing import EPSILON, Draw, rounded
from course_attention.judging.exercise import (
    Coarse,
    FunctionExercise,
    FunctionTestExercise,
    Misconception,
    ModuleExercise,
    Returns,
    ValueExercise,
)
from course_attention.judging.properties import Property

__all__ = [
    "EPSILON",
    "Array",
    "Candidate",
    "Case",
    "Coarse",
    "DesignCase",
    "DesignExercise",
    "Draw",
    "FunctionExercise",
    "FunctionTestExercise",
    "Misconception",
    "ModuleExercise",
    "Property",
    "Returns",
    "Step",
    "TorchAttention",
    "Undivided",
    "ValueExercise",
    "Witness",
    "properties",
    "rounded",
]

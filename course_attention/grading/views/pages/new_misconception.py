"""The lines with which a new misconception begins: an instructor pastes them into files and fills them in."""

import inspect
import re
from collections.abc import Callable
from typing import Any

from course_attention.exercises import CATALOGUE
from course_attention.judging.exercise import FunctionExercise

_IDEA = """\
# among its misconceptions:
"new-name": Misconception(
    "What the idea is, in a line",
    "Why it is wrong, without the code that is right.",
    (VARIANT,),
),"""


def new_misconception(name: str, code: str) -> str:
    """Return the lines that start a misconception.

    Args:
        name: the exercise that the answers are to.
        code: one of the answers, without what tells whose it is.

    Returns:
        The lines for the exercise's file, and those for the answers that the tests know; "" where the course has no
        such exercise.

    Example:
        >>> print(new_misconception("mean_attention", "").splitlines()[1])
        def _new_name(query, key, value):
    """
    if name not in CATALOGUE:
        return ""
    exercise = CATALOGUE[name].exercise
    lines = [_IDEA.replace("VARIANT", "THE_NUMBER_THAT_THESE_ANSWERS_GAVE")]
    if isinstance(exercise, FunctionExercise):
        lines = [
            f"def _new_name({_parameters(exercise.oracle)}):",
            "    ...  # in NumPy, what these answers compute:",
            *(f"    # {line}" for line in code.splitlines()),
            "",
            _IDEA.replace("VARIANT", "_new_name"),
        ]
    answer = re.sub(rf"\b{re.escape(name)}\b", "wrong__new_name__1", code)
    known = f"# Into {name}.py of the tests' answers, which then know it:"
    return "\n".join([f"# Into the exercise's file, {name}.py:", *lines, "", known, answer])


def _parameters(compute: Callable[..., Any]) -> str:
    signature = inspect.signature(compute)
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))[1:-1]

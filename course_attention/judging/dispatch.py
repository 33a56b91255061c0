"""Judges an answer to an exercise of any kind."""

from typing import Any

from course_attention.execution.protocol import Device
from course_attention.judging import called_answer, predicted_number, written_test
from course_attention.judging.exercise import Exercise, FunctionExercise, FunctionTestExercise, ValueExercise
from course_attention.judging.verdict import Verdict


def judge(exercise: Exercise, answer: Any, seed: int = 0, device: Device = "cpu") -> Verdict:
    """Judge an answer. Whatever the answer does, nothing is raised for it.

    Args:
        exercise: what was asked.
        answer: a function, a module class, a number, or an `execution.protocol.Runner` for an answer that lives in
            another process.
        seed: draws the cases.
        device: "cpu", where a simulated GPU is tried as well, or "cuda".

    Raises:
        ValueError: the device is neither "cpu" nor "cuda", or it is "cuda" and there is no CUDA device here.
        TypeError: the exercise is of no kind that can be judged.
    """
    if device not in ("cpu", "cuda"):
        raise ValueError(f"device must be 'cpu' or 'cuda'; got {device!r}")
    if isinstance(exercise, ValueExercise):
        return predicted_number.judge(exercise, answer)
    if isinstance(exercise, FunctionExercise):
        return called_answer.judge(exercise, answer, seed, device)
    if isinstance(exercise, FunctionTestExercise):
        return written_test.judge(exercise, answer, seed, device)
    raise TypeError(
        "an exercise is a FunctionExercise, ModuleExercise, ValueExercise or FunctionTestExercise; got "
        f"{type(exercise).__name__}"
    )

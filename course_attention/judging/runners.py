"""Who calls an answer: a runner in this process, or the one that the answer is itself, in another."""

from typing import Any

from course_attention.execution.protocol import Device, Runner
from course_attention.judging.exercise import Exercise


def called_runner(exercise: Exercise, answer: Any, device: Device) -> Runner | None:
    """Return what calls an answer, or None where nothing can.

    Raises:
        ValueError: the device is "cuda", the answer lives in this process, and there is no CUDA device here.
    """
    if hasattr(type(answer), "observe"):
        runner: Runner = answer  # an answer that lives elsewhere finds its own device
        return runner
    if not callable(answer):
        return None
    from course_attention.execution.local import LocalRunner

    if device == "cuda":
        _need_cuda()
    return LocalRunner(answer, exercise.library, exercise.given)


def _need_cuda() -> None:
    from course_attention.execution.tensors import has_cuda

    if not has_cuda():
        raise ValueError("device is 'cuda', and there is no CUDA device here")

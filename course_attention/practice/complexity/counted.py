"""The work of an answer, counted on the device "meta", where tensors have a shape and no numbers."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.practice.leaves import differences


def with_count(
    answer: Callable[..., Any], right: Callable[..., Any], inputs: tuple[Tensor, ...], expected: int
) -> tuple[Any, str]:
    """Return what an answer gives, and where it is right, whether its work is as expected.

    Args:
        answer: takes the inputs.
        right: takes them as well, and gives what is right.
        inputs: tensors.
        expected: the number of multiply–adds.
    """
    found = answer(*inputs)
    if differences(right(*inputs), found):
        return found, "counted where the result is right"
    empty = [torch.empty(one.shape, dtype=one.dtype, device="meta") for one in inputs]
    try:
        counted = multiply_adds(lambda: answer(*empty))
    except RuntimeError:
        return found, "not counted: the function does not run on the device “meta”"
    return found, "as many as expected" if counted == expected else f"{counted}, where {expected} are expected"

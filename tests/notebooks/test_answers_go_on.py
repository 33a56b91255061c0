"""What a notebook does with an answer that passed works: whatever form of result the judge lets pass, the cell takes.

The cell alone is run, with as much of the notebook before it as it needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import course_attention
from course_attention.exercises import CATALOGUE
from tests.notebooks.running import NOTEBOOKS, read


def _empty(*shape: int) -> torch.Tensor:
    return torch.empty(*shape)


def _count(work: Callable[[], object]) -> int:
    work()
    return 0


BEFORE: dict[str, Any] = {
    "math": math,
    "np": np,
    "torch": torch,
    "F": F,
    "on_gpu": False,
    "empty": _empty,
    "count": _count,
    "most": 272_629_760,  # bytes that attention takes, which notebook 07 measures before it uses score_bytes again
    "of_kernel": 4_259_840,  # and the fused kernel
    # and what training keeps of a block, with attention and with the fused kernel: tokens → bytes
    "kept_by": {512: (18_874_368, 10_485_760), 2048: (176_160_768, 41_943_040)},
}

OF_TENSORS: dict[str, Callable[[torch.Tensor], object]] = {
    "float64": torch.Tensor.double,
    "parameter": torch.nn.Parameter,
    "not contiguous": lambda w: w.mT.contiguous().mT,
}
OF_NUMBERS: dict[str, Callable[[Any], object]] = {
    "float": float,
    "NumPy's float64": np.float64,
    "NumPy's array": np.array,
    "tensor": torch.tensor,
}

# Exercise, a piece of the cell that goes on with its answer, and the forms of the result.
GOES_ON: list[tuple[str, str, dict[str, Callable]]] = [
    ("relation_weights", "relation_weights(3,", OF_TENSORS),
    ("previous_token_weights", "previous_token_weights(64)", OF_TENSORS),
    ("crossover_length", "round(float(crossover_length", OF_NUMBERS),
    ("attention_multiply_adds", "prefill, 2,048 tokens", OF_NUMBERS),
    ("attention_intensity", "prefill, 2,048 tokens", OF_NUMBERS),
    ("score_bytes", "math.isqrt", OF_NUMBERS),
    ("fit_exponent", "fitted[first] = fit_exponent", OF_NUMBERS),
]


def _cell(exercise: str, piece: str) -> str:
    path = next(path for path in NOTEBOOKS if path.stem == CATALOGUE[exercise].notebook)
    found = [c["source"] for c in read(path)["cells"] if c["cell_type"] == "code" and piece in c["source"]]
    return next(source for source in found if f"{exercise}(" in source)


@pytest.mark.parametrize(
    ("exercise", "piece", "form"),
    [
        pytest.param(name, piece, form, id=f"{name}-{said}")
        for name, piece, forms in GOES_ON
        for said, form in forms.items()
    ],
)
def test_what_passed_is_gone_on_with(exercise: str, piece: str, form: Callable) -> None:
    """The judge lets the form pass, and the next cell of the notebook takes it."""
    helper = getattr(course_attention, exercise)

    def answer(*args: object, **kwargs: object) -> object:
        result = helper(*args, **kwargs)
        return tuple(map(form, result)) if isinstance(result, tuple) else form(result)

    assert CATALOGUE[exercise].judge(answer).status == "passed"
    namespace = {name: getattr(course_attention, name) for name in CATALOGUE if hasattr(course_attention, name)}
    exec(_cell(exercise, piece), {**namespace, **BEFORE, exercise: answer})

"""Tests of execution/operator_mode.py."""

from __future__ import annotations

import pytest

from course_attention.execution.largest_tensor import LargestTensor
from course_attention.execution.operator_mode import OperatorMode
from course_attention.execution.simulated_cuda.dispatched import Dispatched


@pytest.mark.parametrize("mode", [LargestTensor, Dispatched])
def test_no_compiler_is_loaded(mode: type[OperatorMode]) -> None:
    """Torch has not wrapped what a mode does with an operator: what it wraps loads its compiler when it is called."""
    assert issubclass(mode, OperatorMode)
    assert not hasattr(mode.__torch_dispatch__, "__wrapped__")

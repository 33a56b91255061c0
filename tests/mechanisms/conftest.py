"""What the tests of the mechanisms share: the dtypes that every helper works in."""

from __future__ import annotations

import pytest
import torch


@pytest.fixture(params=[torch.float64, torch.float32, torch.float16, torch.bfloat16], ids=str)
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    """Each of the dtypes in turn."""
    return request.param

"""One thread inside, as many as before outside, even after an error."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.common.threads import one_thread


def test_restores():
    """The number of threads is one inside and what it was outside."""
    before = torch.get_num_threads()

    @one_thread()
    def fail():
        raise KeyError(torch.get_num_threads())

    try:
        torch.set_num_threads(2)
        with pytest.raises(KeyError, match="1"):
            fail()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)

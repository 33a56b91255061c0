"""Random tensors repeat with their seed."""

from __future__ import annotations

import torch

from course_attention.experiments.common.random_tensors import standard_normal


def test_seed(device: str) -> None:
    """The same seed draws the same numbers on every device, another seed others."""
    drawn = standard_normal(3, 2, device=device)
    assert drawn.device.type == device and torch.equal(drawn.cpu(), standard_normal(3, 2))
    assert not torch.equal(drawn.cpu(), standard_normal(3, 2, seed=1))

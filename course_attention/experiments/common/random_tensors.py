"""Random tensors that are the same on every device."""

import torch
from torch import Tensor


def standard_normal(*shape: int, seed: int = 0, device: torch.device | str = "cpu") -> Tensor:
    """Independent numbers of mean 0 and variance 1 in float64.

    They are drawn on the CPU, so that a seed gives the same numbers on every device.

    Example:
        >>> first, again = standard_normal(2, 3), standard_normal(2, 3)
        >>> first.shape, torch.equal(first, again)
        (torch.Size([2, 3]), True)
    """
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(device)

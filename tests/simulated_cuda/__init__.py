"""A GPU for tests: its tensors hold real numbers in the CPU's memory, and refuse what CUDA refuses.

`install()` makes it the GPU of this process. What runs on it gives the CPU's numbers, so that a notebook's outputs can
be compared, and raises CUDA's errors where a tensor was left on the wrong device.

- `tensors`: the class of these tensors, and the mode that sees every operation on them.
- `rules`: which operations mix devices, and with which error.
- `stand_ins`: what stands for `torch.cuda` and `torch.Generator`.
"""

from __future__ import annotations

from tests.simulated_cuda.stand_ins import install

__all__ = ["install"]

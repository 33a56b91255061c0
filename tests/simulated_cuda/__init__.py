"""A GPU for tests: its tensors hold real numbers in the CPU's memory, and refuse what CUDA refuses.

`install()` makes it the GPU of this process. What runs on it gives the CPU's numbers, so that a notebook's outputs can
be compared, and raises CUDA's errors where a tensor was left on the wrong device.

It is the simulated GPU of the judge, `course_attention.execution.simulated_cuda`, for a whole process.

- `lasting`: what it has beside that: random numbers and a memory.
- `random_numbers`: the GPU's random numbers, which are not the CPU's.
- `stand_ins`: what stands for `torch.cuda` and `torch.Generator`.

`python -m tests.simulated_cuda PROGRAM` runs a program on it, and what that program starts.
"""

from __future__ import annotations


def install() -> None:
    """Make a simulated GPU the GPU of this thread, until the process ends."""
    from tests.simulated_cuda import stand_ins  # loads torch

    stand_ins.install()

"""A simulated GPU for a whole program. The judge's own lasts for one call of an answer.

How it works stands in `course_attention.execution.simulated_cuda`. `install()` makes it the GPU of the thread that
calls it, until the process ends. What runs on it gets the numbers that the CPU would give, so that a notebook's outputs
can be compared. Where a tensor was left on the wrong device, it ends in CUDA's error.

A whole program asks for more than an answer does:

- `lasting`: the simulation, with the GPU's memory counted and its random numbers drawn.
- `random_numbers`: these numbers, which are not the CPU's.
- `stand_ins`: what stands for `torch.cuda` and `torch.Generator`.

`python -m tests.simulated_cuda PROGRAM` runs a program on it, and every Python program which that one starts.
"""

from __future__ import annotations


def install() -> None:
    """Make a simulated GPU the GPU of this thread, until the process ends."""
    from tests.simulated_cuda import stand_ins  # loads torch

    stand_ins.install()

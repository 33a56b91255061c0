"""A GPU's random numbers: a stream of its own, and other numbers than the CPU draws from the same seed.

A notebook whose saved numbers depend on what a GPU draws fails here, as it would on a real one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

from course_attention.execution.simulated_cuda.memory import CPU, CUDA

SHIFT = 0x5EED  # between the seed that a GPU is given and the one with which the CPU draws for it
# What draws numbers where its tensors are.
RANDOM = {
    *("rand", "randn", "randint", "randperm", "normal", "rand_like", "randn_like", "randint_like"),
    *("multinomial", "bernoulli", "poisson", "dropout", "dropout1d", "dropout2d", "alpha_dropout"),
    *("normal_", "uniform_", "bernoulli_", "random_", "exponential_", "dropout_", "trunc_normal_"),
    *("kaiming_uniform_", "scaled_dot_product_attention", "multi_head_attention_forward", "gumbel_softmax"),
}


class Generator(torch.Generator):
    """A generator that belongs to a device; the CPU draws for either."""

    def __new__(cls, device: Any = "cpu") -> Generator:
        made = super().__new__(cls)
        made._belongs_to = CUDA if torch.device(device).type == "cuda" else CPU
        return made

    @property
    def device(self) -> torch.device:
        return self._belongs_to

    def manual_seed(self, seed: int) -> Generator:
        super().manual_seed(seed ^ SHIFT if self.device is CUDA else seed)
        return self


_default = Generator("cuda")  # what draws on the GPU where no generator is given


@contextlib.contextmanager
def drawn_on_the_gpu() -> Iterator[None]:
    """Within it, the default generator goes on with the GPU's stream; afterwards with its own."""
    cpu = torch.get_rng_state()
    torch.set_rng_state(_default.get_state())
    try:
        yield
    finally:
        _default.set_state(torch.get_rng_state())
        torch.set_rng_state(cpu)


def seed(number: int) -> None:
    """Stands for `torch.cuda.manual_seed_all`, which `torch.manual_seed` calls."""
    _default.manual_seed(number)


def state(device: Any = "cuda") -> torch.Tensor:
    """Stands for `torch.cuda.get_rng_state`, which `torch.random.fork_rng` calls."""
    return _default.get_state()


def set_state(new: torch.Tensor, device: Any = "cuda") -> None:
    """Stands for `torch.cuda.set_rng_state`."""
    _default.set_state(new)

"""Times a recurrent network against computations whose tokens need not wait for one another, by sequence length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.common.timing import seconds


@dataclass(frozen=True)
class PassTimes:
    """Seconds for one pass over each length, the least of several tries; every array is (n_lengths,).

    Attributes:
        lengths: in tokens.
        recurrent: a GRU.
        product: as many multiplications in one matrix product, in which no token waits for another.
        attention: of every token over all.
    """

    lengths: np.ndarray
    recurrent: np.ndarray
    product: np.ndarray
    attention: np.ndarray


@one_thread()
def time_against_length(
    lengths: Sequence[int] = (16, 32, 64, 128, 256, 512, 1024),
    d_hidden: int = 64,
    device: torch.device | str = "cpu",
    n_tries: int = 10,
) -> PassTimes:
    """Time the three on one sequence of random vectors, on one thread of the CPU or on a GPU."""
    device = torch.device(device)
    generator = torch.Generator().manual_seed(0)
    with torch.random.fork_rng(devices=[]):
        gru = nn.GRU(d_hidden, d_hidden, batch_first=True).to(device)
    weight = torch.randn(d_hidden, 6 * d_hidden, generator=generator).to(device)  # a GRU's, in one matrix
    least = []
    for n_tokens in lengths:
        x = torch.randn(1, n_tokens, d_hidden, generator=generator).to(device)
        ways = (lambda x=x: gru(x), lambda x=x: x @ weight, lambda x=x: (x @ x.mT).softmax(dim=-1) @ x)
        least.append([seconds(way, device, n_tries)[0] for way in ways])
    return PassTimes(np.array(lengths), *np.array(least).T)

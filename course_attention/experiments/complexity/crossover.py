"""Times the stages of self-attention: from which length on do the pairs cost more than the projections?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.common.timing import seconds
from course_attention.experiments.complexity.layers import Device, filled

LENGTHS = tuple(round(64 * 2 ** (power / 2)) for power in range(13))  # 64, 91, 128 … 4096


@dataclass(frozen=True)
class Stages:
    """The seconds of each stage, the least and the median of several tries, (2, n_lengths).

    Attributes:
        lengths: (n_lengths,).
        projections: the three products that make queries, keys and values.
        products: the two products over all pairs.
        softmax: scale and softmax, which have no multiply–adds.
    """

    lengths: np.ndarray
    projections: np.ndarray
    products: np.ndarray
    softmax: np.ndarray


@one_thread()
def time_stages(
    d_model: int = 512,
    d_key: int = 64,
    d_value: int = 64,
    lengths: Sequence[int] = LENGTHS,
    device: Device = "cpu",
    n_tries: int = 10,
) -> Stages:
    """Time the three stages of self-attention with one head, on one thread of the CPU or on a GPU."""
    found = [
        [seconds(stage, device, n_tries, enough=0.2) for stage in _stages(n, d_model, d_key, d_value, device)]
        for n in lengths
    ]
    return Stages(np.array(lengths), *np.moveaxis(np.array(found), (0, 1, 2), (2, 0, 1)))


def _stages(
    n_tokens: int, d_model: int, d_key: int, d_value: int, device: Device
) -> tuple[Callable[[], object], ...]:
    x = filled(n_tokens, d_model, device=device)
    weights = [filled(d_model, d, device=device) for d in (d_key, d_key, d_value)]
    query, key, value = (x @ weight for weight in weights)
    scores = query @ key.mT
    return (
        lambda: [x @ weight for weight in weights],
        lambda: (query @ key.mT, scores @ value),
        lambda: (scores / d_key**0.5).softmax(dim=-1),
    )


def measured_crossover(lengths: np.ndarray, slower: np.ndarray, faster: np.ndarray) -> float | None:
    """The length from which on the faster growing costs are above the slower growing ones; None where there is none.

    Between two measured lengths, both costs are interpolated by straight lines on logarithmic axes.

    Args:
        lengths: (n_lengths,), rising.
        slower, faster: the two costs, (n_lengths,).

    Example:
        >>> lengths = np.array([1.0, 4.0, 16.0])
        >>> round(measured_crossover(lengths, slower=8 * lengths, faster=lengths**2), 6)
        8.0
    """
    gap = np.log(faster) - np.log(slower)
    below = np.flatnonzero(gap < 0)
    if len(below) == 0 or below[-1] == len(gap) - 1:
        return None
    i = int(below[-1])  # the last length at which it is below, since noise may cross more than once
    x = np.log(lengths)
    return float(np.exp(x[i] - gap[i] * (x[i + 1] - x[i]) / (gap[i + 1] - gap[i])))

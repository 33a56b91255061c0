"""The kernel of a position encoding: its dot products by offset, compared with a Gaussian."""

import numpy as np
import torch
from torch import Tensor


def profile(similarity: Tensor) -> np.ndarray:
    """Mean similarity at each offset 0 … n − 1, divided by that at offset 0: `(n_positions,)`.

    Args:
        similarity: `(n_positions, n_positions)`, on any device.

    Example:
        >>> profile(torch.tensor([[2.0, 1.0], [1.0, 2.0]]))
        array([1. , 0.5])
    """
    similarity = similarity.double().cpu()
    means = [similarity.diagonal(offset).mean() for offset in range(len(similarity))]
    return (torch.stack(means) / means[0]).numpy()


def gaussian(rate: float, n_positions: int) -> np.ndarray:
    """exp(−rate · offset²) at the offsets 0 … n_positions − 1.

    Example:
        >>> gaussian(0.0, 2)
        array([1., 1.])
    """
    return np.exp(-rate * np.arange(n_positions) ** 2)


def nearest_gaussian(profile: np.ndarray) -> float:
    """Return the rate λ for which exp(−λ · offset²) is nearest to a profile: the largest distance is smallest.

    Example:
        >>> round(nearest_gaussian(gaussian(0.05, 40)), 3)
        0.05
    """
    rates = np.geomspace(1e-4, 10, 2000)
    errors = [np.abs(gaussian(rate, len(profile)) - profile).max() for rate in rates]
    return float(rates[int(np.argmin(errors))])


def fourier_encoding(n_positions: int, d_pos: int, rate: float) -> Tensor:
    """Return the Fourier series of exp(−rate · offset²), cut off after d_pos / 2 frequencies: `(n_positions, d_pos)`.

    The encoding of Vaswani et al. differs in two ways: its frequencies are not evenly spaced, and all its pairs are
    equally large. The period of this series is twice the number of positions, so that the two ends do not meet.

    Example:
        >>> encoding = fourier_encoding(8, 16, 0.1)
        >>> profile(encoding @ encoding.mT)[:3].round(3), gaussian(0.1, 3).round(3)
        (array([1.   , 0.905, 0.67 ]), array([1.   , 0.905, 0.67 ]))
    """
    frequency = torch.arange(d_pos // 2, dtype=torch.float64) * torch.pi / n_positions
    power = torch.exp(-(frequency**2) / (4 * rate))
    power[0] /= 2  # the constant term of a cosine series counts once, the others twice
    amplitude = (power / power.sum()).sqrt()
    angle = torch.arange(n_positions, dtype=torch.float64)[:, None] * frequency
    return torch.stack([amplitude * angle.sin(), amplitude * angle.cos()], dim=-1).flatten(-2)

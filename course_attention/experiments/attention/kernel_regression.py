"""Noisy measurements of a curve, for regression by attention: keys are places, values are measurements."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Sample:
    """Noisy measurements of a curve, and the curve itself on a fine grid; all arrays are one-dimensional."""

    x: np.ndarray
    y: np.ndarray
    grid: np.ndarray
    truth: np.ndarray


def curve(x: np.ndarray) -> np.ndarray:
    """Return the curve that is measured, a sum of two sine waves."""
    return np.sin(x) + 0.5 * np.sin(3 * x)


def noisy_sample(n_points: int = 60, noise: float = 0.3, seed: int = 0) -> Sample:
    """Measure the curve at `n_points` random places between 0 and 2π, with normal noise of the given spread.

    Example:
        >>> noisy_sample(5).x.shape
        (5,)
    """
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 2 * np.pi, n_points))
    grid = np.linspace(0, 2 * np.pi, 200)
    return Sample(x, curve(x) + noise * rng.standard_normal(n_points), grid, curve(grid))

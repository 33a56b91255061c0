"""Attention as Nadaraya–Watson kernel regression: queries and keys are places, values are measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_attention.mechanisms.attention import gaussian_scores


@dataclass(frozen=True)
class Sample:
    """Noisy measurements of a curve, and the curve itself on a fine grid; all arrays are one-dimensional."""

    x: np.ndarray
    y: np.ndarray
    grid: np.ndarray
    truth: np.ndarray


def curve(x: np.ndarray) -> np.ndarray:
    """The curve that is measured, a sum of two sine waves."""
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


def _column(numbers: np.ndarray, device: str | torch.device) -> Tensor:
    return torch.from_numpy(numbers).unsqueeze(-1).to(device)


def nadaraya_watson(
    grid: np.ndarray,
    sample: Sample,
    width: float,
    scores: Callable = gaussian_scores,
    device: str | torch.device = "cpu",
) -> tuple[np.ndarray, np.ndarray]:
    """Predict the curve at each point of `grid` as an average of the measurements, weighted by closeness.

    This is attention with Gaussian scores and the softmax.

    Args:
        grid: places to predict at, the queries, `(n_grid,)`.
        sample: the measurements: keys and values.
        width: of the Gaussian.
        scores: has the arguments and results of `gaussian_scores`.
        device: where to compute.

    Returns:
        Prediction, `(n_grid,)`, and weights, `(n_grid, n_points)`.

    Source:
        Nadaraya (1964), "On estimating regression"; Watson (1964), "Smooth regression analysis".

    Example:
        >>> two = Sample(np.array([0.0, 1.0]), np.array([2.0, 4.0]), np.zeros(0), np.zeros(0))
        >>> nadaraya_watson(np.array([0.5]), two, width=1.0)
        (array([3.]), array([[0.5, 0.5]]))
    """
    query, key, value = (_column(numbers, device) for numbers in (grid, sample.x, sample.y))
    weights = torch.softmax(scores(query, key, width), dim=-1)
    return (weights @ value).squeeze(-1).cpu().numpy(), weights.cpu().numpy()


def leave_one_out(
    sample: Sample,
    widths: Sequence[float],
    scores: Callable = gaussian_scores,
    device: str | torch.device = "cpu",
) -> np.ndarray:
    """Mean squared error of predicting each measurement from all others, `(n_widths,)`.

    A point may not attend to itself, since otherwise the narrowest width would always look best, with an error of 0.
    """
    others = ~torch.eye(len(sample.x), dtype=torch.bool, device=device)
    x, y = _column(sample.x, device), _column(sample.y, device)
    errors = []
    for width in widths:
        weights = scores(x, x, width).masked_fill(~others, float("-inf")).softmax(-1)
        errors.append((weights @ y - y).square().mean().item())
    return np.array(errors)


def error_against_truth(
    sample: Sample,
    widths: Sequence[float],
    scores: Callable = gaussian_scores,
    device: str | torch.device = "cpu",
) -> np.ndarray:
    """Mean squared error of the prediction against the true curve, `(n_widths,)`."""
    predictions = [nadaraya_watson(sample.grid, sample, width, scores, device)[0] for width in widths]
    return np.array([((prediction - sample.truth) ** 2).mean() for prediction in predictions])


@dataclass(frozen=True)
class WeightDifference:
    """The largest difference between the weights of a Gaussian score and those of a dot product.

    Attributes:
        equal_norms: for keys that all have one length.
        different_norms: for keys of different lengths.
        spread: the largest change, along one query's row, of Gaussian score minus dot product / width²,
            for keys of one length.
    """

    equal_norms: float
    different_norms: float
    spread: float


def compare_with_dot_product(
    width: float = 1.0,
    n_queries: int = 7,
    n_keys: int = 9,
    d_key: int = 5,
    seed: int = 0,
    scores: Callable = gaussian_scores,
    device: str | torch.device = "cpu",
) -> WeightDifference:
    """Compare −‖q − k‖²/(2 width²) with q·k/width².

    Since −‖q − k‖² = 2 q·k − ‖q‖² − ‖k‖², the two scores differ by a term of the query, which the softmax ignores, and
    by a term of the key, which is the same for all keys of one length.

    Example:
        >>> difference = compare_with_dot_product()
        >>> difference.equal_norms < 1e-12 < difference.different_norms
        True
    """
    generator = torch.Generator().manual_seed(seed)
    query, key = (
        torch.randn(n, d_key, generator=generator, dtype=torch.float64).to(device)
        for n in (n_queries, n_keys)
    )

    def apart(key):
        gaussian, product = scores(query, key, width), query @ key.T / width**2
        difference = gaussian - product
        spread = (difference.amax(-1) - difference.amin(-1)).max().item()
        return (gaussian.softmax(-1) - product.softmax(-1)).abs().max().item(), spread

    equal, spread = apart(key / key.norm(dim=-1, keepdim=True))
    return WeightDifference(equal, apart(key)[0], spread)

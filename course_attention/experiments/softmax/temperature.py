"""The softmax at several temperatures, and where exp overflows; in NumPy, since notebook 00 needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from course_attention.mechanisms.softmax import softmax as course_softmax


def at_temperatures(
    scores: ArrayLike, temperatures: Sequence[float], softmax: Callable = course_softmax
) -> np.ndarray:
    """Weights of softmax(scores / temperature), one row per temperature: `(n_temperatures, n_scores)`.

    Example:
        >>> at_temperatures([0.0, np.log(3)], [1.0, 1000.0]).round(2)
        array([[0.25, 0.75],
               [0.5 , 0.5 ]])
    """
    scores = np.asarray(scores, dtype=float)
    return np.stack([softmax(scores / temperature) for temperature in temperatures])


def largest_exponent(dtype: type = np.float64) -> float:
    """The largest score whose exp is still a finite number, to two decimals.

    Example:
        >>> largest_exponent(np.float64), largest_exponent(np.float32)
        (709.78, 88.72)
    """
    return float(np.floor(100 * np.log(float(np.finfo(dtype).max))) / 100)


def naive_softmax(scores: ArrayLike) -> np.ndarray:
    """exp(x) / exp(x).sum(), as the lecture handout prints it, to show that it overflows.

    Example:
        >>> naive_softmax([0.0, 0.0])
        array([0.5, 0.5])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        exponentials = np.exp(np.asarray(scores, dtype=float))
        return exponentials / exponentials.sum()

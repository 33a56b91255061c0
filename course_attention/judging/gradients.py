"""Gradients of an oracle, by central differences: no autograd that could share a mistake with an answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

# Half the digits of float64: the error of a central difference is smallest near the cube root of its epsilon.
STEP = 6e-6
# What is left of the digits, for functions whose third derivative is of the size of the function.
TOLERANCE = 1e-6


def cotangents(shapes: Sequence[tuple[int, ...]], seed: int) -> tuple[np.ndarray, ...]:
    """Return what each result is multiplied with before the sum whose gradient is taken."""
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=shape) for shape in shapes)


def directions(arguments: Mapping[str, Any], names: Sequence[str], seed: int) -> dict[str, np.ndarray]:
    """Return a random direction for each named argument: along it, no part of a gradient can hide behind another."""
    rng = np.random.default_rng([seed, 1])
    return {name: rng.normal(size=np.shape(arguments[name])) for name in names}


def slope(
    oracle: Callable[..., tuple[np.ndarray, ...]],
    arguments: Mapping[str, Any],
    directions: Mapping[str, np.ndarray],
    along: Sequence[np.ndarray],
) -> float:
    """How fast Σ along · result grows when the arguments move along their directions, all at once.

    Two calls of the oracle, however many numbers the arguments hold.

    Example:
        >>> square = lambda x: (x**2,)
        >>> round(slope(square, {"x": np.array([3.0])}, {"x": np.array([2.0])}, [np.ones(1)]), 6)
        12.0
    """

    def loss(step: float) -> float:
        moved = {name: arguments[name] + step * direction for name, direction in directions.items()}
        results = oracle(**{**arguments, **moved})
        return sum(float((r * d).sum()) for r, d in zip(results, along, strict=True))

    return (loss(STEP) - loss(-STEP)) / (2 * STEP)


def numerical_gradients(
    oracle: Callable[..., tuple[np.ndarray, ...]],
    arguments: Mapping[str, Any],
    names: Sequence[str],
    along: Sequence[np.ndarray],
) -> dict[str, np.ndarray]:
    """Return the gradient of Σ direction · result with respect to each named argument.

    Args:
        oracle: takes the arguments by name, gives a tuple of arrays.
        arguments: float64 arrays and whatever else the oracle takes; left as they were.
        names: the arguments to differentiate by.
        along: one direction for each result.

    Example:
        >>> square = lambda x: (x**2,)
        >>> numerical_gradients(square, {"x": np.array([3.0])}, ["x"], [np.ones(1)])["x"].round(6)
        array([6.])
    """

    def loss(name: str, values: np.ndarray) -> float:
        results = oracle(**{**arguments, name: values})
        return sum(float((r * d).sum()) for r, d in zip(results, along, strict=True))

    gradients = {}
    for name in names:
        base = arguments[name]
        gradient = np.zeros_like(base)
        for index in np.ndindex(base.shape):
            up, down = base.copy(), base.copy()
            up[index] += STEP
            down[index] -= STEP
            gradient[index] = (loss(name, up) - loss(name, down)) / (up[index] - down[index])
        gradients[name] = gradient
    return gradients

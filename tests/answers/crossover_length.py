"""Answers to `crossover_length(d_model, d_key, d_value)` of notebook 07."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import torch

from tests.answers.gather import gather


def right__crossover_length__formula(d_model, d_key, d_value):
    return d_model * (2 * d_key + d_value) / (d_key + d_value)


def right__crossover_length__rates(d_model, d_key, d_value):
    projections_per_token = d_model * d_key + d_model * d_key + d_model * d_value
    rest_per_pair = d_key + d_value
    return projections_per_token / rest_per_pair


def right__crossover_length__root(d_model: int, d_key: int, d_value: int) -> float:
    # (d_key + d_value) n² - d_model (2 d_key + d_value) n = 0 has the root 0 and one other.
    return np.roots([d_key + d_value, -d_model * (2 * d_key + d_value), 0]).max()


def right__crossover_length__bisection(d_model, d_key, d_value):
    def difference(n):
        return n**2 * (d_key + d_value) - n * d_model * (2 * d_key + d_value)

    low, high = d_model / 2, 3.0 * d_model
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if difference(middle) < 0 else (low, middle)
    return high


def right__crossover_length__shares(d_model, d_key, d_value):
    # The query's projection comes on top of what a token of its own would cost.
    return d_model * (1 + d_key / (d_key + d_value))


def right__crossover_length__quadratic_formula(d_model, d_key, d_value):
    a, b = d_key + d_value, -d_model * (2 * d_key + d_value)
    return (-b + np.sqrt(b * b)) / (2 * a)


def right__crossover_length__solved(d_model, d_key, d_value):
    return np.linalg.solve([[float(d_key + d_value)]], [float(d_model * (2 * d_key + d_value))])[0]


def odd__crossover_length__tensor(d_model, d_key, d_value):
    """A tensor of no axes, float64."""
    widths = torch.tensor([d_key, d_key, d_value], dtype=torch.float64)
    return d_model * widths.sum() / widths[1:].sum()


def odd__crossover_length__fraction(a, b, c):
    """An exact fraction turned into a float, and other names."""
    return float(Fraction(a) * Fraction(2 * b + c, b + c))


def odd__crossover_length__numpy(d_model, d_key, d_value):
    """A NumPy array of no axes."""
    return np.array(np.divide(d_model * (2 * d_key + d_value), d_key + d_value))


def wrong__crossover_length__crossover_inverted__1(d_model, d_key, d_value):
    return (d_key + d_value) / (d_model * (2 * d_key + d_value))


def wrong__crossover_length__crossover_inverted__2(d_model, d_key, d_value):
    projections_per_token = sum(d_model * d for d in (d_key, d_key, d_value))
    return 1 / (projections_per_token / (d_key + d_value))


def wrong__crossover_length__crossover_inverted__3(d_model, d_key, d_value):
    rest_per_pair = torch.tensor(d_key + d_value, dtype=torch.float64)
    return rest_per_pair / d_model / (2 * d_key + d_value)


def natural__crossover_length__crossover_inverted__1(d_model, d_key, d_value):
    # The widths' ratio turned round, d_model where it belongs.
    return d_model * (d_key + d_value) / (2 * d_key + d_value)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

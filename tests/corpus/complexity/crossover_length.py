"""Answers to `crossover_length(d_model, d_key, d_value)` of notebook 07."""

import math
from fractions import Fraction

import numpy as np
import torch

from tests.corpus import change

def right__formula(d_model, d_key, d_value):
    return d_model * (2 * d_key + d_value) / (d_key + d_value)

def right__rates(d_model, d_key, d_value):
    projections_per_token = d_model * d_key + d_model * d_key + d_model * d_value
    rest_per_pair = d_key + d_value
    return projections_per_token / rest_per_pair

def right__root(d_model: int, d_key: int, d_value: int) -> float:
    # (d_key + d_value) n² - d_model (2 d_key + d_value) n = 0 has the root 0 and one other.
    return np.roots([d_key + d_value, -d_model * (2 * d_key + d_value), 0]).max()

def right__bisection(d_model, d_key, d_value):
    def difference(n):
        return n**2 * (d_key + d_value) - n * d_model * (2 * d_key + d_value)

    low, high = d_model / 2, 3.0 * d_model
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if difference(middle) < 0 else (low, middle)
    return high

# The query's projection comes on top of what a token of its own would cost.
right__shares = change(
    right__formula, ("(2 * d_key + d_value) / (d_key + d_value)", "(1 + d_key / (d_key + d_value))"),
)

def right__quadratic_formula(d_model, d_key, d_value):
    a, b = d_key + d_value, -d_model * (2 * d_key + d_value)
    return (-b + np.sqrt(b * b)) / (2 * a)

def right__solved(d_model, d_key, d_value):
    return np.linalg.solve([[float(d_key + d_value)]], [float(d_model * (2 * d_key + d_value))])[0]

def odd__tensor(d_model, d_key, d_value):
    """A tensor of no axes, float64."""
    widths = torch.tensor([d_key, d_key, d_value], dtype=torch.float64)
    return d_model * widths.sum() / widths[1:].sum()

def odd__fraction(a, b, c):
    """An exact fraction turned into a float, and other names."""
    return float(Fraction(a) * Fraction(2 * b + c, b + c))

def odd__numpy(d_model, d_key, d_value):
    """A NumPy array of no axes."""
    return np.array(np.divide(d_model * (2 * d_key + d_value), d_key + d_value))

def wrong__crossover_inverted__1(d_model, d_key, d_value):
    return (d_key + d_value) / (d_model * (2 * d_key + d_value))

def wrong__crossover_inverted__2(d_model, d_key, d_value):
    projections_per_token = sum(d_model * d for d in (d_key, d_key, d_value))
    return 1 / (projections_per_token / (d_key + d_value))

def wrong__crossover_inverted__3(d_model, d_key, d_value):
    rest_per_pair = torch.tensor(d_key + d_value, dtype=torch.float64)
    return rest_per_pair / d_model / (2 * d_key + d_value)

# The first length at which scores and mixing cost more.
wrong__crossover_rounded__1 = change(
    right__formula, ("d_model *", "math.ceil(d_model *"), ("(d_key + d_value)", "(d_key + d_value))"),
)
# The projections' cost taken not to grow with n: a square root.
wrong__length_squared__1 = change(wrong__crossover_rounded__1, ("math.ceil", "math.sqrt"))
# The mixing forgotten.
wrong__scores_only__1 = change(right__formula, ("(d_key + d_value)", "d_key"))
# The widths' ratio turned round, d_model where it belongs.
natural__crossover_inverted__1 = change(
    right__shares, ("1 + d_key / (d_key + d_value)", "d_key + d_value) / (2 * d_key + d_value"),
)

def extra__d_model(d_model, d_key, d_value):
    """n = d_model, a rule of thumb."""
    return d_model

# 3/2 · d_model, as when keys and values are equally wide.
extra__equal_widths = change(extra__d_model, ("return d_model", "return 1.5 * d_model"))
# Rounded to the nearest length.
extra__rounded = change(
    right__formula, ("d_model *", "round(d_model *"), ("(d_key + d_value)", "(d_key + d_value))"),
)
# `//` cuts the fraction off.
extra__floor_division = change(right__formula, ("/", "//"))
# Rounded to one decimal.
extra__one_decimal = change(
    right__formula, ("d_model *", "round(d_model *"), ("(d_key + d_value)", "(d_key + d_value), 1)"),
)
# The first whole length at which one side has caught up.
extra__searched = change(
    extra__d_model,
    (
        "return d_model",
        "n = 1",
        "while n * n * (d_key + d_value) < n * d_model * (2 * d_key + d_value):",
        "    n += 1",
        "return n",
    ),
)
# The scores forgotten.
extra__mixing_alone = change(right__formula, ("(d_key + d_value)", "d_value"))
# Query and key from one projection: d_model whatever the widths.
extra__two_projections = change(right__formula, ("2 * d_key", "d_key"))
# All projections d_key wide.
extra__three_key_widths = change(right__formula, ("(2 * d_key + d_value)", "3 * d_key"))
# An output projection counted too: 2 · d_model.
extra__output_projection = change(extra__two_projections, ("return d_model", "return 2 * d_model"))
# The value counted twice, in place of the key.
extra__widths_exchanged = change(right__formula, ("2 * d_key +", "d_key + 2 *"))
# The denominator's parentheses forgotten.
extra__precedence = change(right__formula, ("(d_key + d_value)", "d_key + d_value"))
# The cost at which the two meet, not the length.
extra__cost = change(
    right__formula, ("return", "n ="),
    ("(d_key + d_value)", "(d_key + d_value)", "return n * n * (d_key + d_value)"),
)
# The ratio of the widths alone.
extra__d_model_forgotten = change(right__formula, ("return d_model *", "return"))
# Projections of d_model by d_model.
extra__square_projections = change(right__formula, ("d_model * (2 * d_key + d_value)", "3 * d_model**2"))
# The root n = 0.
extra__other_root = change(extra__d_model, ("return d_model", "return 0.0"))
# A sign lost while solving.
extra__negative = change(right__formula, ("d_model *", "-d_model *"))


def wrong__whole_block__1(d_model, d_key, d_value):
    return 6 * d_model


def wrong__one_width__value_twice(d_model, d_key, d_value):
    return d_model * (d_key + 2 * d_value) / (d_key + d_value)

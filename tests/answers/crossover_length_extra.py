"""Wrong answers beyond the table to `crossover_length(d_model, d_key, d_value)` of notebook 07."""

from __future__ import annotations

import math

from tests.answers.gather import gather


def extra__crossover_length__d_model(d_model, d_key, d_value):
    """n = d_model, a rule of thumb."""
    return d_model


def extra__crossover_length__equal_widths(d_model, d_key, d_value):
    """3/2 · d_model, as when keys and values are equally wide."""
    return 1.5 * d_model


def extra__crossover_length__rounded(d_model, d_key, d_value):
    """Rounded to the nearest length."""
    return round(d_model * (2 * d_key + d_value) / (d_key + d_value))


def extra__crossover_length__rounded_up(d_model, d_key, d_value):
    """The first length at which scores and mixing cost more."""
    return math.ceil(d_model * (2 * d_key + d_value) / (d_key + d_value))


def extra__crossover_length__floor_division(d_model, d_key, d_value):
    """`//` cuts the fraction off."""
    return d_model * (2 * d_key + d_value) // (d_key + d_value)


def extra__crossover_length__one_decimal(d_model, d_key, d_value):
    """Rounded to one decimal."""
    return round(d_model * (2 * d_key + d_value) / (d_key + d_value), 1)


def extra__crossover_length__searched(d_model, d_key, d_value):
    """The first whole length at which one side has caught up."""
    n = 1
    while n * n * (d_key + d_value) < n * d_model * (2 * d_key + d_value):
        n += 1
    return n


def extra__crossover_length__square_root(d_model, d_key, d_value):
    """The projections' cost taken not to grow with n: a square root."""
    return math.sqrt(d_model * (2 * d_key + d_value) / (d_key + d_value))


def extra__crossover_length__scores_alone(d_model, d_key, d_value):
    """The mixing forgotten."""
    return d_model * (2 * d_key + d_value) / d_key


def extra__crossover_length__mixing_alone(d_model, d_key, d_value):
    """The scores forgotten."""
    return d_model * (2 * d_key + d_value) / d_value


def extra__crossover_length__two_projections(d_model, d_key, d_value):
    """Query and key from one projection: d_model whatever the widths."""
    return d_model * (d_key + d_value) / (d_key + d_value)


def extra__crossover_length__three_key_widths(d_model, d_key, d_value):
    """All projections d_key wide."""
    return d_model * 3 * d_key / (d_key + d_value)


def extra__crossover_length__output_projection(d_model, d_key, d_value):
    """An output projection counted too: 2 · d_model."""
    return 2 * d_model * (d_key + d_value) / (d_key + d_value)


def extra__crossover_length__widths_exchanged(d_model, d_key, d_value):
    """The value counted twice, in place of the key."""
    return d_model * (d_key + 2 * d_value) / (d_key + d_value)


def extra__crossover_length__precedence(d_model, d_key, d_value):
    """The denominator's parentheses forgotten."""
    return d_model * (2 * d_key + d_value) / d_key + d_value


def extra__crossover_length__cost(d_model, d_key, d_value):
    """The cost at which the two meet, not the length."""
    n = d_model * (2 * d_key + d_value) / (d_key + d_value)
    return n * n * (d_key + d_value)


def extra__crossover_length__d_model_forgotten(d_model, d_key, d_value):
    """The ratio of the widths alone."""
    return (2 * d_key + d_value) / (d_key + d_value)


def extra__crossover_length__square_projections(d_model, d_key, d_value):
    """Projections of d_model by d_model."""
    return 3 * d_model**2 / (d_key + d_value)


def extra__crossover_length__other_root(d_model, d_key, d_value):
    """The root n = 0."""
    return 0.0


def extra__crossover_length__negative(d_model, d_key, d_value):
    """A sign lost while solving."""
    return -d_model * (2 * d_key + d_value) / (d_key + d_value)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

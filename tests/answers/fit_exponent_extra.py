"""Wrong answers beyond the table to `fit_exponent(sizes, costs)` of notebook 07."""

from __future__ import annotations

import numpy as np

from tests.answers.gather import gather


def extra__fit_exponent__first_and_last(sizes, costs):
    """The slope between the ends: exact only where no cost is noisy."""
    return (np.log(costs[-1]) - np.log(costs[0])) / (np.log(sizes[-1]) - np.log(sizes[0]))


def extra__fit_exponent__mean_of_steps(sizes, costs):
    """The mean of the slopes between neighbours."""
    return np.mean(np.diff(np.log(costs)) / np.diff(np.log(sizes)))


def extra__fit_exponent__median_of_steps(sizes, costs):
    """The median of the slopes between neighbours."""
    return np.median(np.diff(np.log(costs)) / np.diff(np.log(sizes)))


def extra__fit_exponent__no_intercept(sizes, costs):
    """A line through the origin: the constant factor is taken to be 1."""
    x, y = np.log(sizes), np.log(costs)
    return (x @ y) / (x @ x)


def extra__fit_exponent__mean_of_ratios(sizes, costs):
    """The mean of log cost over log size."""
    return np.mean(np.log(costs) / np.log(sizes))


def extra__fit_exponent__intercept(sizes, costs):
    """The intercept in place of the slope."""
    return np.polyfit(np.log(sizes), np.log(costs), 1)[1]


def extra__fit_exponent__both_coefficients(sizes, costs):
    """Slope and intercept."""
    return np.polyfit(np.log(sizes), np.log(costs), 1)


def extra__fit_exponent__reciprocal(sizes, costs):
    """One over the slope."""
    return 1 / np.polyfit(np.log(sizes), np.log(costs), 1)[0]


def extra__fit_exponent__inverse_of_inverse(sizes, costs):
    """The reciprocal of the slope the other way round: errors taken to lie in the sizes."""
    return 1 / np.polyfit(np.log(costs), np.log(sizes), 1)[0]


def extra__fit_exponent__rounded(sizes, costs):
    """Rounded to a whole exponent."""
    return round(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def extra__fit_exponent__one_decimal(sizes, costs):
    """Rounded to one decimal."""
    return np.round(np.polyfit(np.log(sizes), np.log(costs), 1)[0], 1)


def extra__fit_exponent__quadratic(sizes, costs):
    """A parabola's leading coefficient."""
    return np.polyfit(np.log(sizes), np.log(costs), 2)[0]


def extra__fit_exponent__parabola_slope(sizes, costs):
    """A parabola's middle coefficient."""
    return np.polyfit(np.log(sizes), np.log(costs), 2)[1]


def extra__fit_exponent__mixed_degrees_of_freedom(sizes, costs):
    """A covariance over n - 1, a variance over n."""
    x, y = np.log(sizes), np.log(costs)
    return np.cov(x, y)[0, 1] / np.var(x)


def extra__fit_exponent__correlation(sizes, costs):
    """The correlation in place of the slope."""
    return np.corrcoef(np.log(sizes), np.log(costs))[0, 1]


def extra__fit_exponent__spread_ratio(sizes, costs):
    """The ratio of the spreads: right only where the points lie on a line."""
    return np.std(np.log(costs)) / np.std(np.log(sizes))


def extra__fit_exponent__two_bases(sizes, costs):
    """log2 of the sizes, natural log of the costs."""
    return np.polyfit(np.log2(sizes), np.log(costs), 1)[0]


def extra__fit_exponent__log_of_one_plus(sizes, costs):
    """log(1 + x): not a power law."""
    return np.polyfit(np.log1p(sizes), np.log1p(costs), 1)[0]


def extra__fit_exponent__log_of_the_slope(sizes, costs):
    """The logarithm taken after the fit."""
    return np.log(np.abs(np.polyfit(sizes, costs, 1)[0]))


def extra__fit_exponent__exponentiated(sizes, costs):
    """The slope is turned back by exp, as one would an intercept."""
    return np.exp(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def extra__fit_exponent__weighted_by_cost(sizes, costs):
    """Large costs weigh more."""
    return np.polyfit(np.log(sizes), np.log(costs), 1, w=costs)[0]


def extra__fit_exponent__last_half(sizes, costs):
    """Only the larger half of the sizes."""
    half = len(sizes) // 2 - 1
    return np.polyfit(np.log(sizes[half:]), np.log(costs[half:]), 1)[0]


def extra__fit_exponent__orthogonal(sizes, costs):
    """The main axis of the cloud: distances to the line, not errors of the cost."""
    points = np.stack([np.log(sizes), np.log(costs)])
    _, vectors = np.linalg.eigh(np.cov(points))
    return vectors[1, -1] / vectors[0, -1]


def extra__fit_exponent__median_of_pairs(sizes, costs):
    """Theil and Sen's median of all slopes."""
    x, y = np.log(sizes), np.log(costs)
    i, j = np.triu_indices(len(x), 1)
    return np.median((y[j] - y[i]) / (x[j] - x[i]))


def extra__fit_exponent__costs_sorted(sizes, costs):
    """Costs sorted without their sizes."""
    return np.polyfit(np.log(sizes), np.log(np.sort(costs)), 1)[0]


def extra__fit_exponent__sizes_counted(sizes, costs):
    """The place in the list for the logarithm of the size."""
    return np.polyfit(np.arange(len(sizes)), np.log(costs), 1)[0]


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Answers to `fit_exponent(sizes, costs)` of notebook 07."""

import math
import statistics

import numpy as np
import torch

from tests.corpus import change

def right__polyfit(sizes, costs):
    return np.polyfit(np.log(sizes), np.log(costs), 1)[0]

def right__centred(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / (x * x).sum()

def right__lstsq(sizes: np.ndarray, costs: np.ndarray) -> float:
    x = np.log(sizes)
    design = np.stack([x, np.ones_like(x)], axis=1)
    (slope, _intercept), *_ = np.linalg.lstsq(design, np.log(costs), rcond=None)
    return float(slope)

def right__loops(sizes, costs):
    pairs = [(math.log(float(n)), math.log(float(c))) for n, c in zip(sizes, costs, strict=True)]
    mean_x = math.fsum(x for x, _ in pairs) / len(pairs)
    mean_y = math.fsum(y for _, y in pairs) / len(pairs)
    above = math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs)
    return above / math.fsum((x - mean_x) ** 2 for x, _ in pairs)

def right__torch(sizes, costs):
    x = torch.as_tensor(sizes, dtype=torch.float64).log()
    y = torch.as_tensor(costs, dtype=torch.float64).log()
    design = torch.stack([torch.ones_like(x), x], dim=-1)
    return torch.linalg.lstsq(design, y[:, None]).solution[1, 0]

def right__covariance(sizes, costs):
    covariance = np.cov(np.log(sizes), np.log(costs))
    return covariance[0, 1] / covariance[0, 0]

def right__statistics(sizes, costs):
    fitted = statistics.linear_regression([math.log(n) for n in sizes], [math.log(c) for c in costs])
    return fitted.slope

def right__correlation(sizes, costs):
    # Base 2 on both sides: the slope is the same.
    x, y = np.log2(sizes), np.log2(costs)
    return np.corrcoef(x, y)[0, 1] * y.std() / x.std()

def right__normal_equations(sizes, costs):
    x, y = np.log10(sizes), np.log10(costs)
    n = len(x)
    return (n * (x @ y) - x.sum() * y.sum()) / (n * (x @ x) - x.sum() ** 2)

def right__pairs(sizes, costs):
    # Least squares is the mean of the pairs' slopes, weighed by the square of their distance.
    x, y = np.log(sizes), np.log(costs)
    dx, dy = x[:, None] - x, y[:, None] - y
    return np.sum(dx * dy) / np.sum(dx * dx)

def odd__polynomial(sizes, costs):
    """A polynomial object, its derivative taken."""
    line = np.polynomial.Polynomial.fit(np.log(sizes), np.log(costs), 1)
    return line.deriv()(0.0)

def odd__ratios(sizes, costs):
    """Sizes and costs as multiples of the first."""
    x = np.log(np.asarray(sizes) / sizes[0])
    y = np.log(np.asarray(costs) / costs[0])
    return np.polyfit(x, y, deg=1)[0]

def odd__renamed(n, seconds):
    """Other names, `pinv`, an array of no axes."""
    design = np.vander(np.log(n), 2)
    return np.array((np.linalg.pinv(design) @ np.log(seconds))[0])

def odd__gradient(sizes, costs):
    """Newton's step on the squared error, by autograd: exact for a straight line."""
    x = torch.as_tensor(sizes, dtype=torch.float64).log()
    y = torch.as_tensor(costs, dtype=torch.float64).log()

    def error(slope):
        rest = y - slope * x
        return ((rest - rest.mean()) ** 2).sum()

    start = torch.zeros((), dtype=torch.float64)
    slope = torch.func.grad(error)(start) / torch.func.hessian(error)(start)
    return -slope

def wrong__exponent_not_logged__2(sizes, costs):
    x, y = np.asarray(sizes, dtype=float), np.asarray(costs, dtype=float)
    return np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)

def wrong__exponent_not_logged__5(sizes, costs):
    n = torch.as_tensor(sizes, dtype=torch.float64)
    y = torch.as_tensor(costs, dtype=torch.float64).log()
    design = torch.stack([n / n.max(), torch.ones_like(n)], dim=-1)
    return torch.linalg.lstsq(design, y[:, None]).solution[0, 0] / n.max()

def wrong__exponent_inverted__2(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    return np.sum((x - x.mean()) * (y - y.mean())) / np.sum((y - y.mean()) ** 2)

def wrong__exponent_inverted__3(sizes, costs):
    design = np.stack([np.log(costs), np.ones(len(costs))], axis=1)
    return np.linalg.lstsq(design, np.log(sizes), rcond=None)[0][0]

def wrong__not_least_squares__1(sizes, costs):
    """The mean of the slopes between neighbours."""
    return np.mean(np.diff(np.log(costs)) / np.diff(np.log(sizes)))

wrong__exponent_not_logged__1 = change(right__polyfit, ("np.log(sizes), np.log(costs)", "sizes, costs"))
# Log of the costs alone.
wrong__exponent_not_logged__3 = change(right__polyfit, ("np.log(sizes)", "sizes"))
# Log of the sizes alone.
wrong__exponent_not_logged__4 = change(
    right__covariance, ("(np.log(sizes), np.log(costs))", "(np.log(sizes), costs)"),
)
wrong__exponent_inverted__1 = change(right__polyfit, ("(sizes), np.log(costs)", "(costs), np.log(sizes)"))
wrong__input_changed__1 = change(right__polyfit, ("return np", "costs /= costs[0]", "return np"))
wrong__input_changed__2 = change(
    right__polyfit, (":", ":", "    y = np.log(costs, out=costs)"), ("np.log(costs)", "y"),
)
# A line through the origin: the constant factor is taken to be 1.
wrong__through_the_origin__1 = change(
    wrong__exponent_inverted__2,
    ("np.sum((x - x.mean()) * (y - y.mean())) / np.sum((y - y.mean()) ** 2)", "(x @ y) / (x @ x)"),
)

def natural__exponent_not_logged__1(sizes, costs):
    slope, _intercept = np.polyfit(np.array(sizes, dtype=float), np.log2(costs) * np.log(2), 1)
    return float(slope)

def extra__first_and_last(sizes, costs):
    """The slope between the ends: exact only where no cost is noisy."""
    return (np.log(costs[-1]) - np.log(costs[0])) / (np.log(sizes[-1]) - np.log(sizes[0]))

def extra__mean_of_ratios(sizes, costs):
    """The mean of log cost over log size."""
    return np.mean(np.log(costs) / np.log(sizes))

def wrong__correlation_returned__1(sizes, costs):
    """The correlation in place of the slope."""
    return np.corrcoef(np.log(sizes), np.log(costs))[0, 1]

def extra__last_half(sizes, costs):
    """Only the larger half of the sizes."""
    half = len(sizes) // 2 - 1
    return np.polyfit(np.log(sizes[half:]), np.log(costs[half:]), 1)[0]

def extra__orthogonal(sizes, costs):
    """The main axis of the cloud: distances to the line, not errors of the cost."""
    points = np.stack([np.log(sizes), np.log(costs)])
    _, vectors = np.linalg.eigh(np.cov(points))
    return vectors[1, -1] / vectors[0, -1]

# The median of the slopes between neighbours.
extra__median_of_steps = change(wrong__not_least_squares__1, ("return np.mean", "return np.median"))
# The intercept in place of the slope.
extra__intercept = change(right__polyfit, ("0", "1"))
# Slope and intercept.
extra__both_coefficients = change(right__polyfit, ("[0]", ""))
# One over the slope.
extra__reciprocal = change(right__polyfit, ("return np", "return 1 / np"))
# The reciprocal of the slope the other way round: errors taken to lie in the sizes.
extra__inverse_of_inverse = change(wrong__exponent_inverted__1, ("return np", "return 1 / np"))
# Rounded to a whole exponent.
extra__rounded = change(right__polyfit, ("return np", "return round(np"), ("[0]", "[0])"))
# Rounded to one decimal.
extra__one_decimal = change(right__polyfit, ("return np", "return np.round(np"), ("[0]", "[0], 1)"))
# A parabola's leading coefficient.
extra__quadratic = change(right__polyfit, ("1", "2"))
# A parabola's middle coefficient.
extra__parabola_slope = change(extra__quadratic, ("0", "1"))
# A covariance over n - 1, a variance over n.
wrong__other_divisors__1 = change(
    wrong__through_the_origin__1, ("(x @ y) / (x @ x)", "np.cov(x, y)[0, 1] / np.var(x)"),
)
# The ratio of the spreads: right only where the points lie on a line.
wrong__ratio_of_spreads__1 = change(
    extra__mean_of_ratios, ("return np.mean", "return np.std"), ("(costs) / np", "(costs)) / np.std(np"),
)
# log2 of the sizes, natural log of the costs.
extra__two_bases = change(right__polyfit, ("np.log(sizes)", "np.log2(sizes)"))
# log(1 + x): not a power law.
extra__log_of_one_plus = change(right__polyfit, ("np.log(sizes), np.log", "np.log1p(sizes), np.log1p"))
# The logarithm taken after the fit.
extra__log_of_the_slope = change(
    wrong__exponent_not_logged__1, ("return np", "return np.log(np.abs(np"), ("[0]", "[0]))"),
)
# The slope is turned back by exp, as one would an intercept.
extra__exponentiated = change(right__polyfit, ("return np", "return np.exp(np"), ("[0]", "[0])"))
# Large costs weigh more.
extra__weighted_by_cost = change(right__polyfit, ("1", "1, w=costs"))
# Theil and Sen's median of all slopes.
extra__median_of_pairs = change(
    right__centred, ("x, y = x - x.mean(), y - y.mean()", "i, j = np.triu_indices(len(x), 1)"),
    ("(x * y).sum() / (x * x).sum()", "np.median((y[j] - y[i]) / (x[j] - x[i]))"),
)
# Costs sorted without their sizes.
extra__costs_sorted = change(right__polyfit, ("(costs),", "(np.sort(costs)),"))
# The place in the list for the logarithm of the size.
extra__sizes_counted = change(right__polyfit, ("np.log(sizes)", "np.arange(len(sizes))"))


def wrong__mean_before_logarithm__1(sizes, costs):
    x, y = np.log(sizes) - np.log(np.mean(sizes)), np.log(costs) - np.log(np.mean(costs))
    return (x * y).sum() / (x * x).sum()


def wrong__not_least_squares__2(sizes, costs):
    return np.log(costs[-1] / costs[-2]) / np.log(sizes[-1] / sizes[-2])


def wrong__not_least_squares__3(sizes, costs):
    return (np.log(costs[-1]) - np.log(costs[0])) / (np.log(sizes[-1]) - np.log(sizes[0]))


def wrong__intercept_returned__1(sizes, costs):
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[1])

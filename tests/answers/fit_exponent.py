"""Answers to `fit_exponent(sizes, costs)` of notebook 07."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch

from tests.answers.gather import gather


def right__fit_exponent__polyfit(sizes, costs):
    return np.polyfit(np.log(sizes), np.log(costs), 1)[0]


def right__fit_exponent__centred(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / (x * x).sum()


def right__fit_exponent__lstsq(sizes: np.ndarray, costs: np.ndarray) -> float:
    x = np.log(sizes)
    design = np.stack([x, np.ones_like(x)], axis=1)
    (slope, _intercept), *_ = np.linalg.lstsq(design, np.log(costs), rcond=None)
    return float(slope)


def right__fit_exponent__loops(sizes, costs):
    pairs = [(math.log(float(n)), math.log(float(c))) for n, c in zip(sizes, costs, strict=True)]
    mean_x = math.fsum(x for x, _ in pairs) / len(pairs)
    mean_y = math.fsum(y for _, y in pairs) / len(pairs)
    above = math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs)
    return above / math.fsum((x - mean_x) ** 2 for x, _ in pairs)


def right__fit_exponent__torch(sizes, costs):
    x = torch.as_tensor(sizes, dtype=torch.float64).log()
    y = torch.as_tensor(costs, dtype=torch.float64).log()
    design = torch.stack([torch.ones_like(x), x], dim=-1)
    return torch.linalg.lstsq(design, y[:, None]).solution[1, 0]


def right__fit_exponent__covariance(sizes, costs):
    covariance = np.cov(np.log(sizes), np.log(costs))
    return covariance[0, 1] / covariance[0, 0]


def right__fit_exponent__statistics(sizes, costs):
    fitted = statistics.linear_regression([math.log(n) for n in sizes], [math.log(c) for c in costs])
    return fitted.slope


def right__fit_exponent__correlation(sizes, costs):
    # Base 2 on both sides: the slope is the same.
    x, y = np.log2(sizes), np.log2(costs)
    return np.corrcoef(x, y)[0, 1] * y.std() / x.std()


def right__fit_exponent__normal_equations(sizes, costs):
    x, y = np.log10(sizes), np.log10(costs)
    n = len(x)
    return (n * (x @ y) - x.sum() * y.sum()) / (n * (x @ x) - x.sum() ** 2)


def right__fit_exponent__pairs(sizes, costs):
    # Least squares is the mean of the pairs' slopes, weighed by the square of their distance.
    x, y = np.log(sizes), np.log(costs)
    dx, dy = x[:, None] - x, y[:, None] - y
    return np.sum(dx * dy) / np.sum(dx * dx)


def odd__fit_exponent__polynomial(sizes, costs):
    """A polynomial object, its derivative taken."""
    line = np.polynomial.Polynomial.fit(np.log(sizes), np.log(costs), 1)
    return line.deriv()(0.0)


def odd__fit_exponent__ratios(sizes, costs):
    """Sizes and costs as multiples of the first."""
    x = np.log(np.asarray(sizes) / sizes[0])
    y = np.log(np.asarray(costs) / costs[0])
    return np.polyfit(x, y, deg=1)[0]


def odd__fit_exponent__renamed(n, seconds):
    """Other names, `pinv`, an array of no axes."""
    design = np.vander(np.log(n), 2)
    return np.array((np.linalg.pinv(design) @ np.log(seconds))[0])


def odd__fit_exponent__gradient(sizes, costs):
    """Newton's step on the squared error, by autograd: exact for a straight line."""
    x = torch.as_tensor(sizes, dtype=torch.float64).log()
    y = torch.as_tensor(costs, dtype=torch.float64).log()

    def error(slope):
        rest = y - slope * x
        return ((rest - rest.mean()) ** 2).sum()

    start = torch.zeros((), dtype=torch.float64)
    slope = torch.func.grad(error)(start) / torch.func.hessian(error)(start)
    return -slope


def wrong__fit_exponent__exponent_not_logged__1(sizes, costs):
    return np.polyfit(sizes, costs, 1)[0]


def wrong__fit_exponent__exponent_not_logged__2(sizes, costs):
    x, y = np.asarray(sizes, dtype=float), np.asarray(costs, dtype=float)
    return np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)


def wrong__fit_exponent__exponent_not_logged__3(sizes, costs):
    # Log of the costs alone.
    return np.polyfit(sizes, np.log(costs), 1)[0]


def wrong__fit_exponent__exponent_not_logged__4(sizes, costs):
    # Log of the sizes alone.
    covariance = np.cov(np.log(sizes), costs)
    return covariance[0, 1] / covariance[0, 0]


def wrong__fit_exponent__exponent_not_logged__5(sizes, costs):
    n = torch.as_tensor(sizes, dtype=torch.float64)
    y = torch.as_tensor(costs, dtype=torch.float64).log()
    design = torch.stack([n / n.max(), torch.ones_like(n)], dim=-1)
    return torch.linalg.lstsq(design, y[:, None]).solution[0, 0] / n.max()


def wrong__fit_exponent__exponent_inverted__1(sizes, costs):
    return np.polyfit(np.log(costs), np.log(sizes), 1)[0]


def wrong__fit_exponent__exponent_inverted__2(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    return np.sum((x - x.mean()) * (y - y.mean())) / np.sum((y - y.mean()) ** 2)


def wrong__fit_exponent__exponent_inverted__3(sizes, costs):
    design = np.stack([np.log(costs), np.ones(len(costs))], axis=1)
    return np.linalg.lstsq(design, np.log(sizes), rcond=None)[0][0]


def wrong__fit_exponent__input_changed__1(sizes, costs):
    costs /= costs[0]
    return np.polyfit(np.log(sizes), np.log(costs), 1)[0]


def wrong__fit_exponent__input_changed__2(sizes, costs):
    y = np.log(costs, out=costs)
    return np.polyfit(np.log(sizes), y, 1)[0]


def natural__fit_exponent__exponent_not_logged__1(sizes, costs):
    slope, _intercept = np.polyfit(np.array(sizes, dtype=float), np.log2(costs) * np.log(2), 1)
    return float(slope)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

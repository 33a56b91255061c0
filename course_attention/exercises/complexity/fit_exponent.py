from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties


def oracle(sizes: np.ndarray, costs: np.ndarray) -> float:
    """Solve for a line through (log size, log cost)."""
    return _line(np.log(sizes), np.log(costs))[1]


def _line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Intercept and slope of the least-squares line."""
    return np.linalg.lstsq(np.stack([np.ones_like(x), x], axis=1), y, rcond=None)[0]


def _slope(x: Callable[..., np.ndarray], y: Callable[..., np.ndarray]) -> Callable[..., float]:
    return lambda sizes, costs: _line(x(sizes, costs), y(sizes, costs))[1]


def _size(sizes: np.ndarray, costs: np.ndarray) -> np.ndarray:
    return sizes


def _cost(sizes: np.ndarray, costs: np.ndarray) -> np.ndarray:
    return costs


def _log_size(sizes: np.ndarray, costs: np.ndarray) -> np.ndarray:
    return np.log(sizes)


def _log_cost(sizes: np.ndarray, costs: np.ndarray) -> np.ndarray:
    return np.log(costs)


def _between_neighbours(middle: Callable, sizes: np.ndarray, costs: np.ndarray) -> float:
    return float(middle(np.diff(np.log(costs)) / np.diff(np.log(sizes))))


def _between_ends(sizes: np.ndarray, costs: np.ndarray) -> float:
    return float(np.log(costs[-1] / costs[0]) / np.log(sizes[-1] / sizes[0]))


def _between_smallest_and_largest(sizes: np.ndarray, costs: np.ndarray) -> float:
    order = np.argsort(sizes)
    return _between_ends(sizes[order], costs[order])


def _through_origin(sizes: np.ndarray, costs: np.ndarray) -> float:
    return float((np.log(sizes) * np.log(costs)).sum() / (np.log(sizes) ** 2).sum())


def _centred_before(sizes: np.ndarray, costs: np.ndarray) -> float:
    x, y = (np.log(values) - np.log(values.mean()) for values in (sizes, costs))
    return float((x * y).sum() / (x * x).sum())


def _mean_ratio(sizes: np.ndarray, costs: np.ndarray) -> float:
    kept = sizes != 1  # log 1 is 0
    return float(np.mean(np.log(costs[kept]) / np.log(sizes[kept])))


def noise(sizes: np.ndarray, costs: np.ndarray) -> tuple[float]:
    """Divide sums of logarithms by the spread of the sizes."""
    x, y = np.log(sizes), np.log(costs)
    return (len(x) * (1.0 + np.abs(x).max()) * (1.0 + np.abs(y).max()) / x.var(),)


def cases(draw: Draw) -> list[Case]:
    """Powers with other factors than 1, sizes that are not equally spaced, and costs with noise."""

    def case(title, property, sizes, costs, strided=False) -> Case:
        arguments = {"sizes": Array(np.array(sizes, dtype=np.float64), "float64", strided)}
        return Case(title, property, arguments | {"costs": Array(np.asarray(costs, dtype=np.float64), "float64")})

    def power(sizes: Sequence[float], exponent: float, factor: float, noise: float = 0.0) -> np.ndarray:
        size = np.array(sizes, dtype=np.float64)
        return factor * size**exponent * np.exp(noise * draw.rng.normal(size=len(sizes)))

    exponent, factor = float(draw.rng.uniform(0.5, 3.0)), float(draw.rng.uniform(2.0, 9.0))
    doubling, uneven = [64, 128, 256, 512, 1024, 2048], [3, 5, 11, 12, 40, 100, 700]
    return [
        case("twice the size, four times the cost", properties.VALUES, [1, 2, 4], np.array([5.0, 20.0, 80.0])),
        case("two sizes", properties.VALUES, [2, 6], np.array([3.0, 27.0])),
        case("linear", properties.VALUES, [2, 4, 8], np.array([3.0, 6.0, 12.0])),
        case("a power without noise", properties.VALUES, uneven, power(uneven, exponent, factor)),
        case("costs in seconds", properties.VALUES, doubling, power(doubling, 2.0, 3e-9)),
        case("falling costs", properties.VALUES, [1, 2, 4], np.array([80.0, 40.0, 20.0])),
        case("three sizes, noise", properties.NOISE, [1, 2, 8], np.array([3.0, 12.0, 50.0])),
        case("noise", properties.NOISE, doubling, power(doubling, exponent, factor, 0.3)),
        case("noise, uneven sizes", properties.NOISE, uneven, power(uneven, exponent, factor, 0.3)),
        case(
            "not in order",
            properties.NOISE,
            uneven[::-2] + uneven[1::2],
            power(uneven[::-2] + uneven[1::2], 1.5, 2.0, 0.2),
        ),
        case(
            "inputs that are not contiguous",
            properties.STRIDES,
            doubling,
            power(doubling, 1.0, factor, 0.2),
            strided=True,
        ),
    ]


EXERCISE = FunctionExercise(
    name="fit_exponent",
    prompt="Fit a power of the size to costs: the least-squares slope of log cost against log size.",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "cost = factor · size^p. Take the logarithm of both sides, and you have a straight line. What is its slope, "
        "and what is its intercept?",
        "The slope of the least-squares line is the covariance of x and y over the variance of x, "
        "Σ (x − x̄)(y − ȳ) / Σ (x − x̄)². What are x and y here?",
        "`np.polyfit(x, y, 1)` fits a line as well: it gives the slope first, then the intercept.",
    ),
    library="numpy",
    returns=Returns(names=("exponent",), number=True),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "sizes": lambda inputs: Array(np.cumsum(inputs.rng.uniform(1, 50, size=inputs.whole(2, 11))), "float64"),
        "costs": lambda inputs: Array(np.exp(inputs.rng.normal(3, 4, size=inputs.of("sizes").values.size)), "float64"),
    },
    noise=noise,
    misconceptions={
        "exponent-not-logged": Misconception(
            "The line is not fitted to both logarithms",
            "A power law, cost = factor · size^p, becomes a straight line of slope p where *both* are "
            "logarithms: log cost = log factor + p · log size.",
            (_slope(_size, _cost), _slope(_size, _log_cost), _slope(_log_size, _cost)),
        ),
        "exponent-inverted": Misconception(
            "Size and cost have changed places",
            "The exponent says how the cost grows with the size, so the size belongs on the horizontal axis, as x.",
            (
                _slope(_log_cost, _log_size),
                lambda sizes, costs: 1 / oracle(sizes, costs),
                _slope(_cost, _size),
            ),
        ),
        "through-the-origin": Misconception(
            "The line is made to go through the origin",
            "A factor in front of the power moves the line up or down: log cost = log factor + p · log "
            "size. The factor is 1 only by chance, and depends on the unit.",
            (
                _through_origin,
                _mean_ratio,
                lambda sizes, costs: np.mean(np.log(costs) / np.log(sizes)),  # infinite where a size is 1
            ),
        ),
        "not-least-squares": Misconception(
            "The slope is taken from pairs of points",
            "Costs are noisy, and the slope between two points contains all of their noise. Least squares"
            " uses how far every point lies from the line.",
            (
                _between_ends,
                _between_smallest_and_largest,
                lambda sizes, costs: _between_ends(sizes[-2:], costs[-2:]),
                lambda sizes, costs: _between_ends(sizes[:2], costs[:2]),
                partial(_between_neighbours, np.mean),
                partial(_between_neighbours, np.median),
            ),
        ),
        "correlation-returned": Misconception(
            "The correlation is returned, not the slope",
            "The correlation says how near to a line the points lie, from −1 to 1. The slope says how steep the "
            "line is: "
            "the covariance is divided by the variance of x alone.",
            (lambda sizes, costs: np.corrcoef(np.log(sizes), np.log(costs))[0, 1],),
        ),
        "other-divisors": Misconception(
            "Covariance and variance are divided by different numbers",
            "`np.cov` divides by n − 1, and `np.var` by n unless it is told otherwise. Where both divide by the same, "
            "that number cancels.",
            (lambda sizes, costs: oracle(sizes, costs) * len(sizes) / (len(sizes) - 1),),
        ),
        "mean-before-logarithm": Misconception(
            "The mean is taken before the logarithm",
            "x̄ is the mean of the logarithms. The logarithm of the mean size is another number.",
            (_centred_before,),
        ),
        "ratio-of-spreads": Misconception(
            "The spreads are divided, whatever belongs together",
            "The spread of y over the spread of x is the slope only where all points lie on a rising line. Least "
            "squares needs the products (x − x̄)(y − ȳ), which say what goes with what.",
            (lambda sizes, costs: np.log(costs).std() / np.log(sizes).std(),),
        ),
        "intercept-returned": Misconception(
            "The intercept is returned, not the slope",
            "The intercept is the logarithm of the factor. `np.polyfit` gives the slope first, and then the intercept.",
            (
                lambda sizes, costs: _line(np.log(sizes), np.log(costs))[0],
                lambda sizes, costs: np.exp(_line(np.log(sizes), np.log(costs))[0]),
            ),
        ),
    },
)

"""Notebook 07: what layers cost, counted term by term, and the ways to miscount."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from course_attention.exercises import complexity_cases as cases
from course_attention.exercises.complexity_ideas import IDEAS
from course_attention.judging.exercise import Exercise

NOTEBOOK = "07_complexity"


# The oracles: each product of matrices by itself, as rows · terms · columns.


def product(rows: int, terms: int, columns: int) -> int:
    """A product of matrices (rows, terms) @ (terms, columns) has rows · columns sums of so many terms."""
    return rows * columns * terms


def attention_oracle(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    """Q Kᵀ, then weights @ V."""
    return product(n_queries, d_key, n_keys) + product(n_queries, n_keys, d_value)


def self_attention_oracle(n_tokens: int, d_model: int, d_key: int, d_value: int) -> int:
    """X W_Q, X W_K, X W_V, then attention."""
    projections = sum(product(n_tokens, d_model, d_out) for d_out in (d_key, d_key, d_value))
    return projections + attention_oracle(n_tokens, n_tokens, d_key, d_value)


def recurrent_oracle(n_tokens: int, d_in: int, d_hidden: int) -> int:
    """At each step one row goes through two matrices."""
    return sum(product(1, d_in, d_hidden) + product(1, d_hidden, d_hidden) for _ in range(n_tokens))


def convolution_oracle(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    """At each place of the kernel the whole sequence goes through a matrix."""
    return sum(product(n_tokens, d_in, d_out) for _ in range(kernel_size))


def dense_oracle(n_tokens: int, d_in: int, d_out: int) -> int:
    """The sequence as a single row."""
    return product(1, n_tokens * d_in, n_tokens * d_out)


def crossover_oracle(d_model: int, d_key: int, d_value: int) -> float:
    """One token's projections over what each pair costs."""
    for_each_token = self_attention_oracle(1, d_model, d_key, d_value) - attention_oracle(
        1, 1, d_key, d_value
    )
    return for_each_token / attention_oracle(1, 1, d_key, d_value)


def bytes_oracle(batch: int, n_heads: int, n_queries: int, n_keys: int, bytes_per_number: int) -> int:
    """The size of an array of that shape."""
    return math.prod((batch, n_heads, n_queries, n_keys)) * bytes_per_number


def exponent_oracle(sizes: np.ndarray, costs: np.ndarray) -> float:
    """The normal equations of a line through (log size, log cost)."""
    return _line(np.log(sizes), np.log(costs))[1]


def _line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Intercept and slope of the least-squares line."""
    return np.linalg.lstsq(np.stack([np.ones_like(x), x], axis=1), y, rcond=None)[0]


# The ways to miscount: each gives the cost in the place of the oracle's.


def _multiplied(right: Callable[..., float], *factors: float) -> tuple[Callable[..., float], ...]:
    """The right count, times each of these."""
    return tuple(lambda factor=factor, **sizes: factor * right(**sizes) for factor in factors)


def _added_apart(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    """A sum of d terms as d multiplications and d − 1 additions."""
    return n_queries * n_keys * (2 * d_key - 1) + n_queries * d_value * (2 * n_keys - 1)


def _projected(*columns: Callable[[int, int], int], mixing: bool = True) -> Callable[..., int]:
    """Self-attention with other projections than the three: what each has for columns, given d_key and d_value."""

    def count(n_tokens: int, d_model: int, d_key: int, d_value: int) -> int:
        wide = sum(column(d_key, d_value) for column in columns)
        pairs = attention_oracle(n_tokens, n_tokens, d_key, d_value) if mixing else 0
        return n_tokens * d_model * wide + pairs

    return count


def _key(d_key: int, d_value: int) -> int:
    return d_key


def _value(d_key: int, d_value: int) -> int:
    return d_value


def _crossing(terms: Callable[[int, int, int], float]) -> Callable[..., float]:
    return lambda d_model, d_key, d_value: terms(d_model, d_key, d_value)


def _within(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    """The kernel's places that lie on tokens, over all outputs."""
    inside = sum(
        0 <= i + t - kernel_size // 2 < n_tokens for i in range(n_tokens) for t in range(kernel_size)
    )
    return inside * d_in * d_out


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


def _mean_ratio(sizes: np.ndarray, costs: np.ndarray) -> float:
    kept = sizes != 1  # log 1 is 0
    return float(np.mean(np.log(costs[kept]) / np.log(sizes[kept])))


def _noise(right: Callable[..., float]) -> Callable[..., tuple[float]]:
    """A count may go through floating-point numbers on the way: an error in units of the result."""
    return lambda **sizes: (abs(right(**sizes)),)


def _exponent_noise(sizes: np.ndarray, costs: np.ndarray) -> tuple[float]:
    """Sums of logarithms, over the spread of the sizes."""
    x, y = np.log(sizes), np.log(costs)
    return (len(x) * (1.0 + np.abs(x).max()) * (1.0 + np.abs(y).max()) / x.var(),)


def _count(
    name: str,
    right: Callable[..., float],
    arguments: Mapping[str, tuple[int, int]],
    wrong: Mapping[str, tuple[Callable[..., Any], ...]],
    **rest: Any,
) -> Exercise:
    """An exercise that asks for a whole number made from whole numbers.

    Args:
        arguments: name → (a size as it is in use, a size that is equal to another's).
    """
    return Exercise(
        name=name,
        notebook=NOTEBOOK,
        library="numpy",
        number=True,
        made=True,
        parts=("bytes",) if name == "score_bytes" else ("multiply_adds",),
        oracle=right,
        noise=_noise(right),
        cases=cases.sizes(
            *arguments,
            large={argument: sizes[0] for argument, sizes in arguments.items()},
            alike={argument: sizes[1] for argument, sizes in arguments.items()},
        ),
        wrong=wrong,
        ideas=IDEAS,
        **rest,
    )


EXERCISES = (
    _count(
        "attention_multiply_adds",
        attention_oracle,
        {"n_queries": (1000, 6), "n_keys": (2048, 6), "d_key": (64, 4), "d_value": (128, 4)},
        {
            "scores-only": (lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_key,),
            "mixing-only": (lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_value,),
            "linear-in-length": (
                lambda n_queries, n_keys, d_key, d_value: n_queries * (d_key + d_value),
                lambda n_queries, n_keys, d_key, d_value: n_keys * (d_key + d_value),
                lambda n_queries, n_keys, d_key, d_value: (n_queries + n_keys) * (d_key + d_value),
                lambda n_queries, n_keys, d_key, d_value: n_queries * d_key + n_keys * d_value,
                lambda n_queries, n_keys, d_key, d_value: (n_queries + n_keys) * d_key + n_keys * d_value,
            ),
            "queries-for-keys": (
                lambda n_queries, n_keys, d_key, d_value: n_queries**2 * (d_key + d_value),
                lambda n_queries, n_keys, d_key, d_value: n_keys**2 * (d_key + d_value),
            ),
            "sizes-multiplied": (
                lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_key * d_value,
                lambda n_queries, n_keys, d_key, d_value: (n_queries * n_keys) ** 2 * d_key * d_value,
            ),
            "softmax-counted": tuple(
                lambda n_queries, n_keys, d_key, d_value, more=more: (
                    n_queries * n_keys * (d_key + d_value + more)
                )
                for more in (1, 2, 3, 4, 5)
            ),
            "counted-twice": (*_multiplied(attention_oracle, 2), _added_apart),
            "parentheses-forgotten": (
                lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_key + d_value,
            ),
            "one-width": (
                lambda n_queries, n_keys, d_key, d_value: 2 * n_queries * n_keys * d_key,
                lambda n_queries, n_keys, d_key, d_value: 2 * n_queries * n_keys * d_value,
            ),
            "half-of-the-pairs": (
                lambda n_queries, n_keys, d_key, d_value: n_queries * (n_keys + 1) / 2 * (d_key + d_value),
                lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys / 2 * (d_key + d_value),
            ),
        },
        prompt="Count the multiply–adds of the two products in attention.",
        points=2,
        difficulty=1,
        minutes=10,
        hints=(
            "How many scores are there? How many terms does each of them have?",
            "The output has n_queries rows and d_value columns. Each number in it is a sum: over what?",
            "A product of (a, b) with (b, c) takes a · b · c multiply–adds. Do this for QKᵀ and for weights @ V, and "
            "add the two.",
        ),
    ),
    _count(
        "self_attention_multiply_adds",
        self_attention_oracle,
        {"n_tokens": (4096, 6), "d_model": (512, 6), "d_key": (64, 6), "d_value": (128, 6)},
        {
            "projections-forgotten": (
                lambda n_tokens, d_model, d_key, d_value: n_tokens**2 * (d_key + d_value),
                lambda n_tokens, d_model, d_key, d_value: n_tokens**2 * d_key,
                lambda n_tokens, d_model, d_key, d_value: n_tokens**2 * d_model,
            ),
            "projections-only": (_projected(_key, _key, _value, mixing=False),),
            "projection-missing": (
                _projected(_key, _value),
                _projected(_key, _key),
                _projected(_key),
                _projected(_value),
            ),
            "output-projection-counted": (
                _projected(_key, _key, _value, _value),
                lambda n_tokens, d_model, d_key, d_value: (
                    self_attention_oracle(n_tokens, d_model, d_key, d_value) + n_tokens * d_model**2
                ),
            ),
            "projections-once": (
                lambda n_tokens, d_model, d_key, d_value: (
                    d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)
                ),
            ),
            "scores-only": (
                lambda n_tokens, d_model, d_key, d_value: (
                    n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * d_key
                ),
            ),
            "linear-in-length": (
                lambda n_tokens, d_model, d_key, d_value: (
                    n_tokens * d_model * (2 * d_key + d_value) + n_tokens * (d_key + d_value)
                ),
            ),
            "mixing-only": (
                lambda n_tokens, d_model, d_key, d_value: (
                    n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * d_value
                ),
            ),
            "counted-twice": _multiplied(self_attention_oracle, 2),
            "biases-counted": (
                lambda n_tokens, d_model, d_key, d_value: (
                    n_tokens * (2 * d_key + d_value)
                    + self_attention_oracle(n_tokens, d_model, d_key, d_value)
                ),
            ),
            "one-width": (
                _projected(_key, _key, _key),
                lambda n_tokens, d_model, d_key, d_value: self_attention_oracle(
                    n_tokens, d_model, d_key, d_key
                ),
            ),
            "square-projections": (
                lambda n_tokens, d_model, d_key, d_value: (
                    3 * n_tokens * d_model**2 + n_tokens**2 * (d_key + d_value)
                ),
                lambda n_tokens, d_model, d_key, d_value: self_attention_oracle(
                    n_tokens, d_model, d_model, d_model
                ),
            ),
            "parentheses-forgotten": (
                lambda n_tokens, d_model, d_key, d_value: (
                    n_tokens * d_model * 2 * d_key + d_value + n_tokens**2 * (d_key + d_value)
                ),
                lambda n_tokens, d_model, d_key, d_value: (
                    n_tokens * d_model * 2 * d_key + d_value + n_tokens**2 * d_key + d_value
                ),
            ),
        },
        prompt="Count the multiply–adds of self-attention with one head: three projections, then attention.",
        points=2,
        difficulty=1,
        minutes=10,
        hints=(
            "Five products of matrices in all. Write down the shapes of each.",
            "X is (n_tokens, d_model). W_Q and W_K are (d_model, d_key), W_V is (d_model, d_value).",
            "The two products that remain you have counted already: `attention_multiply_adds`, with as many keys as "
            "queries.",
        ),
    ),
    Exercise(
        name="crossover_length",
        notebook=NOTEBOOK,
        prompt="Find the length at which scores and mixing cost as much as the three projections.",
        points=2,
        difficulty=2,
        minutes=10,
        hints=(
            "One part grows with n, the other with n². Write down both, with all their factors.",
            "Set the two equal, and divide both sides by n.",
            "n · (d_key + d_value) = d_model · (…). The result is a real number.",
        ),
        library="numpy",
        number=True,
        made=True,
        parts=("length",),
        oracle=crossover_oracle,
        noise=_noise(crossover_oracle),
        cases=cases.crossover_cases,
        wrong={
            "crossover-inverted": (
                _crossing(lambda d, k, v: (k + v) / (d * (2 * k + v))),
                _crossing(lambda d, k, v: d * (k + v) / (2 * k + v)),
            ),
            "crossover-rounded": tuple(
                lambda rounded=rounded, **sizes: rounded(crossover_oracle(**sizes))
                for rounded in (
                    round,
                    math.floor,
                    math.ceil,
                    lambda n: math.floor(n) + 1,
                    lambda n: round(n, 1),
                    lambda n: round(n, 2),
                )
            ),
            "length-squared": (_crossing(lambda d, k, v: math.sqrt(d * (2 * k + v) / (k + v))),),
            "scores-only": (_crossing(lambda d, k, v: d * (2 * k + v) / k),),
            "mixing-only": (_crossing(lambda d, k, v: d * (2 * k + v) / v),),
            "projection-missing": (
                _crossing(lambda d, k, v: d),
                _crossing(lambda d, k, v: d * 2 * k / (k + v)),
                _crossing(lambda d, k, v: d * k / (k + v)),
                _crossing(lambda d, k, v: d * v / (k + v)),
            ),
            "output-projection-counted": (_crossing(lambda d, k, v: 2 * d),),
            "one-width": (
                _crossing(lambda d, k, v: 1.5 * d),
                _crossing(lambda d, k, v: 3 * d * k / (k + v)),
            ),
            "square-projections": (
                _crossing(lambda d, k, v: 3 * d**2 / (k + v)),
                _crossing(lambda d, k, v: 3 * d / 2 * d / k),
            ),
            "parentheses-forgotten": (
                _crossing(lambda d, k, v: d * (2 * k + v) / k + v),
                _crossing(lambda d, k, v: d * 2 * k + v / (k + v)),
                _crossing(lambda d, k, v: d * 2 * k + v / k + v),
            ),
        },
        ideas=IDEAS,
    ),
    _count(
        "recurrent_multiply_adds",
        recurrent_oracle,
        {"n_tokens": (4096, 6), "d_in": (512, 6), "d_hidden": (256, 6)},
        {
            "recurrent-input-only": (lambda n_tokens, d_in, d_hidden: n_tokens * d_in * d_hidden,),
            "recurrent-state-only": (lambda n_tokens, d_in, d_hidden: n_tokens * d_hidden**2,),
            "gated-cell": _multiplied(recurrent_oracle, 3, 4),
            "first-state-skipped": (
                lambda n_tokens, d_in, d_hidden: (
                    n_tokens * d_in * d_hidden + (n_tokens - 1) * d_hidden * d_hidden
                ),
            ),
            "length-forgotten": (lambda n_tokens, d_in, d_hidden: d_in * d_hidden + d_hidden**2,),
            "counted-twice": _multiplied(recurrent_oracle, 2),
            "quadratic-in-length": (
                lambda n_tokens, d_in, d_hidden: n_tokens**2 * (d_in * d_hidden + d_hidden**2),
            ),
            "biases-counted": tuple(
                lambda n_tokens, d_in, d_hidden, biases=biases: (
                    n_tokens * d_hidden * (d_in + d_hidden + biases)
                )
                for biases in (1, 2)
            ),
            "parentheses-forgotten": (
                lambda n_tokens, d_in, d_hidden: n_tokens * d_in * d_hidden + d_hidden**2,
            ),
        },
        prompt="Count the multiply–adds of a plain recurrent cell along a sequence.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "One step is h_t = tanh(x_t W_in + h_{t−1} W_hidden). What are the shapes of the two matrices?",
            "A row of d_in numbers times a matrix of (d_in, d_hidden) takes d_in · d_hidden multiply–adds. The state "
            "has d_hidden numbers before the step and after it.",
            "Add up the two products of one step. All steps are alike, the first included.",
        ),
    ),
    _count(
        "convolution_multiply_adds",
        convolution_oracle,
        {"n_tokens": (4096, 6), "kernel_size": (5, 3), "d_in": (512, 6), "d_out": (256, 6)},
        {
            "kernel-forgotten": (lambda n_tokens, kernel_size, d_in, d_out: n_tokens * d_in * d_out,),
            "kernel-squared": (
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size**2 * d_in * d_out,
            ),
            "channels-not-crossed": (
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_in,
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_out,
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size,
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * (d_in + d_out),
            ),
            "no-padding": (
                lambda n_tokens, kernel_size, d_in, d_out: (
                    (n_tokens - kernel_size + 1) * kernel_size * d_in * d_out
                ),
                lambda n_tokens, kernel_size, d_in, d_out: (
                    max(0, n_tokens - kernel_size + 1) * kernel_size * d_in * d_out
                ),
            ),
            "zeros-not-counted": (_within,),
            "length-forgotten": (lambda n_tokens, kernel_size, d_in, d_out: kernel_size * d_in * d_out,),
            "counted-twice": _multiplied(convolution_oracle, 2),
            "quadratic-in-length": (
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens**2 * d_in * d_out,
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens**2 * kernel_size * d_in * d_out,
            ),
            "biases-counted": (
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * d_out * (kernel_size * d_in + 1),
            ),
            "one-width": (
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_in**2,
                lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_out**2,
            ),
        },
        prompt="Count the multiply–adds of a convolution along a sequence, with zeros beyond its ends.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "One channel of one output token is a sum. Over which numbers?",
            "The kernel lies over `kernel_size` tokens of d_in channels each: so many terms has each sum.",
            "There are n_tokens · d_out sums. The zeros beyond the ends are multiplied like any other number.",
        ),
    ),
    _count(
        "dense_multiply_adds",
        dense_oracle,
        {"n_tokens": (1000, 6), "d_in": (64, 6), "d_out": (128, 6)},
        {
            "linear-in-length": (lambda n_tokens, d_in, d_out: n_tokens * d_in * d_out,),
            "length-forgotten": (lambda n_tokens, d_in, d_out: d_in * d_out,),
            "channels-not-crossed": (
                lambda n_tokens, d_in, d_out: n_tokens**2,
                lambda n_tokens, d_in, d_out: n_tokens**2 * d_in,
                lambda n_tokens, d_in, d_out: n_tokens**2 * d_out,
            ),
            "sizes-added": (
                lambda n_tokens, d_in, d_out: n_tokens * d_in + n_tokens * d_out,
                lambda n_tokens, d_in, d_out: n_tokens**2 * (d_in + d_out),
            ),
            "counted-twice": _multiplied(dense_oracle, 2),
            "biases-counted": (
                lambda n_tokens, d_in, d_out: n_tokens * d_out * (n_tokens * d_in + 1),
                lambda n_tokens, d_in, d_out: n_tokens**2 * d_in * d_out + d_out,
            ),
            "one-width": (
                lambda n_tokens, d_in, d_out: (n_tokens * d_in) ** 2,
                lambda n_tokens, d_in, d_out: (n_tokens * d_out) ** 2,
            ),
        },
        prompt="Count the multiply–adds of a dense layer from the whole sequence to the whole sequence.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "Laid out in one row, the sequence has n_tokens · d_in numbers. How many does the result have?",
            "A dense layer has a weight for every pair of a number that comes in and one that goes out, and uses each "
            "of them once.",
        ),
    ),
    Exercise(
        name="dense_parameters",
        notebook=NOTEBOOK,
        prompt="How many weights has a dense layer from 100 tokens of 64 channels to 100 tokens of 64 channels, "
        "without biases?",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "How many numbers come in, and how many go out?",
            "Each number that goes out has a weight for each that comes in.",
        ),
        kind="value",
        value=40960000,
        wrong_values={
            "one-output-token": (409600,),
            "one-token-only": (4096,),
            "channels-forgotten": (10000,),
            "one-kernel": (815104,),
            "biases-counted": (40966400, 40960064),
            "sizes-added": (12800,),
            "counted-twice": (81920000,),
            "bytes-counted": (163840000,),
        },
        ideas=IDEAS,
    ),
    Exercise(
        name="fit_exponent",
        notebook=NOTEBOOK,
        prompt="Fit a power of the size to costs: the least-squares slope of log cost against log size.",
        points=2,
        difficulty=2,
        minutes=15,
        hints=(
            "cost = factor · size^p. Take the logarithm of both sides: what is the slope of that line, and what its "
            "intercept?",
            "The slope of the least-squares line is the covariance of x and y over the variance of x, "
            "Σ (x − x̄)(y − ȳ) / Σ (x − x̄)². What are x and y here?",
            "`np.polyfit(x, y, 1)` fits a line as well: it gives the slope first, then the intercept.",
        ),
        library="numpy",
        number=True,
        parts=("exponent",),
        oracle=exponent_oracle,
        noise=_exponent_noise,
        cases=cases.exponent_cases,
        wrong={
            "exponent-not-logged": (
                _slope(_size, _cost),
                _slope(_size, _log_cost),
                _slope(_log_size, _cost),
            ),
            "exponent-inverted": (
                _slope(_log_cost, _log_size),
                lambda sizes, costs: 1 / exponent_oracle(sizes, costs),
                _slope(_cost, _size),
            ),
            "through-the-origin": (
                _through_origin,
                _mean_ratio,
                lambda sizes, costs: np.mean(np.log(costs) / np.log(sizes)),  # infinite where a size is 1
            ),
            "not-least-squares": (
                _between_ends,
                _between_smallest_and_largest,
                partial(_between_neighbours, np.mean),
                partial(_between_neighbours, np.median),
            ),
            "intercept-returned": (
                lambda sizes, costs: _line(np.log(sizes), np.log(costs))[0],
                lambda sizes, costs: np.exp(_line(np.log(sizes), np.log(costs))[0]),
            ),
        },
        ideas=IDEAS,
    ),
    _count(
        "score_bytes",
        bytes_oracle,
        {
            "batch": (32, 3),
            "n_heads": (16, 3),
            "n_queries": (1000, 5),
            "n_keys": (4096, 5),
            "bytes_per_number": (2, 4),
        },
        {
            "linear-in-length": (
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    batch * n_heads * n_queries * bytes_per_number
                ),
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    batch * n_heads * n_keys * bytes_per_number
                ),
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    batch * n_heads * (n_queries + n_keys) * bytes_per_number
                ),
            ),
            "queries-for-keys": (
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    batch * n_heads * n_queries**2 * bytes_per_number
                ),
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    batch * n_heads * n_keys**2 * bytes_per_number
                ),
            ),
            "heads-forgotten": (
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    batch * n_queries * n_keys * bytes_per_number
                ),
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    n_queries * n_keys * bytes_per_number
                ),
            ),
            "batch-forgotten": (
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    n_heads * n_queries * n_keys * bytes_per_number
                ),
            ),
            "bytes-forgotten": (
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                    batch * n_heads * n_queries * n_keys
                ),
            ),
            "bits-for-bytes": _multiplied(bytes_oracle, 8, 1 / 8),
            "precision-ignored": tuple(
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number, always=always: (
                    batch * n_heads * n_queries * n_keys * always
                )
                for always in (4, 8)
            ),
            "half-of-the-pairs": _multiplied(bytes_oracle, 1 / 2),
            "weights-counted": _multiplied(bytes_oracle, 2),
            "other-unit": _multiplied(
                bytes_oracle, *(unit**-power for unit in (1000, 1024) for power in (1, 2, 3))
            ),
        },
        prompt="Find the memory of the score matrices of a batch, in bytes.",
        points=1,
        difficulty=1,
        minutes=5,
        hints=(
            "The scores are one tensor. What is its shape, with all its axes?",
            "It has as many numbers as the product of its sizes. Each takes bytes_per_number bytes.",
        ),
    ),
)

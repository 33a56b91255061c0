"""What has become of the right numbers, each by itself, in words."""

from collections.abc import Callable, Sequence

import numpy as np

from course_attention.judging.seen_numbers import SeenNumbers, agree, same

_NEAR = 0.02  # of the largest number: what half precision leaves after a few steps
_MOST_DIGITS = 3


def _softmax(x: np.ndarray) -> np.ndarray:
    if not x.ndim:
        return x
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


_FUNCTIONS: tuple[tuple[Callable[[np.ndarray], np.ndarray], str], ...] = (
    (np.abs, "Every number has lost its sign. Where is an absolute value taken, or a square?"),
    (lambda x: np.maximum(x, 0.0), "What is below 0 has become 0, and the other numbers are right."),
    (np.square, "Every number is the square of the right one."),
    (np.sqrt, "Every number is the square root of the right one."),
    (np.exp, "Every number is exp of the right one. Is there an exp too many?"),
    (np.log, "Every number is the logarithm of the right one."),
    (np.tanh, "Every number is tanh of the right one. Is there a tanh too many?"),
    (np.arctanh, "tanh of every number is the right one. Is a tanh left out?"),
    (lambda x: 1 / (1 + np.exp(-x)), "Every number is the sigmoid of the right one. Is there a sigmoid too many?"),
    (lambda x: 1 / x, "Every number is 1 divided by the right one."),
    (_softmax, "Each row is the softmax of the right one. Is there a softmax too many?"),
)

_TO_WHOLE: tuple[tuple[Callable[[np.ndarray], np.ndarray], str], ...] = (
    (np.floor, "The right numbers are rounded down to whole ones. In Python, `//` does that, and `/` divides."),
    (np.trunc, "What stands behind the point of the right numbers is cut off."),
    (np.round, "The right numbers are rounded to whole ones."),
)
_DOWN = [said for _, said in _TO_WHOLE[:2]]
_WHOLE = "The right numbers are made whole. In Python, `//`, `int` and `round` do that, and `/` divides."


def function_of(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say of which function the numbers are, taken of the right ones."""
    with np.errstate(all="ignore"):
        ways = [said for f, said in _TO_WHOLE if agree(seen, (f(one.expected) for one in seen))]
        if ways:  # the numbers of the cases may agree with several ways
            return ways[0] if len(ways) == 1 or ways == _DOWN else _WHOLE
        return next((said for f, said in _FUNCTIONS if agree(seen, (f(one.expected) for one in seen))), "")


def rounded(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that the right numbers are rounded to a few digits."""
    for digits in range(1, _MOST_DIGITS + 1):
        if agree(seen, (np.round(one.expected, digits) for one in seen)):
            return (
                f"The right numbers are rounded: {digits} {'digit' if digits == 1 else 'digits'} behind the point stay."
            )
    return ""


def nearly(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that no number is far off."""
    if any(one.expected.size < 2 or same(one.received, one.expected) for one in seen):
        return ""
    if all(np.abs(one.received - one.expected).max() <= _NEAR * np.abs(one.expected).max() for one in seen):
        return (
            "No number is off by more than 2 % of the largest. Is something rounded on the way, as `.half()` and "
            "`.bfloat16()` do, or a small number added?"
        )
    return ""

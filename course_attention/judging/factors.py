"""Factors, signs and shifts that lead from the right numbers to wrong ones, in words."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from course_attention.judging.seen_numbers import ENOUGH, SeenNumbers, count, same, sizes

_QUESTION = "Is a factor missing, or is there one too many?"
_OTHER_SIGN = "−1"
_POWERS = {
    1.0: "times {}",
    -1.0: "divided by {}",
    0.5: "times the square root of {}",
    -0.5: "divided by the square root of {}",
    2.0: "times the square of {}",
    -2.0: "divided by the square of {}",
}


_KNOWN = tuple(
    (number, f"{name}, the factor between logarithms to the base {base} and natural ones")
    for base in (2, 10)
    for number, name in ((math.log(base), f"ln {base}"), (1 / math.log(base), f"1 / ln {base}"))
)


def scaled(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say by which factor the numbers are wrong."""
    factors = []
    for one in seen:
        if not one.expected.any():
            return ""
        largest = np.unravel_index(np.abs(one.expected).argmax(), one.expected.shape)
        factors.append(float(one.received[largest] / one.expected[largest]))
        if factors[-1] == 0 or not same(one.received, factors[-1] * one.expected):
            return ""
    times = _in_words(factors, seen, count(seen))
    if times == _OTHER_SIGN:
        return "Every number is right but for its sign."
    return f"Every number is the right one {times}. {_QUESTION}" if times else ""


def weights_of_other_scores(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say by which factor the scores are wrong whose softmax came."""
    factors, told, numbers = [], [], 0
    for one in seen:
        axis = one.inputs.get("axis", -1)
        if not (one.expected.ndim and _are_weights(one.expected, axis) and _are_weights(one.received, axis)):
            return ""
        right, came = (_scores(weights, axis) for weights in (one.expected, one.received))
        if np.abs(right).max() < 1e-6:  # one key alone, or keys that score the same
            if np.abs(came).max() > 1e-3:
                return ""
            continue
        told.append(one)
        factors.append(float((right * came).sum() / (right * right).sum()))
        if not np.allclose(came, factors[-1] * right, atol=5e-5, rtol=5e-4):
            return ""
        numbers += right.size - right.size // right.shape[axis]
    for base in (2, 10):
        if factors and np.allclose(factors, np.log(base), rtol=1e-3) and numbers > ENOUGH:
            return f"They are the weights that come where {base}, and not e, is raised to the scores."
    times = _in_words(factors, told, numbers) if factors else ""
    if times == _OTHER_SIGN:
        return "The lowest score gets the largest weight: the scores have the other sign."
    return f"They are the weights of other scores: of the right ones {times}. {_QUESTION}" if times else ""


def _are_weights(array: np.ndarray, axis: int) -> bool:
    return bool((array > 0).all()) and np.allclose(array.sum(axis), 1.0, atol=1e-3)


def _scores(weights: np.ndarray, axis: int) -> np.ndarray:
    scores = np.log(weights)
    return np.asarray(scores - scores.mean(axis, keepdims=True))


def shifted(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say which number is added to all of them."""
    shifts = [float((one.received - one.expected).mean()) if one.expected.size else 0.0 for one in seen]
    if not all(same(one.received, one.expected + shift) for one, shift in zip(seen, shifts, strict=True)):
        return ""
    is_one = np.allclose(shifts, shifts[0], rtol=1e-3)
    if count(seen) - (1 if is_one else len(shifts)) < ENOUGH:
        return ""
    differs = "" if is_one else ", a number that differs from case to case"
    return f"Every number is the right one {_plus(shifts[0])}{differs}."


def row_by_row(axes: str, seen: Sequence[SeenNumbers]) -> str:
    """Say that each row has a factor, or a shift, of its own."""
    rows = [pair for one in seen for pair in _rows(one)]
    if not rows or len(rows) <= len(seen) or sum(len(came) - 1 for came, _ in rows) < ENOUGH:
        return ""
    factors = [float(came @ right / (right @ right)) if right.any() else 0.0 for came, right in rows]
    if all(factor and same(came, factor * right) for factor, (came, right) in zip(factors, rows, strict=True)):
        return f"Each row is the right one times a number of its own: {factors[0]:.3g} for the first. {_QUESTION}"
    shifts = [float((came - right).mean()) for came, right in rows]
    if all(same(came, right + shift) for shift, (came, right) in zip(shifts, rows, strict=True)):
        return f"Each row is the right one {_plus(shifts[0])}, where another row has another number."
    return ""


def _rows(one: SeenNumbers) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    if one.expected.ndim > 1:
        length = one.expected.shape[-1]
        yield from zip(one.received.reshape(-1, length), one.expected.reshape(-1, length), strict=True)


def _plus(shift: float) -> str:
    return f"{'plus' if shift > 0 else 'minus'} {abs(shift):.3g}"


def _in_words(factors: Sequence[float], seen: Sequence[SeenNumbers], numbers: int) -> str:
    """Return one factor for each case in words, or "" where too few numbers speak for it."""
    if np.allclose(factors, 1.0, rtol=1e-3):
        return ""
    if np.allclose(factors, factors[0], rtol=1e-3):
        return _in_all(factors[0]) if numbers > ENOUGH else ""
    for name, lengths in sizes(seen) if numbers >= ENOUGH else ():
        for power, how in _POWERS.items():
            if (lengths > 0).all() and np.allclose(factors, lengths**power, rtol=1e-3):
                return f"{how.format(f'{lengths[0]:g}')}, which is {name}"
    if numbers - len(factors) < ENOUGH:
        return ""
    return f"times a factor that differs from case to case, and is {factors[0]:.3g} here"


def _in_all(factor: float) -> str:
    if abs(factor + 1) < 1e-3:
        return _OTHER_SIGN
    inverse = 1 / factor
    for number, said in _KNOWN:
        if abs(abs(factor) / number - 1) < 1e-4:
            return f"times {factor:.3g}, which is {said}"
    is_inverse = abs(factor) < 1 and abs(inverse - round(inverse)) < 1e-3 * abs(inverse)
    return f"divided by {round(inverse)}" if is_inverse else f"times {factor:.3g}"

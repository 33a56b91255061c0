"""Compares what came with what was expected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from course_attention.execution.protocol import Outcome, Raised, Result
from course_attention.judging.drawing import EPSILON

# A right answer may sum in another order, scale before or after the product, and shift its exponents: a few roundings
# each. Measured over the corpus of right answers, none needs more than a third of this.
ROUNDINGS = 8
# A wrong computation explains no number that is further off than this part of its largest one.
_LARGEST_PART = 0.1


@dataclass(frozen=True)
class Difference:
    """The first way in which an outcome is not what was expected.

    Attributes:
        kind: "raised", "form", "type", "shape", "nan", "values" or "memory".
        part: the result's name, or "" where there is none to name.
        expected, received: the arrays that differ; None where there is none.
        where: index of the first place where they part.
        note: the difference in words.
    """

    kind: str
    part: str = ""
    expected: np.ndarray | None = None
    received: np.ndarray | None = None
    where: tuple[int, ...] | None = None
    note: str = ""


def differences(
    outcome: Outcome,
    parts: Sequence[str],
    expected: Sequence[np.ndarray],
    noise: Sequence[float | np.ndarray],
    dtype: str,
    mapping: bool = False,
    groups: tuple[int, ...] = (),
) -> list[Difference]:
    """All the ways in which an outcome differs, in the order of the results; empty where it is as expected.

    Args:
        outcome: what came.
        parts: the results' names.
        expected: the right result for each part. NaN and infinities are met by the same only.
        noise: for each part, the error in units of the dtype's epsilon that one rounding at each step may leave.
        mapping: the results are to come in a dict, under the names of the parts.
        dtype: how precise the results should be. It is taken from what was asked, never from what came: else a
            constant in bfloat16 would be close to every number.
        groups: how many results stand in a tuple of their own, see `Outcome`.
    """
    fault = unusable(outcome, parts, expected, mapping, groups)
    if fault is not None:
        return [fault]
    outcome = in_order(outcome, parts)
    found = (
        _compare(part, result, right, units, dtype)
        for part, result, right, units in zip(parts, outcome.results, expected, noise, strict=True)
    )
    return [difference for difference in found if difference is not None]


def unusable(
    outcome: Outcome,
    parts: Sequence[str],
    expected: Sequence[np.ndarray] = (),
    mapping: bool = False,
    groups: tuple[int, ...] = (),
) -> Difference | None:
    """Return the error that was raised, or the form that came in place of the one asked for; else None.

    The arguments are those of `differences`.
    """
    if outcome.error is not None:
        return of_error(outcome.error)
    form = _keys(outcome, parts) if mapping else _form(outcome, parts, groups)
    return Difference("form", parts[0], next(iter(expected), None), note=form) if form else None


def of_error(error: Raised) -> Difference:
    """Return what a case differs in whose answer raised."""
    return Difference("raised", note=f"the answer raised {error.type}: {error.message}".rstrip(": "))


def in_order(outcome: Outcome, parts: Sequence[str]) -> Outcome:
    """Return a mapping with the parts as its keys, as a tuple in their order; anything else as it is."""
    if outcome.form != "mapping" or set(outcome.names) != set(parts):
        return outcome
    by_name = dict(zip(outcome.names, outcome.results, strict=True))
    return replace(outcome, results=tuple(by_name[part] for part in parts), form="tuple")


def _keys(outcome: Outcome, parts: Sequence[str]) -> str:
    wanted = ", ".join(parts)
    if outcome.form != "mapping":
        return f"a dict should be returned, with the keys {wanted}; the answer returned {_came(outcome)}"
    if set(outcome.names) != set(parts):
        return f"the keys should be {wanted}; got {', '.join(outcome.names) or 'none'}"
    return ""


def _came(outcome: Outcome) -> str:
    if outcome.form == "nothing":
        return "None"
    form = "dict" if outcome.form == "mapping" else outcome.form
    if form == "single":
        return f"one {outcome.results[0].kind}, by itself"
    if not outcome.groups:
        return f"a {form} of {len(outcome.results)}"
    lengths = " and ".join(str(length) for length in outcome.groups if length)
    return f"a {form} of {len(outcome.groups)}, with tuples or lists of {lengths} in it"


def _layout(parts: Sequence[str], groups: tuple[int, ...]) -> str:
    """Return the results as a reader writes them.

    Example:
        >>> _layout(("output", "keys", "values"), (0, 2))
        '(output, (keys, values))'
    """
    left = iter(parts)
    places = [
        f"({', '.join(islice(left, length))})" if length else next(left) for length in groups or (0,) * len(parts)
    ]
    return places[0] if len(places) == 1 else f"({', '.join(places)})"


def _form(outcome: Outcome, parts: Sequence[str], groups: tuple[int, ...]) -> str:
    wanted = _layout(parts, groups)
    if outcome.form == "nothing":
        return f"{wanted} should be returned; the answer returned None"
    if len(parts) == 1 and outcome.form != "single":
        return f"{wanted} alone should be returned; the answer returned {_came(outcome)}"
    if len(outcome.results) != len(parts) or outcome.groups != groups or outcome.form == "mapping":
        joined = _joined(outcome, parts, groups)
        return f"{wanted} should be returned; the answer returned {_came(outcome)}{joined}"
    return ""


def _joined(outcome: Outcome, parts: Sequence[str], groups: tuple[int, ...]) -> str:
    """Return where the answer has one thing in the place of several, as the sentence goes on; "" where it has not.

    Example:
        >>> tensors = (Result("tensor"), Result("tensor"))
        >>> _joined(Outcome(tensors, "tuple"), ("output", "keys", "values"), (0, 2))
        ', with one tensor in the place of (keys, values)'
    """
    if outcome.groups or len(outcome.results) != len(groups):
        return ""
    left = iter(parts)
    names = [tuple(islice(left, length or 1)) for length in groups]
    return "".join(
        f", with one {result.kind} in the place of ({', '.join(inside)})"
        for result, inside, length in zip(outcome.results, names, groups, strict=True)
        if length
    )


def _compare(
    part: str, result: Result, expected: np.ndarray, noise: float | np.ndarray, dtype: str
) -> Difference | None:
    if result.values is None or result.kind not in ("tensor", "array", "number"):
        wanted = "an array of numbers" if expected.ndim else "a number"
        got = result.dtype or result.kind
        if result.kind == "ndarray":  # an answer that is given tensors has made an array
            wanted, got = "a tensor", "an array of NumPy's"
        return Difference("type", part, expected, note=f"{part} should be {wanted}; got {got}")
    received = np.asarray(result.values, dtype=np.float64)
    if received.shape != expected.shape:
        wanted = f"have shape {expected.shape}" if expected.ndim else "be one number"
        came = f"shape {received.shape}" if not expected.ndim else received.shape
        note = f"{part} should {wanted}; got {came}"
        return Difference("shape", part, expected, received, note=note)
    tolerance = noise * ROUNDINGS * EPSILON[dtype]
    if alike(received, expected, tolerance):
        return None
    where = first_difference(received, expected, tolerance)
    kind = "nan" if np.isnan(received).any() and not np.isnan(expected).any() else "values"
    return Difference(kind, part, expected, received, where)


def same(
    outcome: Outcome,
    parts: Sequence[str],
    results: Sequence[np.ndarray],
    noise: Sequence[float | np.ndarray],
    dtype: str,
    groups: tuple[int, ...] = (),
) -> bool:
    """Whether results are those of one of the many computations that an answer is held against.

    They are compared to the precision asked for, or to that of float32 where a coarser dtype came. Half precision gets
    no wider tolerance, and no tolerance is as large as the numbers themselves: else a constant would be explained by
    many a wrong computation, and a name earns points.
    """
    outcome = in_order(outcome, parts)
    if outcome.error is not None or _form(outcome, parts, groups):
        return False
    return all(
        came.values is not None
        and came.values.shape == result.shape
        and alike(came.values, result, _tolerance(result, units, came.dtype, dtype))
        for came, result, units in zip(outcome.results, results, noise, strict=True)
    )


def _tolerance(result: np.ndarray, units: float | np.ndarray, came: str, asked: str) -> float | np.ndarray:
    epsilon = EPSILON["float32"] if asked == "float64" and came in EPSILON and came != asked else EPSILON[asked]
    if epsilon > EPSILON["float32"]:  # in half precision a number may be lost in its rounding, and be right
        return units * ROUNDINGS * epsilon
    finite = np.abs(result[np.isfinite(result)]).max(initial=0.0)
    # Where the wrong result is 0 all over, its rounding is all that can be left.
    tolerance: float | np.ndarray = np.minimum(
        units * ROUNDINGS * epsilon, max(_LARGEST_PART * float(finite), ROUNDINGS * epsilon)
    )
    return tolerance


def alike(received: np.ndarray, expected: np.ndarray, tolerance: float | np.ndarray) -> bool:
    """Whether every number is within the tolerance; NaN and infinities are met by the same only.

    Example:
        >>> alike(np.array([1.0, np.nan]), np.array([1.01, np.nan]), tolerance=0.1)
        True
    """
    with np.errstate(invalid="ignore"):
        distance = np.abs(received - expected)
    if (distance <= tolerance).all():
        return True
    if not np.isnan(distance).any():  # nothing that is met by the same only
        return False
    return first_difference(received, expected, tolerance) is None


def first_difference(
    received: np.ndarray, expected: np.ndarray, tolerance: float | np.ndarray
) -> tuple[int, ...] | None:
    """Return the index of the first number further from the expected one than the tolerance, or None.

    Example:
        >>> first_difference(np.array([1.0, 2.5]), np.array([1.0, 2.0]), tolerance=0.1)
        (1,)
    """
    with np.errstate(invalid="ignore"):
        close = np.abs(received - expected) <= tolerance
    close |= (received == expected) | (np.isnan(received) & np.isnan(expected))
    if close.all():
        return None
    return tuple(int(i) for i in np.argwhere(~close)[0])

"""What one sees of a misconception: read off the judge's verdict, and for a training run from a list.

A reader who has an error looks for what they see. Most of it can be computed from the smallest case: rows that do not
sum to 1, a result that is right but for its sign. What is seen in training alone stands in `seen_in_training.toml`.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

import numpy as np

from course_attention.encyclopedia.entry_verdict import verdict_on
from course_attention.encyclopedia.in_training import trained
from course_attention.judging import properties
from course_attention.judging.verdict import Example, Verdict

OTHERWISE = "the numbers are wrong, and nothing else is striking"
LEARNS = "a model trains and writes as well as without it (measured)"


def symptoms(id: str) -> tuple[str, ...]:
    """Return what one sees of a misconception, each in words that a reader may search for; at least one."""
    return (_of_training(id) + _of_verdict(verdict_on(id))) or (OTHERWISE,)


@cache
def seen_in_training() -> Mapping[str, tuple[str, ...]]:
    """Return the symptoms that only a training run or a generated text shows: symptom → ids."""
    text = files("course_attention.encyclopedia").joinpath("seen_in_training.toml").read_text(encoding="utf-8")
    return {group["symptom"]: tuple(group["ids"]) for group in tomllib.loads(text)["group"]}


def _of_training(id: str) -> tuple[str, ...]:
    measured = trained(id)
    found = [symptom for symptom, ids in seen_in_training().items() if id in ids]
    return (*found, *([LEARNS] if measured is not None and measured.learns else []))


def _of_verdict(verdict: Verdict) -> tuple[str, ...]:
    held = dict(verdict.properties)
    found = [symptom for symptom, is_seen in _OF_EXAMPLE.items() if _compared(verdict.example, is_seen)]
    broken = {name for name, holds in held.items() if holds is False}
    found += [symptom for name, symptom in _OF_CONTRACT.items() if name in broken]
    if held.get(properties.VALUES.name):
        found += [symptom for name, symptom in _ONLY.items() if name in broken]
    if properties.VALUE.name in held:
        found.append("a number that was worked out by hand is wrong")
    return tuple(dict.fromkeys(found))


_OF_CONTRACT = {
    properties.GRADIENTS.name: "the loss does not fall: no gradient arrives",
    properties.DEVICE.name: "fine on the CPU, an error on a GPU",
    properties.DTYPE.name: "the result has another dtype than the input",
    properties.INPUTS_UNCHANGED.name: "the tensors that were passed in have changed",
    properties.EVALUATION_MODE.name: "the result changes from call to call, or between train() and eval()",
    properties.SHAPE.name: "the shape is wrong",
    properties.WRONG_FUNCTIONS_REFUSED.name: "a test passes, and the bug stays",
    properties.RIGHT_FUNCTIONS_ACCEPTED.name: "a test fails for a function that is right",
}
# What is right in plain cases, and goes wrong in these alone.
_ONLY = {
    properties.LEADING_DIMENSIONS.name: "fine without a batch, wrong with one",
    properties.MASK.name: "fine without a mask, wrong with one",
    properties.PADDING.name: "fine without padding, wrong with it",
    properties.NOTHING_ALLOWED.name: "wrong where a query may attend to nothing",
    properties.LARGE_SCORES.name: "fine with small scores, wrong with large ones",
    properties.STRIDES.name: "fine, until a tensor is transposed or sliced",
    properties.LONG_SEQUENCES.name: "fine for short sequences, wrong for long ones",
    properties.CACHE.name: "fine without a cache, wrong with one",
    properties.OTHER_SEQUENCE.name: "fine in self-attention, wrong in cross-attention",
    properties.ALIGNMENT.name: "fine where queries and keys are equally many, wrong where they are not",
    properties.DTYPES.name: "fine in one precision, wrong in another",
}


def _compared(example: Example | None, is_seen: Callable[[np.ndarray, np.ndarray, str], bool]) -> bool:
    """Whether something is seen in what was expected and what came of an example; not where either is missing."""
    if example is None or example.received is None or example.expected is None:
        return False
    try:
        expected, received = (np.asarray(one, dtype=float) for one in (example.expected, example.received))
    except (TypeError, ValueError):
        return False
    with np.errstate(all="ignore"):
        return bool(received.size and is_seen(expected, received, example.part))


def _other_sums(expected: np.ndarray, received: np.ndarray, part: str) -> bool:
    if expected.ndim == 0 or expected.shape != received.shape or part == "allowed":
        return False
    right = np.allclose(expected.sum(-1), 1.0) or (
        part in ("weights", "distribution") and np.allclose(expected.sum(-1), np.round(expected.sum(-1)))
    )
    return bool(right and not np.allclose(received.sum(-1), expected.sum(-1), atol=1e-3))


def _factor(expected: np.ndarray, received: np.ndarray) -> float:
    """Return the one factor by which all numbers are wrong; 1.0 where there is none. A single number shows a sign."""
    if expected.shape != received.shape or not np.isfinite(received).all():
        return 1.0
    there = expected != 0
    if not there.any() or (received[~there] != 0).any():
        return 1.0
    ratio = received[there] / expected[there]
    if ratio.size == 1 and not np.isclose(ratio[0], -1.0):
        return 1.0
    return float(ratio[0]) if np.allclose(ratio, ratio[0], rtol=1e-3) and ratio[0] != 0 else 1.0


def _difference(expected: np.ndarray, received: np.ndarray) -> float:
    """Return by how much a single number is too large; 0.0 where the result is no single number."""
    if expected.shape != received.shape or expected.size != 1 or not np.isfinite(received).all():
        return 0.0
    return float((received - expected).item())


def _first_rows_right(expected: np.ndarray, received: np.ndarray, part: str) -> bool:
    if expected.ndim < 2 or expected.shape != received.shape or expected.shape[-2] < 2:
        return False
    same = np.isclose(expected, received, rtol=1e-3).all(axis=-1).reshape(-1, expected.shape[-2]).all(axis=0)
    return bool(same[0] and not same.all())


_OF_EXAMPLE: dict[str, Callable[[np.ndarray, np.ndarray, str], bool]] = {
    "rows do not sum to 1": _other_sums,
    "NaN or infinity": lambda expected, received, part: bool(np.isfinite(expected).all() > np.isfinite(received).all()),
    "the shape is wrong": lambda expected, received, part: expected.shape != received.shape,
    "the first row is right, and a later one is not": _first_rows_right,
    "right but for the sign": lambda expected, received, part: bool(np.isclose(_factor(expected, received), -1.0)),
    "right up to one factor": lambda expected, received, part: not np.isclose(abs(_factor(expected, received)), 1.0),
    "a single number is too large": lambda expected, received, part: _difference(expected, received) > 0,
    "a single number is too small": lambda expected, received, part: _difference(expected, received) < 0,
    "the same numbers in another order": lambda expected, received, part: bool(
        expected.shape == received.shape
        and expected.size > 2
        and not np.allclose(expected, received)
        and len(np.unique(expected)) > 2
        and np.allclose(np.sort(expected, axis=None), np.sort(received, axis=None))
    ),
    "everything is 0": lambda expected, received, part: not received.any() and bool(expected.any()),
}

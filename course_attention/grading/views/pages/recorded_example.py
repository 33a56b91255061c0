"""The judge's smallest failing case, read back from a result file."""

from collections.abc import Mapping
from typing import Any

from course_attention.judging.verdict import Example

# A result file is JSON, which has no number for these.
_WORDS = {"nan", "inf", "-inf"}


def recorded_example(recorded: Mapping[str, Any] | None) -> Example | None:
    """Return the example of an exercise's `details`; None where it has none.

    Example:
        >>> recorded = {"title": "", "inputs": {}, "part": "output", "expected": [1.0], "received": ["nan"]}
        >>> recorded_example({**recorded, "where": [0], "note": ""}).received
        [nan]
    """
    if recorded is None:
        return None
    where = recorded["where"]
    return Example(
        title=recorded["title"],
        inputs={name: _numbers(value) for name, value in recorded["inputs"].items()},
        part=recorded["part"],
        expected=_numbers(recorded["expected"]),
        received=_numbers(recorded["received"]),
        where=None if where is None else tuple(where),
        note=recorded["note"],
    )


def _numbers(value: Any) -> Any:
    """Return a value in which floats stand for the words of a result file."""
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return float(value) if isinstance(value, str) and value in _WORDS else value

"""Tells equal verdicts apart from different ones: two answers got the same verdict when they gave the same numbers."""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

_DIGITS = 4  # to which numbers have to agree: two ways of rounding do not make two mistakes


def verdict_digest(entry: Mapping[str, Any]) -> bytes:
    """Return a digest of what the judge said of an answer, smallest failing case and result included.

    All answers of a class are tried on the same cases. Those that gave the same in the smallest failing case, and hold
    and break the same properties, have the same digest.

    Args:
        entry: an exercise's entry in a result, with its `details`.
    """
    details = entry["details"]
    told = {part: details[part] for part in ("idea", "explanation", "properties", "example")}
    said = [entry["name"], entry["status"], entry["misconception"], _rounded(told)]
    return blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=12).digest()


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value

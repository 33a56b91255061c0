"""Why an exercise earned what it did, property by property."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_WORDS = {0.0: "does not hold", 1.0: "holds"}
FOLLOWED = "goes wrong through the same mistake alone"
NOT_LOOKED_AT = "not looked at, because the numbers come first"


@dataclass(frozen=True)
class Reason:
    """One property of an answer.

    Attributes:
        name: the property.
        found: whether it holds, in words.
        worth, earned: in points. What was not looked at is worth nothing.
    """

    name: str
    found: str
    worth: float
    earned: float


def reasons(entry: Mapping[str, Any]) -> list[Reason]:
    """Return what each property of an answer was worth, and what it earned.

    Args:
        entry: an exercise's entry in a result, with its `details`. Results of older versions do not say what each
            property earned.

    Returns:
        A reason for each property, in the order in which they are looked at; none where the entry does not say.
    """
    credit: Sequence[tuple[str, float, float]] = entry["details"]["credit"]
    total = sum(weight for _, weight, _ in credit)
    share = entry["points"] / total if total else 0.0
    looked_at = [
        Reason(name, _WORDS.get(part, FOLLOWED), weight * share, weight * share * part) for name, weight, part in credit
    ]
    names = {name for name, _, _ in credit}
    left_out = [name for name, _ in entry["details"]["properties"] if name not in names]
    return looked_at and [*looked_at, *(Reason(name, NOT_LOOKED_AT, 0.0, 0.0) for name in left_out)]

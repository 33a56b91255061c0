"""How a status, points and properties are worded for people: the same words on the card, the pages and in tables."""

from collections.abc import Sequence

# What came of an exercise: a mark, so that nothing is told by colour alone, and words. The judge knows the statuses
# of a verdict; the others are the grader's, where no verdict was reached.
STATUSES = {
    "passed": ("✓", "passed"),
    "failed": ("✗", "not right yet"),
    "errored": ("!", "stopped with an error"),
    "forbidden": ("⊘", "uses what it should build"),
    "timeout": ("■", "did not end in time"),
    "out_of_memory": ("■", "out of memory"),
    "crashed": ("■", "its process ended"),
    "not_judged": ("?", "not judged"),
    "not_attempted": ("○", "not attempted"),
}
MISCONCEPTION = "Name of this misconception"
PRACTICE = "practice"  # what is worth no points
PRINTED = "What your answer printed (the check calls it many times; these are the first calls)"
_PROPERTIES = ((True, "Holds"), (False, "Does not hold"), (None, "Not looked at"))


def points(value: float) -> str:
    """Points with as many decimals as they need, and at most two.

    Example:
        >>> points(2.0), points(1.25), points(1 / 3)
        ('2', '1.25', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def points_of(earned: float, available: float) -> str:
    """Return the points earned, of the points that there are.

    Example:
        >>> points_of(0.5, 2.0)
        '0.5 of 2 points'
    """
    return f"{points(earned)} of {points(available)} {'point' if available == 1 else 'points'}"


def properties_by_result(properties: Sequence[Sequence[object]]) -> list[tuple[str, str]]:
    """Return the properties that hold, those that do not, and those not looked at: each as a label and the names.

    Example:
        >>> properties_by_result([("values", True), ("mask", False), ("shape", True)])
        [('Holds', 'values, shape'), ('Does not hold', 'mask')]
    """
    names = [(label, [str(name) for name, holds in properties if holds is result]) for result, label in _PROPERTIES]
    return [(label, ", ".join(those)) for label, those in names if those]

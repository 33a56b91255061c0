"""The words that all views share: for what came of an answer, for points, for mistaken ideas."""

from __future__ import annotations

from course_attention.exercises import CATALOGUE
from course_attention.judging.properties import CONTRACT_WORDS

# What came of an exercise: a mark, so that colour is never alone, and words.
STATUSES = {
    "passed": ("✓", "passed"),
    "failed": ("✗", "not right yet"),
    "errored": ("!", "stopped with an error"),
    "forbidden": ("⊘", "uses what it should build"),
    "timeout": ("■", "did not end in time"),
    "out_of_memory": ("■", "out of memory"),
    "crashed": ("■", "its process ended"),
    "not_attempted": ("○", "not attempted"),
}
# What came of a submission.
SUBMISSIONS = {
    "graded": "graded",
    "timeout": "did not end in time",
    "out_of_memory": "out of memory",
    "crashed": "its process ended",
    "malformed": "cannot be read as this notebook",
}
# In the notes of an answer that is the package's own source. It is said to the instructor alone.
COPIED = "the course's own source"


def points(value: float) -> str:
    """Points as people write them.

    Example:
        >>> points(2.0), points(1.25), points(1 / 3)
        ('2', '1.25', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """A share in percent, rounded; only all is 100%, and only nothing is 0%.

    Example:
        >>> percent(0.5), percent(0.999), percent(0.001), percent(1)
        ('50%', '99%', '1%', '100%')
    """
    rounded = round(100 * share)
    return f"{rounded if share in (0, 1) else min(max(rounded, 1), 99)}%"


def idea(misconception: str, exercise: str) -> str:
    """The title of a mistaken idea; its id, where this version of the course knows it no more.

    Example:
        >>> idea("no-scale", "attention")
        'The scores are not divided by √d_key'
    """
    own = CATALOGUE[exercise].exercise.words if exercise in CATALOGUE else {}
    return (own.get(misconception) or CONTRACT_WORDS.get(misconception) or (misconception,))[0]


def in_order(exercises: object) -> list[str]:
    """Names of exercises in the order in which they are taught."""
    places = {name: place for place, name in enumerate(CATALOGUE)}
    return sorted(exercises, key=lambda name: (places.get(name, len(places)), name))

"""Whose functions are at work: the line under what they have made."""

from collections.abc import Sequence

from course_attention.active_course import active
from course_attention.lesson.check import has_passed, is_lent
from course_attention.lesson.library import passed
from course_attention.lesson.naming import task_named


def signed(*names: str, **inside: Sequence[str]) -> str:
    """Say whose functions these are, as in `print(signed("attention", "rotary"))`: yours, or the course's.

    Args:
        names: exercises, whose functions `mine` or `check` gives, or practice.
        inside: a function, and those that it calls, as in `signed(interface_attention=["attention"])`. Where the outer
            one is the course's, it calls the course's own, whatever has passed.

    Raises:
        ValueError: there is no exercise and no practice of that name.

    Example:
        >>> signed("attention", "rotary")
        "0 of 2 functions are yours. The course's: attention, rotary."
    """
    owned = {name: _is_yours(name) for name in names}
    for outer, inner in inside.items():
        owned[outer] = _is_yours(outer)
        owned |= {name: _is_yours(name) and owned[outer] for name in inner}
    yours, others = ([name for name, is_yours in owned.items() if is_yours is own] for own in (True, False))
    return " ".join(
        [
            f"{len(yours)} of {len(owned)} functions are yours{': ' if yours else ''}{', '.join(yours)}.",
            *([f"The course's: {', '.join(others)}."] if others else []),
        ]
    )


def _is_yours(name: str) -> bool:
    """Say whether a name is the student's own: kept in their module, or passed in this session, and not lent since."""
    if name not in active().left_out:
        task_named(name, "signed")
    return has_passed(name) or (name in passed() and not is_lent(name))

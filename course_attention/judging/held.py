"""Which properties an answer was looked at for, and which of them hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from course_attention.judging.error_meanings import expects_other_axes
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed
from course_attention.judging.verdict import Properties

_LEADING = "leading dimensions"


def properties_of(
    exercise: FunctionExercise,
    names: Iterable[str],
    observed: Sequence[Observed],
    looked_at: Collection[str] = (),
    broken: Collection[str] = (),
) -> Properties:
    """Each property with True, False, or None where it was not looked at.

    Args:
        exercise: what was asked.
        names: the properties that the cases look at.
        observed: what came of the cases, without those that say nothing about the answer.
        looked_at: the contract checks that were made.
        broken: those of them that do not hold.
    """
    returned = [o for o in observed if o.returned]
    held: dict[str, bool | None] = {"shape": bool(returned) and not any(map(_misshapen, returned))}
    held |= dict.fromkeys(names)
    for o in observed:
        name = _LEADING if _LEADING in held and expects_other_axes(o.outcome.error) else o.about
        held[name] = held[name] is not False and not o.differences
    if held.get("values", True) is None:
        # All plain cases have another number of axes than the code can take: those that it can take stand in for them.
        plain = [o for o in returned if o.about == _LEADING and not o.masked]
        held["values"] = bool(plain) and not any(o.differences for o in plain)
    if held.get("values") is False and "dtypes" in held:
        held["dtypes"] = False  # bfloat16 alone proves nothing: its rounding admits many a constant
    for name in exercise.contract_checks:
        held[name] = name not in broken if name in looked_at else None
    return tuple(held.items())


def _misshapen(o: Observed) -> bool:
    return any(d.kind in ("form", "type", "shape") for d in o.differences)

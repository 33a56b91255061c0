"""Which properties an answer was looked at for, and which of them hold."""

from collections.abc import Collection, Iterable, Sequence

from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Array
from course_attention.judging import properties
from course_attention.judging.error_meanings import expects_other_axes
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed
from course_attention.judging.properties import Property
from course_attention.judging.scoring import Held


def what_holds(
    exercise: FunctionExercise,
    tried: Iterable[Property],
    observed: Sequence[Observed],
    looked_at: Collection[Property] = (),
    broken: Collection[Property] = (),
) -> Held:
    """Each property with True, False, or None where it was not looked at.

    Args:
        exercise: what was asked.
        tried: the properties that the cases look at.
        observed: what came of the cases, without those that say nothing about the answer.
        looked_at: the contract checks that were made.
        broken: those of them that do not hold.
    """
    returned = [o for o in observed if o.returned]
    held: dict[Property, bool | None] = {properties.SHAPE: bool(returned) and not any(map(_misshapen, returned))}
    held |= dict.fromkeys(tried)
    for o in observed:
        one = (
            properties.LEADING_DIMENSIONS
            if properties.LEADING_DIMENSIONS in held and _axes_are_new(o, returned)
            else o.about
        )
        held[one] = held[one] is not False and not o.differences
    if held.get(properties.VALUES, True) is None:
        # All plain cases have another number of axes than the code can take: those that it can take stand in for them.
        plain = [o for o in returned if o.about == properties.LEADING_DIMENSIONS and not o.masked]
        held[properties.VALUES] = bool(plain) and not any(o.differences for o in plain)
    if held.get(properties.VALUES) is False and properties.DTYPES in held:
        held[properties.DTYPES] = False  # bfloat16 alone proves nothing: its rounding admits many a constant
    for check in exercise.contract_checks:
        held[check] = check not in broken if check in looked_at else None
    return tuple(held.items())


def _axes_are_new(o: Observed, returned: Sequence[Observed]) -> bool:
    """Whether an answer raised because of the number of axes, and no case in which it returned has the same.

    Anybody can raise such an error. With the axes that an answer has taken elsewhere it excuses nothing, and neither
    does it for a mask where no mask has been taken at all.
    """
    if not expects_other_axes(o.outcome.error):
        return False
    axes, taken = _axes(o), [_axes(one) for one in returned]
    known = {name for one in taken for name in one}
    return not any(all(one.get(name) == n for name, n in axes.items() if name in known) for one in taken)


def _axes(o: Observed) -> dict[str, int]:
    """Return the number of axes of each array among the arguments."""
    arguments = labelled(o.prepared.case.arguments).items()
    return {name: value.values.ndim for name, value in arguments if isinstance(value, Array)}


def _misshapen(o: Observed) -> bool:
    return any(d.kind in ("form", "type", "shape") for d in o.differences)

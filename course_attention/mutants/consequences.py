"""Which of the properties that do not hold follow from another one that does not: its cases differ in that alone."""

from collections.abc import Mapping, Sequence

from course_attention.judging import properties
from course_attention.judging.observed import Observed
from course_attention.judging.properties import Property


def without_consequences(held: Mapping[Property, bool], observed: Sequence[Observed]) -> dict[Property, bool]:
    """Return what holds, without what fails for the reason of another property alone.

    Where every case that fails has more axes than the plain cases, leading dimensions are the reason. Where every case
    that fails has an argument that a plain case does without, such as a mask, the property of this argument is.

    Args:
        held: whether each property holds.
        observed: the cases, and what came of them.
    """
    failing = [o for o in observed if o.differences and _is_main(o.about) and held.get(o.about) is not None]
    broken = {o.about for o in failing} | {one for one, holds in held.items() if not holds and _is_main(one)}
    if len(broken) < 2:
        return dict(held)
    plain = [o for o in observed if o.about in (properties.VALUES, properties.MASK) and not o.differences]
    least = min((_axes(o) for o in plain), default=0)
    if properties.LEADING_DIMENSIONS in broken and plain and all(_axes(o) > least for o in failing):
        behind = {properties.LEADING_DIMENSIONS}
    elif properties.VALUES in broken:
        return dict(held)
    else:
        behind = {one for one in broken - {properties.LEADING_DIMENSIONS} if _is_behind(one, failing, observed)}
    follows = broken - behind if len(behind) == 1 else set()
    return {one: holds for one, holds in held.items() if one not in follows}


def _is_main(one: Property) -> bool:
    return not one.edge and one != properties.SHAPE


def _is_behind(one: Property, failing: Sequence[Observed], observed: Sequence[Observed]) -> bool:
    """Whether every case that fails has the arguments of a property's own cases, which plain cases do without."""
    own = [_given(o) for o in observed if o.about == one]
    plain = [_given(o) for o in observed if o.about == properties.VALUES]
    always = set.intersection(*plain) if plain else set()
    new = set.intersection(*own) - always if own else set()
    return bool(new) and all(new <= _given(o) for o in failing)


def _given(o: Observed) -> set[str]:
    return {name for name, value in o.prepared.case.arguments.items() if value is not None}


def _axes(o: Observed) -> int:
    return max((expected.ndim for expected in o.prepared.expected), default=0)

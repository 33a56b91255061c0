"""The share of an exercise that an answer earns: the weight of the properties that hold, of those looked at."""

from collections.abc import Collection, Mapping

from course_attention.judging.properties import Property
from course_attention.judging.verdict import Credit

Held = tuple[tuple[Property, bool | None], ...]
"""Properties, and whether they hold of an answer; None where that was not looked at."""

FOLLOW_THROUGH = 0.5
"""What a property still earns, of its weight, where it fails by nothing but the mistake in the plain cases."""

MOST_FOR_A_FAILURE = 0.99
"""Whatever the weights are, an answer that fails does not earn everything."""


def credit(held: Held, weights: Mapping[Property, float], followed: Collection[Property] = ()) -> tuple[Credit, ...]:
    """Return what each property earns that was looked at.

    Args:
        held: the properties, and whether they hold.
        weights: the exercise's own; another property has its own weight.
        followed: properties that fail by nothing but a mistake that already shows in the plain cases.

    Example:
        >>> from course_attention.judging.properties import DEVICE, SHAPE, VALUES
        >>> credit(((SHAPE, True), (VALUES, False), (DEVICE, None)), {VALUES: 2.0})
        (Credit(property='shape', weight=0.0, part=1.0), Credit(property='values', weight=2.0, part=0.0))
    """
    earned = {True: 1.0, False: 0.0}
    return tuple(
        Credit(one.name, weights.get(one, one.weight), FOLLOW_THROUGH if one in followed else earned[holds])
        for one, holds in held
        if holds is not None
    )


def score(held: Held, weights: Mapping[Property, float], followed: Collection[Property] = ()) -> float:
    """Return the share that an answer earns which fails: the weight earned, of the weight of what was looked at.

    Args:
        held, weights, followed: as in `credit`.

    Example:
        >>> from course_attention.judging.properties import DEVICE, MASK, SHAPE, VALUES
        >>> score(((SHAPE, True), (VALUES, True), (MASK, False), (DEVICE, None)), {MASK: 2.0})
        0.75
    """
    earned = credit(held, weights, followed)
    total = sum(one.weight for one in earned)
    share = sum(one.weight * one.part for one in earned) / total if total else 0.0
    return min(share, MOST_FOR_A_FAILURE)

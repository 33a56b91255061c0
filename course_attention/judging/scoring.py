"""What a property is worth: the share of an exercise that an answer earns.

Points follow what was understood. The numbers in plain cases weigh most and the edges least. A right shape is worth
nothing by itself. An exercise may give weights of its own (`Exercise.weights`), and a course may change either.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from course_attention.judging.verdict import Credit, Properties

WEIGHTS: Mapping[str, float] = {
    # Plain cases: is the formula right?
    "values": 6.0,
    "value": 6.0,
    # What the exercise is about beside the formula.
    "mask": 3.0,
    "padding": 3.0,
    "other sequence": 3.0,
    "alignment": 3.0,
    "nothing to find": 3.0,
    "rows of different lengths": 3.0,
    "cache": 3.0,
    "top_k": 3.0,
    "top_p": 3.0,
    "greedy": 2.0,
    "top_k and top_p": 2.0,
    "scattered documents": 3.0,
    "axis": 2.0,
    "positions": 2.0,
    "clipping": 2.0,
    "last block": 2.0,
    "memory": 2.0,
    "noise": 2.0,
    "long sequences": 2.0,
    "leading dimensions": 1.0,
    "base": 1.0,
    "one feature": 1.0,
    "odd d_model": 1.0,
    "first token": 1.0,
    # Edges.
    "edges": 0.5,
    "nothing allowed": 0.5,
    "large scores": 0.5,
    "strides": 0.5,
    "dtypes": 0.25,
    # The contract, which is looked at once all numbers are right.
    "inputs unchanged": 1.0,
    "gradients": 1.0,
    "dtype": 0.5,
    "device": 0.5,
    "evaluation mode": 0.5,
    "shape": 0.0,
}
"""Property → its weight, where the exercise says nothing else."""

FOLLOW_THROUGH = 0.5
"""What a property still earns, of its weight, where it fails by nothing but the mistake in the plain cases."""

MOST_FOR_A_FAILURE = 0.99
"""Whatever the weights are, an answer that fails does not earn everything."""


def credit(
    properties: Properties, weights: Mapping[str, float], followed: Collection[str] = ()
) -> tuple[Credit, ...]:
    """What each property earns.

    Args:
        properties: those looked at, and whether they hold. What was not looked at (None) does not count.
        weights: the exercise's own; `WEIGHTS` for the others.
        followed: properties that fail by nothing but a mistake that already shows in the plain cases.

    Example:
        >>> credit((("shape", True), ("values", False), ("device", None)), {"values": 2.0})
        (Credit(property='shape', weight=0.0, part=1.0), Credit(property='values', weight=2.0, part=0.0))
    """
    weights = {**WEIGHTS, **weights}
    earned = {True: 1.0, False: 0.0}
    return tuple(
        Credit(name, weights[name], FOLLOW_THROUGH if name in followed else earned[held])
        for name, held in properties
        if held is not None
    )


def score(properties: Properties, weights: Mapping[str, float], followed: Collection[str] = ()) -> float:
    """The share that an answer earns which fails: the weight earned, of the weight of what was looked at.

    Args:
        properties, weights, followed: as in `credit`.

    Example:
        >>> score((("shape", True), ("values", True), ("mask", False), ("device", None)), {"mask": 2.0})
        0.75
    """
    earned = credit(properties, weights, followed)
    total = sum(one.weight for one in earned)
    share = sum(one.weight * one.part for one in earned) / total if total else 0.0
    return min(share, MOST_FOR_A_FAILURE)

"""What a changed answer breaks: which of the judge's properties hold of it, and which one of those that do not is why.

The judge does not look at the contract of an answer whose numbers are wrong. Who is asked what a change breaks may
think of it all the same, so here it is looked at in every answer.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from course_attention.execution.local import LocalRunner
from course_attention.execution.protocol import Outcome, Raised
from course_attention.exercises import CATALOGUE
from course_attention.judging import contract, properties
from course_attention.judging.called_answer import only_coarse
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.error_meanings import refused_by_torch
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed
from course_attention.judging.prepared_case import PreparedCase
from course_attention.judging.properties import Property
from course_attention.judging.what_holds import what_holds as judged_to_hold
from course_attention.mutants.consequences import without_consequences

# What only a long input shows, nobody can be expected to see in a few lines of code.
NOT_ASKED = (properties.LONG_SEQUENCES, properties.MANY_POSITIONS)

# A line that raises one of these would not be written by anybody who thinks about numbers.
_NONSENSE = ("TypeError", "AttributeError", "NameError", "UnboundLocalError")
_NOT_FLOATING = ("Bool", "Int", "Long")

Held = Mapping[Property, bool]


class NotComparable(Exception):
    """In a plain case the answer raises or returns something else than asked for, or it is no sensible code."""


def what_holds(name: str, answer: Any, seed: int, contract_too: bool = True) -> Held:
    """Return each property that is looked at in an answer, and whether it holds.

    Args:
        name: the exercise.
        answer: a function or a module class.
        seed: draws the judge's cases.
        contract_too: look at the contract of an answer whose numbers are wrong, too.

    Raises:
        NotComparable: in a plain case it raises, or returns something else than asked for; or it is no sensible code.

    Example:
        >>> def softmax(scores, axis=-1):
        ...     return np.exp(scores) / np.exp(scores).sum(axis, keepdims=True)
        >>> [one.name for one, holds in what_holds("softmax", softmax, 0).items() if not holds]
        ['large scores']
    """
    return _looked_at(name, answer, seed, contract_too)[0]


def what_breaks(name: str, answer: Any, seed: int, contract_too: bool = True) -> Held:
    """Return the same as `what_holds`, without what fails for the reason of another property alone.

    Example:
        >>> def masked_softmax(scores, allowed=None):
        ...     return scores.softmax(-1)
        >>> found = [what_holds("masked_softmax", masked_softmax, 0), what_breaks("masked_softmax", masked_softmax, 0)]
        >>> [properties.LEADING_DIMENSIONS in held for held in found], reason(found[1]).name
        ([True, False], 'mask')
    """
    return without_consequences(*_looked_at(name, answer, seed, contract_too))


def _looked_at(name: str, answer: Any, seed: int, contract_too: bool) -> tuple[Held, list[Observed]]:
    """Return whether each property holds, and what came of the judge's cases."""
    exercise = CATALOGUE[name].exercise
    assert isinstance(exercise, FunctionExercise), "only what is called has these properties"
    runner = LocalRunner(answer, exercise.library, exercise.given)
    cases = drawn_cases(exercise, seed)
    observed = [_observed(runner, one) for one in cases]
    plain = [o for o in observed if o.about == properties.VALUES]
    if not all(o.returned for o in plain) or any(d.kind in ("form", "type") for o in plain for d in o.differences):
        raise NotComparable
    if any(is_nonsense(o.outcome.error) for o in observed):
        raise NotComparable
    held = dict(_judged(exercise, observed, runner))
    for one in exercise.contract_checks if contract_too else ():
        if held.get(one) is None and one in _CONTRACT:
            held[one] = _CONTRACT[one](exercise, observed, runner)
    return {one: holds for one, holds in held.items() if holds is not None and one not in NOT_ASKED}, observed


def _judged(exercise: FunctionExercise, observed: list[Observed], runner: LocalRunner) -> dict[Property, bool | None]:
    """Return what the judge says, without looking for an idea behind it, which takes most of its time."""
    tried = [o.about for o in observed]
    observed = [o for o in observed if not refused_by_torch(o.outcome.error, o.prepared.case.dtype)]
    unchanged = {properties.INPUTS_UNCHANGED} & {*exercise.contract_checks}
    if unchanged and any(o.outcome.changed for o in observed):
        return dict(judged_to_hold(exercise, tried, observed, unchanged, unchanged))
    if only_coarse(exercise, observed, "float32"):
        observed = [replace(o, differences=[]) for o in observed]
    coarse = [o for o in observed if o.differences and o.right_in_float32]
    if coarse and len(coarse) < sum(bool(o.differences) for o in observed):
        raise NotComparable  # the judge decides by the idea behind it whether the precision is at fault
    if coarse:
        dtype = {properties.DTYPE}
        return dict(judged_to_hold(exercise, tried, [o.in_float32() for o in observed], dtype, dtype))
    if any(o.differences for o in observed):
        return dict(judged_to_hold(exercise, tried, observed))
    broken = contract.broken_rules(exercise, observed, runner, "cpu")
    return dict(judged_to_hold(exercise, tried, observed, exercise.contract_checks, broken))


def is_nonsense(error: Raised | None) -> bool:
    """Whether an error says that a line cannot work at all, whatever its numbers are.

    Example:
        >>> is_nonsense(Raised("TypeError", "unsqueeze() missing 1 required argument")), is_nonsense(None)
        (True, False)
    """
    if error is None:
        return False
    return error.type in _NONSENSE or any(f"not implemented for '{kind}'" in error.message for kind in _NOT_FLOATING)


def reason(held: Held) -> Property | None:
    """Return the property whose failure is behind all others; None where nothing fails, or no single one is.

    Wrong numbers in the plain cases are wrong everywhere. A wrong shape is the reason of wrong numbers. What is looked
    at at the edges of a property fails with it.

    Example:
        >>> reason({properties.VALUES: True, properties.MASK: False, properties.NOTHING_ALLOWED: False}).name
        'mask'
        >>> reason({properties.LARGE_SCORES: False, properties.DTYPES: False}) is None
        True
    """
    broken = [one for one, holds in held.items() if not holds]
    if properties.VALUES in broken:
        return properties.SHAPE if properties.SHAPE in broken else properties.VALUES
    main = [one for one in broken if not one.edge and one != properties.SHAPE]
    found = main or broken
    return found[0] if len(found) == 1 else None


def is_so(choice: Property | None, held: Held) -> bool:
    """Whether a choice is right: a property that does not hold, or None where every property holds.

    A wrong shape has wrong numbers too. "The numbers are wrong" then says too little, and is not right.

    Example:
        >>> held = {properties.SHAPE: False, properties.VALUES: False}
        >>> is_so(properties.SHAPE, held), is_so(properties.VALUES, held), is_so(None, held)
        (True, False, False)
    """
    if choice is None:
        return all(held.values())
    if choice == properties.VALUES and not held.get(properties.SHAPE, True):
        return False
    return not held.get(choice, True)


def _observed(runner: LocalRunner, prepared: PreparedCase) -> Observed:
    outcome = runner.observe(prepared.case.call("cpu"))
    return Observed(prepared, outcome, prepared.differences(outcome))


def _inputs_unchanged(exercise: FunctionExercise, observed: list[Observed], runner: LocalRunner) -> bool:
    return not any(o.outcome.changed for o in observed)


def _dtype(exercise: FunctionExercise, observed: list[Observed], runner: LocalRunner) -> bool | None:
    returned = [o for o in observed if o.returned and len(o.outcome.results) == len(exercise.returns.names)]
    return not any(contract.dtype_fault(exercise, o) for o in returned) if returned else None


def _device(exercise: FunctionExercise, observed: list[Observed], runner: LocalRunner) -> bool | None:
    """Whether a simulated GPU gives the numbers that the CPU gave, whatever these are."""
    returned = [o for o in observed if o.returned]
    tried = contract.tried_on_the_gpu([o.prepared for o in returned])
    for o in returned:
        if o.prepared in tried:
            there = runner.observe(o.prepared.case.call("simulated-cuda"))
            if there.left_behind:
                return False
            if there.error or not _same_numbers(there, o.outcome):
                return None  # it may be a gap in the simulation, for which nobody is blamed
    return True if returned else None


def _same_numbers(one: Outcome, other: Outcome) -> bool:
    pairs = zip(one.results, other.results, strict=False)
    return len(one.results) == len(other.results) and all(
        a.values is not None
        and b.values is not None
        and a.values.shape == b.values.shape
        and np.allclose(a.values, b.values, rtol=1e-3, atol=1e-5, equal_nan=True)
        for a, b in pairs
    )


_CONTRACT = {
    properties.INPUTS_UNCHANGED: _inputs_unchanged,
    properties.DTYPE: _dtype,
    properties.DEVICE: _device,
}

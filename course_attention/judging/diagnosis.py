"""Finds what is wrong with an answer whose numbers are wrong, and the cases that show it.

The cases are looked at in ever smaller sets, until one misconception explains a whole set: all of them; those that are
no edges; those without a mask; the plain ones. Whoever makes two mistakes at once, as one does in a first attempt, is
so told the one that shows in the plain cases first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from course_attention.judging import faults, properties
from course_attention.judging.comparison import Difference
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.explanation import (
    Named,
    explained,
    explanation,
    gives_nothing_either,
    second_mistake,
    shows,
    two_mistakes,
    variants_of,
)
from course_attention.judging.faults import Fault
from course_attention.judging.observed import Observed, is_constant
from course_attention.judging.properties import Property

Broken = Property | Fault

_TINY = 1e-12  # a weight that no plain case asks for
_SMALL = 1e-2  # a weight, or an error in a sum of weights, that is more than rounding in any dtype

# What is broken where the results differ in this way, whatever their numbers are.
_OF_KIND: dict[str, Broken] = {"form": faults.FORM, "type": faults.TYPE, "shape": properties.SHAPE}


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong.

    Attributes:
        shown: the cases that have the fault.
        misconception: the id of the idea behind it, or None.
        broken: where there is none, what does not hold, or how the results are wrong.
        then: the property to be looked at next, where something else is wrong too; or None.
        second: the id of the idea behind that, or None.
        followed: the properties that fail by nothing but the misconception.
        raised: the smallest case in which the answer raises, and what is named is no reason for it; or None.
    """

    shown: Sequence[Observed]
    misconception: str | None = None
    broken: Broken | None = None
    then: Property | None = None
    second: str | None = None
    followed: frozenset[Property] = field(default_factory=frozenset)
    raised: Observed | None = None

    @classmethod
    def of_rule(cls, check: Property, o: Observed, difference: Difference) -> Self:
        """Return a rule of the contract that is broken, under its misconception where it has one."""
        shown = [replace(o, differences=[difference])]
        return cls(shown, check.misconception) if check.misconception else cls(shown, broken=check)


def diagnose(exercise: FunctionExercise, observed: Sequence[Observed]) -> Diagnosis:
    """Find what is wrong with an answer of which at least one case fails."""
    variants = variants_of(exercise)
    elsewhere = [o for o in observed if o.about != properties.NOTHING_ALLOWED]
    moderate = [o for o in observed if o.about != properties.LARGE_SCORES]
    core = [o for o in elsewhere if not o.about.edge]
    plain = [o for o in core if not o.masked]
    sets = [observed, elsewhere, moderate, core, plain, [o for o in plain if o.about == properties.VALUES]]
    if _choose_keys(core):  # what `topk` takes of equal ones cannot be told beforehand
        sets.insert(4, [o for o in core if o.about != properties.EQUAL_INDEX_SCORES])
    for cases in sets[:1] if is_constant(observed) else sets:  # some ideas come to a constant in some of the cases
        if found := explanation(variants, cases):
            return _named(exercise, found, cases, observed)
    if pair := two_mistakes(exercise, plain, elsewhere):
        first, second = pair
        shown = [o for o in plain if o.differences and o.returned and shows(first[1], o)]
        return Diagnosis(shown, first[0], then=properties.VALUES, second=second[0])
    broken, faulty = _broken_property(exercise, observed)
    raised = [o for o in observed if not o.returned] if broken == faults.PRECISION else []
    return Diagnosis(faulty, broken=broken, raised=min(raised, key=lambda o: o.readability, default=None))


def _named(
    exercise: FunctionExercise, found: Named, cases: Sequence[Observed], observed: Sequence[Observed]
) -> Diagnosis:
    """One idea explains these cases; what of the others?"""
    name, variant = found
    own = [o for o in observed if explained(variant, o)]
    rest = [o for o in observed if o.returned and o.differences and not explained(variant, o)]
    rest = [o for o in rest if not gives_nothing_either(variant, o)]
    # Where the wrong computation gives something, an answer that raises has another fault as well.
    raised = [o for o in observed if not o.returned and o.prepared.wrong_results(variant) is not None]
    first = min(raised, key=lambda o: o.readability, default=None)
    left = {o.about for o in (*rest, *raised)}
    follows = () if is_constant(observed) else own  # a constant follows from nothing
    followed = frozenset(o.about for o in follows) - left - {properties.VALUES}
    # Who forgets that a query may have nothing to attend to is told so in a sentence, see `report.named`.
    further = [o for o in rest if o.about != properties.NOTHING_ALLOWED]
    if not further:
        return Diagnosis(own, name, followed=followed, raised=first)
    elsewhere = [o for o in observed if o.about != properties.NOTHING_ALLOWED]
    second = second_mistake(exercise, found, sorted(elsewhere, key=lambda o: not o.masked))
    then = min((o.about for o in further), key=lambda property: property != properties.MASK)
    shown = [o for o in own if not o.masked] if then == properties.MASK else []
    return Diagnosis(shown or own, name, then=then, second=second, followed=followed, raised=first)


def _broken_property(exercise: FunctionExercise, observed: Sequence[Observed]) -> tuple[Broken, Sequence[Observed]]:
    """Return what does not hold, where no wrong computation explains the answer, and the cases that show it."""
    wrong = [o for o in observed if o.differences]
    returned = [o for o in wrong if o.returned]
    exchanged = [o for o in returned if o.prepared.exchanged(o.outcome)]
    if exchanged and all(o.about.edge for o in returned if o not in exchanged):
        return faults.ORDER, exchanged
    if returned and all(o.outcome.form == "nothing" for o in observed if o.returned):
        return faults.NOTHING_RETURNED, returned
    for kind, broken in _OF_KIND.items():
        of_kind = [replace(o, differences=[d for d in o.differences if d.kind == kind]) for o in returned]
        if found := [o for o in of_kind if o.differences]:
            if broken == faults.FORM and not exercise.returns.number and all(map(_is_list_of_numbers, found)):
                broken = faults.LISTS
            return broken, [o for o in found if o.about == properties.VALUES] or found
    # What goes wrong in plain cases goes wrong in the others too: they say nothing more.
    plain = [o for o in wrong if not o.about.edge and not o.masked]
    with_nan = [o for o in plain or wrong if any(d.kind == "nan" for d in o.differences)]
    # Where plain cases give wrong numbers without NaN, the formula is not right, and NaN comes of that.
    if with_nan and (not plain or len(with_nan) == len(plain)):
        empty = {o.about for o in with_nan} == {properties.NOTHING_ALLOWED}
        return faults.NAN_NOTHING_ALLOWED if empty else faults.NAN, with_nan
    rounded = bool(returned) and all(o.right_in_float32 or (not o.returned and o.about.edge) for o in wrong)
    told = returned if rounded else plain or returned
    constant = is_constant(observed)
    for part in ("weights", "distribution"):
        if part in exercise.returns.names:
            index = exercise.returns.names.index(part)
            came = [o for o in told if o.returned]
            if found := [o for o in came if _blocked_weight(o, index)]:
                return faults.BLOCKED_WEIGHT, found
            if not constant and _only_beside_nothing_allowed(told):
                return faults.BESIDE_NOTHING_ALLOWED, told
            shares = not constant and len(came) == len(told) and all(_shares(o, index) for o in came)
            if shares and not _choose_keys(observed) and (found := [o for o in came if _without_weight(o, index)]):
                return faults.WITHOUT_WEIGHT, found
            only_whole = {o.about for o in told} == {properties.WHOLE_SCORES}
            if not only_whole and (found := [o for o in came if _row_sums(o, index)]):
                return faults.ROW_SUMS, found
    if rounded:
        return faults.PRECISION, returned
    about = min((o.about for o in plain or wrong), key=lambda property: property != properties.VALUES)
    shown = [o for o in plain or wrong if o.about == about]
    if not constant and _only_beside_nothing_allowed(shown):
        return faults.BESIDE_NOTHING_ALLOWED, shown
    return about, shown


def _choose_keys(observed: Sequence[Observed]) -> bool:
    """Whether index scores choose the keys, so that a key may be allowed and rightly have a weight of 0."""
    return any(o.about == properties.EQUAL_INDEX_SCORES for o in observed)


def _is_list_of_numbers(o: Observed) -> bool:
    """Whether lists came, with nothing but plain numbers in them."""
    outcome = o.outcome
    return outcome.form in ("list", "tuple") and all(result.kind == "number" for result in outcome.results)


def _received(o: Observed, index: int) -> np.ndarray:
    return np.asarray(o.outcome.results[index].values)


def _blocked_weight(o: Observed, index: int) -> bool:
    return o.masked and bool(((o.prepared.expected[index] == 0) & (_received(o, index) != 0)).any())


def _shares(o: Observed, index: int) -> bool:
    """Whether the weights are shares, or are left out in whole rows; where others are right, they say no more."""
    received, right = _received(o, index), o.prepared.expected[index].sum(axis=-1)
    sums = received.sum(axis=-1)
    whole = np.isclose(sums, 1.0, atol=_SMALL) | (sums == 0)
    return bool((received >= 0).all() and whole.all() and np.isclose(right, np.round(right)).all())


def _without_weight(o: Observed, index: int) -> bool:
    # Where scores are large, a weight may be rounded to 0; in another dtype, and in an array of integers, as well.
    received = _received(o, index)
    if received[received > 0].min(initial=1.0) < _TINY:
        return False  # the scores lie so far apart that a weight may be rounded to 0
    enough = (o.prepared.expected[index] > _SMALL) & (received == 0)
    return (not o.about.edge or o.about == properties.NOTHING_ALLOWED) and bool(enough.any())


def _only_beside_nothing_allowed(cases: Sequence[Observed]) -> bool:
    """Whether only other queries come out wrong, in cases in which one may attend to nothing."""
    blind = [o for o in cases if o.about == properties.NOTHING_ALLOWED]
    return len(blind) == len(cases) > 0 and all(o.returned and _others_alone(o) for o in cases)


def _others_alone(o: Observed) -> bool:
    """Whether the rows of a query that may attend to nothing are right, and others are not."""
    empty = []
    for d in o.differences:
        if d.kind == "values" and d.expected is not None and d.received is not None and d.expected.ndim:
            rows = np.all(d.expected == 0, axis=-1)
            empty.append(bool(rows.any()) and not d.received[rows].any())
    return bool(empty) and all(empty)


def _row_sums(o: Observed, index: int) -> bool:
    with np.errstate(over="ignore"):  # the sum of an answer's largest numbers is infinite, and not the right one
        sums, right = _received(o, index).sum(axis=-1), o.prepared.expected[index].sum(axis=-1)
    return bool(np.allclose(right, np.round(right))) and not np.allclose(sums, right, atol=_SMALL)

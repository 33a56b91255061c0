"""Finds the wrong computation that gives what an answer gave."""

from collections.abc import Iterable, Sequence
from typing import Any

from course_attention.judging import properties
from course_attention.judging.exercise import FunctionExercise, Variant
from course_attention.judging.observed import Observed
from course_attention.judging.variant_pairs import composed

Named = tuple[str, Variant]

_TELLING = ("values", "nan", "shape")  # kinds of a difference that one idea makes and another does not


def variants_of(exercise: FunctionExercise) -> list[Named]:
    """All variants of an exercise, each with its misconception."""
    return [(name, variant) for name, idea in exercise.ideas.items() for variant in idea.variants]


def explanation(named: Iterable[Named], cases: Sequence[Observed]) -> Named | None:
    """Find the wrong computation that explains all cases, errors included where two do; None where none does.

    An answer that raises where the wrong computation does not is still explained by it if all that it returned is: a
    mistake in the axes raises on some shapes and shows itself on others.
    """
    if not any(o.returned and any(d.kind in _TELLING for d in o.differences) for o in cases):
        return None  # nothing that came is wrong, so nothing tells one idea from another
    best, most = None, 0.0
    # The cases that fail tell most ideas apart at once.
    failing_first = sorted(cases, key=lambda o: not o.differences)
    for name, variant in named:
        quality = _explains(variant, failing_first)
        if quality > most:
            best, most = (name, variant), quality
    return best


def shows(variant: Variant, o: Observed) -> bool:
    """Whether the variant gives something wrong in this case."""
    wrong = o.prepared.wrong_results(variant)
    return wrong is not None and any(map(_differs, wrong.results, o.prepared.expected))


def explained(variant: Variant, o: Observed) -> bool:
    """Whether a case returned what the variant gives, and that is wrong."""
    return o.returned and bool(o.differences) and o.prepared.agrees(variant, o.outcome)


def gives_nothing_either(variant: Variant, o: Observed) -> bool:
    """Whether something came in the place of a result, such as None, where the wrong computation has none to give."""
    return o.prepared.wrong_results(variant) is None and any(d.kind in ("form", "type") for d in o.differences)


def two_mistakes(
    exercise: FunctionExercise, plain: Sequence[Observed], cases: Sequence[Observed]
) -> tuple[Named, Named] | None:
    """Two ideas, made at once, that explain the plain cases; of several pairs the one that explains all cases.

    Only variants that change something in the plain cases can show there. Of an idea's variants that do the same in
    the largest case, and raise in the same ones, one is enough.
    """
    returned = [o for o in plain if o.returned and o.differences]
    # With a single key no scale shows: the case with the most numbers tells the most variants apart.
    telling = max(returned, key=lambda o: sum(e.size for e in o.prepared.expected), default=None)
    if telling is None:
        return None
    different: dict[tuple[object, ...], Named] = {}
    for name, variant in variants_of(exercise):
        wrong = telling.prepared.wrong_results(variant)
        if wrong is not None and shows(variant, telling):
            raises = (o.prepared.wrong_results(variant) is None for o in plain)
            key = (name, *(r.round(9).tobytes() for r in wrong.results), *raises)
            different.setdefault(key, (name, variant))
    candidates = list(different.values())
    found = None
    for number, first in enumerate(candidates):
        for second in candidates[number + 1 :]:
            both = composed(first[1], second[1]) if first[0] != second[0] else None
            if both is not None and explanation([("", both)], plain):
                found = found or (first, second)
                if explanation([("", both)], cases):
                    return first, second
    return found


def second_mistake(exercise: FunctionExercise, first: Named, cases: Sequence[Observed]) -> str | None:
    """Return the id of the idea that, made beside the first, explains all cases."""
    pairs = (
        (name, both)
        for name, variant in variants_of(exercise)
        if name != first[0] and (both := composed(first[1], variant)) is not None
    )
    found = explanation(pairs, cases)
    return None if found is None else found[0]


def _differs(result: Any, expected: Any) -> bool:
    return result.shape != expected.shape or not abs(result - expected).max(initial=0.0) < 1e-9


def _explains(variant: Variant, observed: Sequence[Observed]) -> float:
    """0 where the variant gives something else; 1 where it does all the same, errors included; else in between.

    What comes of a query that may attend to nothing says little about an idea. Where it is all that tells, an error on
    both sides is no agreement.
    """
    alike = raised = telling = elsewhere = 0
    for o in observed:
        if not o.returned:
            raised += o.prepared.wrong_results(variant) is None
            continue
        if gives_nothing_either(variant, o):
            alike += 1
            continue
        if not o.prepared.agrees(variant, o.outcome):
            return 0.0
        alike += 1
        # A computation that is right in this case, or wrong by less than rounding, tells nothing of what is wrong here.
        if any(d.kind in _TELLING for d in o.differences) and shows(variant, o):
            telling += 1
            elsewhere += o.about != properties.NOTHING_ALLOWED
    return (alike + (raised if elsewhere else 0)) / len(observed) if telling else 0.0

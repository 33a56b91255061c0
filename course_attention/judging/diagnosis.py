"""Finds the misconception behind a wrong answer: one of its variants gives what the answer gave, on every case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_attention.execution.protocol import Outcome
from course_attention.judging.case import Case
from course_attention.judging.comparison import Difference
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.prepared import PreparedCase

NOTHING_ALLOWED = "nothing allowed"


@dataclass(frozen=True)
class Observed:
    """A case, what came of it, and how that differs from what is right."""

    prepared: PreparedCase
    outcome: Outcome
    differences: list[Difference]

    @property
    def returned(self) -> bool:
        return self.outcome.error is None


def smallest(observed: Sequence[Observed]) -> Observed:
    """The case that is easiest to look at."""
    return min(observed, key=lambda o: readability(o.prepared.case))


def readability(case: Case) -> tuple[bool, int]:
    """Sorts cases: few numbers first, and those with numbers in the thousands last."""
    return case.property == "large scores", case.size


def misconception(exercise: FunctionExercise, observed: Sequence[Observed]) -> str | None:
    """The id of the wrong computation that explains an answer, or None.

    An answer that raises where the wrong computation does not is still explained by it if all that it returned is: a
    mistake in the axes raises on some shapes and shows itself on others. An answer that also goes wrong where a query
    may attend to nothing is explained by what it does elsewhere.
    """
    # The cases that fail tell most ideas apart at once.
    failing_first = sorted(observed, key=lambda o: not o.differences)
    elsewhere = [o for o in failing_first if o.prepared.case.property != NOTHING_ALLOWED]
    for cases in (failing_first, elsewhere):
        explained = [
            (quality, name)
            for name, variants in exercise.variants.items()
            if (quality := max((_explains(variant, cases) for variant in variants), default=0)) > 0
        ]
        if explained:
            return max(explained, key=lambda found: found[0])[1]
    return None


def _explains(variant: Callable[..., Any], observed: Sequence[Observed]) -> float:
    """0 where the variant gives something else; 1 where it does all the same, errors included; else in between."""
    alike = telling = 0
    for o in observed:
        if not o.returned:
            alike += o.prepared.variant(variant) is None
            continue
        if o.prepared.variant(variant) is None and any(d.kind in ("form", "type") for d in o.differences):
            alike += 1  # None in the place of a result, where the wrong computation has none to give
            continue
        if not o.prepared.agrees(variant, o.outcome):
            return 0.0
        alike += 1
        telling += any(d.kind != "memory" for d in o.differences)
    return alike / len(observed) if telling else 0.0


def broken_property(exercise: FunctionExercise, observed: Sequence[Observed]) -> str:
    """What does not hold, where no wrong computation explains the answer: a key of `properties.PROPERTIES`."""
    wrong = [o for o in observed if o.differences]
    if any(o.returned for o in wrong) and all(o.prepared.exchanged(o.outcome) for o in wrong if o.returned):
        return "order"
    kinds = {d.kind for o in wrong for d in o.differences}
    for kind in ("form", "type", "shape"):
        if kind in kinds:
            return kind
    if "nan" in kinds:
        places = {o.prepared.case.property for o in wrong if any(d.kind == "nan" for d in o.differences)}
        return "nan: nothing allowed" if places == {NOTHING_ALLOWED} else "nan"
    if not any(o.prepared.differences(o.outcome, "float32") for o in observed):
        return "precision"
    for part in ("weights", "distribution"):
        if part in exercise.returns.names:
            index = exercise.returns.names.index(part)
            broken = _weights_broken(wrong, index)
            if broken:
                return broken
    # Whatever goes wrong in plain cases goes wrong in the others too: they say nothing more.
    return min((o.prepared.case.property for o in wrong), key=lambda name: name != "values")


def _weights_broken(wrong: Sequence[Observed], index: int) -> str:
    for o in wrong:
        if not o.returned:
            continue
        masked = o.prepared.case.arguments.get("allowed") is not None
        expected, received = o.prepared.expected[index], np.asarray(o.outcome.results[index].values)
        if masked and ((expected == 0) & (received != 0)).any():
            return "blocked weight"
        sums, right = received.sum(axis=-1), expected.sum(axis=-1)
        if np.allclose(right, np.round(right)) and not np.allclose(sums, right, atol=1e-2):
            return "row sums"
    return ""

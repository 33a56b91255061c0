"""A case, what came of it, and how that differs from what is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from course_attention.execution.protocol import Outcome
from course_attention.judging import properties
from course_attention.judging.comparison import Difference
from course_attention.judging.prepared_case import PreparedCase
from course_attention.judging.properties import Property


def is_constant(observed: Sequence[Observed]) -> bool:
    """Whether each result of each case is one number all over, where another is right: no idea is behind that."""
    returned = [o for o in observed if o.returned]
    results = [r.values for o in returned for r in o.outcome.results if r.values is not None]
    right = [expected for o in returned for expected in o.prepared.expected]
    return bool(results) and all(map(_one_number, results)) and not all(map(_one_number, right))


def _one_number(array: np.ndarray) -> bool:
    return bool((array.ravel()[:1] == array.ravel()).all())


@dataclass(frozen=True)
class Observed:
    """A case, what came of it, and how that differs from what is right."""

    prepared: PreparedCase
    outcome: Outcome
    differences: list[Difference]

    @property
    def about(self) -> Property:
        """The property that the case looks at."""
        return self.prepared.case.property

    @property
    def returned(self) -> bool:
        return self.outcome.error is None

    @cached_property
    def right_in_float32(self) -> bool:
        """Whether the numbers are right to the precision of float32, whatever is asked for."""
        return self.returned and not self.prepared.differences(self.outcome, "float32")

    def in_float32(self) -> Observed:
        """Return the case as if float32 were as precise as is asked for."""
        results = tuple(replace(r, dtype="float32") if r.dtype == "float64" else r for r in self.outcome.results)
        outcome = replace(self.outcome, results=results)
        return Observed(self.prepared, outcome, self.prepared.differences(outcome, "float32"))

    @property
    def masked(self) -> bool:
        """Whether a mask is given."""
        arguments = self.prepared.case.arguments.items()
        return any(name.endswith("allowed") and value is not None for name, value in arguments)

    @property
    def readability(self) -> tuple[bool, int]:
        """Sorts cases: few numbers first, halves before others, and those with numbers in the thousands last."""
        case = self.prepared.case
        return self.about == properties.LARGE_SCORES, case.size * (1 if case.by_hand else 2)

"""Which part of a contract is asked for: all of it of a student, and less of code that was written for another one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course_attention.execution.protocol import Array, TorchAttention
from course_attention.judging import properties
from course_attention.judging.case import Case
from course_attention.judging.drawing import EPSILON, rounded
from course_attention.judging.properties import Property


@dataclass(frozen=True)
class Asked:
    """The part of a contract that is asked for.

    Attributes:
        without: properties that are not looked at.
        missing: argument → its default, of arguments that the answer does not take. What is left are the cases in which
            they have their default.
        dtypes: the floating dtypes that are tried, the most precise first; all where there are none. A case in another
            dtype is tried in the first of these.
    """

    without: frozenset[Property] = frozenset()
    missing: Mapping[str, Any] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ()

    def cases(self, cases: Sequence[Case]) -> list[Case]:
        """Return the cases that are left, as they are asked."""
        if not (self.without or self.missing or self.dtypes):
            return list(cases)
        return [
            self._in_a_dtype(self._without_arguments(case))
            for case in cases
            if case.property not in self.without and self._has_defaults(case) and self._has_dtype(case)
        ]

    def _has_defaults(self, case: Case) -> bool:
        given = {name: case.arguments[name] for name in self.missing if name in case.arguments}
        return not any(isinstance(one, Array) or one != self.missing[name] for name, one in given.items())

    def _has_dtype(self, case: Case) -> bool:
        """Whether a case is about a dtype that is tried; a case about something else can be asked in any."""
        return not self.dtypes or case.property != properties.DTYPES or case.dtype in self.dtypes

    def _without_arguments(self, case: Case) -> Case:
        kept = {name: one for name, one in case.arguments.items() if name not in self.missing}
        return replace(case, arguments=kept)

    def _in_a_dtype(self, case: Case) -> Case:
        if not self.dtypes or case.dtype in self.dtypes:
            return case
        return replace(in_dtype(case, self.dtypes[0]), title=case.title, gradient=False)


EVERYTHING = Asked()


def in_dtype(case: Case, dtype: str, factor: float = 1.0) -> Case:
    """Return a case in another floating dtype, its arguments scaled by a factor, its weights not."""

    def cast(value: Any, factor: float = factor) -> Any:
        if isinstance(value, tuple):
            return tuple(map(cast, value))
        if isinstance(value, TorchAttention):
            return replace(value, weights={name: cast(array) for name, array in value.weights.items()})
        if not isinstance(value, Array) or value.dtype not in EPSILON:
            return value
        return replace(value, values=rounded(factor * value.values, dtype), dtype=dtype)

    return replace(
        case,
        title=case.title.replace(case.dtype, dtype) if case.dtype in case.title else f"{case.title}, in {dtype}",
        arguments={name: cast(value) for name, value in case.arguments.items()},
        weights={name: cast(array, 1.0) for name, array in case.weights.items()},
    )

"""Adds to the cases of an exercise those that every exercise on tensors needs, so that each rule stands in one place.

Each was found by a wrong answer that passed: a filler that float16 cannot hold, a `.view` of a mask, a detached branch
that two small numbers do not show.
"""

from collections.abc import Sequence
from dataclasses import replace

from course_attention.execution.protocol import Array
from course_attention.judging import properties
from course_attention.judging.asked import in_dtype
from course_attention.judging.case import Case
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.properties import Property

# Where the softmax is all but decided, a gradient is 0 whatever is cut off; and a large tensor is a slow oracle.
_NO_GRADIENT = (properties.LARGE_SCORES, properties.DTYPES, properties.MEMORY)

# In float16 exp overflows at 12. That is another mistake than the one looked for, and has cases of its own.
_SMALL = 0.25


def completed(exercise: FunctionExercise, cases: Sequence[Case]) -> list[Case]:
    """Return the cases, and what follows from them.

    - Of each property, the largest case in float64 is tried with a gradient too.
    - What is tried in bfloat16 is tried in float16, whose largest number is 65,504.
    - Where nothing is allowed in float32, the same holds in bfloat16.
    - Where a tensor is not contiguous, the others are not either. Nor are they with the mask of most axes, nor with
      the most leading dimensions. What goes wrong in these cases alone is told as such, whatever else they look at.
    """
    if exercise.library != "torch" or exercise.returns.from_sizes_only:
        return list(cases)
    graded = _graded(cases) if properties.GRADIENTS in exercise.contract_checks else set()
    kept = [replace(case, gradient=case.gradient or n in graded) for n, case in enumerate(cases)]
    kept = [_strided(case) if _is_strided(case) else case for case in kept]
    halves = [c for c in cases if c.property == properties.DTYPES and c.dtype == "bfloat16"]
    blind = [c for c in cases if c.property == properties.NOTHING_ALLOWED and c.dtype == "float32"]
    masked = sorted((c for c in cases if _mask_axes(c)), key=lambda case: (_mask_axes(case), case.size))[-1:]
    plain = [case for case in cases if case.property in (properties.VALUES, properties.LEADING_DIMENSIONS)]
    deepest = sorted(plain, key=lambda case: (_axes(case), case.size))[-1:]
    chosen = {id(case): case for case in (*masked, *deepest)}.values()
    to_turn = [c for c in chosen if any(map(_is_strided, cases)) and not _is_strided(c)]
    return [
        *kept,
        *(in_dtype(case, "float16", _SMALL) for case in halves[:1]),
        *(in_dtype(case, "bfloat16") for case in blind[:1]),
        *(
            replace(_strided(c), title=f"{c.title}, not contiguous", property=properties.STRIDES, gradient=False)
            for c in to_turn
        ),
    ]


def _graded(cases: Sequence[Case]) -> set[int]:
    """Return the number of the largest case of each property."""
    largest: dict[Property, int] = {}
    for number, case in enumerate(cases):
        if case.dtype == "float64" and case.property not in _NO_GRADIENT:
            known = largest.get(case.property)
            if known is None or case.size > cases[known].size:
                largest[case.property] = number
    return set(largest.values())


def _axes(case: Case) -> int:
    return max((v.values.ndim for v in case.arguments.values() if isinstance(v, Array)), default=0)


def _mask_axes(case: Case) -> int:
    """How many axes its mask has; 0 where there is none."""
    arrays = (v for v in case.arguments.values() if isinstance(v, Array))
    return max((array.values.ndim for array in arrays if array.values.dtype == bool), default=0)


def _is_strided(case: Case) -> bool:
    return any(isinstance(value, Array) and value.strided for value in case.arguments.values())


def _strided(case: Case) -> Case:
    arguments = {
        name: replace(value, strided=True) if isinstance(value, Array) else value
        for name, value in case.arguments.items()
    }
    return replace(case, arguments=arguments)

"""The smallest failing case of a verdict: its inputs, what was expected, what came, and where the two differ."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_attention.judging.verdict import Example
from course_attention.presentation.arrays import Matrix, matrices
from course_attention.presentation.color_scale import Limits, limits_of
from course_attention.presentation.display import WIDTH, paragraphs, wrapped
from course_attention.presentation.entries import decimals_for, entry_at, entry_text
from course_attention.presentation.matrix_html import MATRIX_STYLE, matrix_html
from course_attention.presentation.matrix_text import matrix_lines, side_by_side

EXAMPLE_STYLE = f"""{MATRIX_STYLE}
.ca-example .ca-row{{display:flex;flex-wrap:wrap;gap:.7em 1.8em;align-items:flex-start;
margin:.45em 0 .8em;overflow-x:auto}}
.ca-example p{{max-width:44rem}}"""

_MOST_DECIMALS = 18  # a float64 holds no more


@dataclass(frozen=True)
class _Shown:
    """The parts of an example in the order in which they are shown.

    Attributes:
        numbers: the inputs that are no arrays, in a line: `axis = -1, allowed = None`.
        inputs: the matrices of the inputs that are arrays.
        weights: those of a module's weights, of which there may be many; none for an answer that raised.
        results: the matrices of what was expected and of what came.
        limits: the ends of the colour scale, which is the same for all the results.
        difference: the first difference in words.
    """

    numbers: str
    inputs: list[Matrix]
    weights: list[Matrix]
    results: list[Matrix]
    limits: Limits
    difference: str


def example_html(example: Example) -> str:
    """Return an example as HTML, without its title; the page has to have the rules of `EXAMPLE_STYLE`."""
    shown = _shown(example)
    weights = _row(matrix_html(matrix) for matrix in shown.weights)
    parts = [
        paragraphs(f"{shown.difference}\n\n{example.note}"),
        _row(matrix_html(matrix, shown.limits) for matrix in shown.results),
        paragraphs(_legend(shown)),
        paragraphs(f"The inputs of this case: {shown.numbers}".rstrip(": ")) if example.inputs else "",
        _row(matrix_html(matrix) for matrix in shown.inputs),
        f"<details><summary>The module's weights in this case</summary>{weights}</details>" if weights else "",
    ]
    return "\n".join(['<div class="ca-example">', *(part for part in parts if part), "</div>"])


def example_text(example: Example) -> str:
    """Return an example as plain text, below its title."""
    return "\n".join([wrapped(f"Smallest case: {example.title}"), *example_lines(example)])


def example_lines(example: Example) -> list[str]:
    """Return an example as lines of plain text, without its title."""
    shown = _shown(example)
    weights = ", ".join(f"{matrix.name} {matrix.about}" for matrix in shown.weights)
    return [
        *(wrapped(line) for line in (shown.difference, example.note) if line),
        *side_by_side([matrix_lines(matrix) for matrix in shown.results], WIDTH),
        *([""] if example.inputs else []),
        *([wrapped(f"The inputs of this case: {shown.numbers}".rstrip(": "))] if example.inputs else []),
        *side_by_side([matrix_lines(matrix) for matrix in shown.inputs], WIDTH),
        *([wrapped(f"The module's weights, which a notebook shows: {weights}")] if weights else []),
    ]


def _shown(example: Example) -> _Shown:
    arrays = {name: value for name, value in example.inputs.items() if _is_array(value)}
    weights = {name: value for name, value in arrays.items() if "." in name}  # as in norm_1.bias
    if len(weights) < len(arrays):
        arrays = {name: value for name, value in arrays.items() if name not in weights}
    else:  # a module that is itself the input, and has nothing beside it
        weights = {}
    numbers = {name: value for name, value in example.inputs.items() if not _is_array(value)}
    results = {"expected": example.expected, "received": example.received}
    came = {name: value for name, value in results.items() if value is not None}
    decimals = decimals_for(*came.values(), where=example.where)
    cut = [
        matrix
        for name, value in came.items()
        for matrix in matrices(f"{name} {example.part}", value, example.where, decimals)
    ]
    return _Shown(
        numbers=", ".join(f"{name} = {entry_text(v, decimals_for(v))}" for name, v in numbers.items()),
        inputs=[matrix for name, value in arrays.items() for matrix in matrices(name, value)],
        weights=[
            matrix
            for name, value in weights.items()
            if example.received is not None
            for matrix in matrices(name, value)
        ],
        results=cut,
        limits=limits_of(matrix.values for matrix in cut),
        difference=_difference(example, decimals),
    )


def _is_array(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or np.ndim(value) > 0


def _difference(example: Example, decimals: int) -> str:
    """Where the two first differ, in words: a mark in a table alone would not be read aloud."""
    if example.where is None or example.received is None:
        return ""
    expected, received = (entry_at(array, example.where) for array in (example.expected, example.received))
    if expected is None or received is None:
        return ""
    index = f", at [{', '.join(map(str, example.where))}]" if example.where else ""
    while decimals < _MOST_DECIMALS and entry_text(expected, decimals) == entry_text(received, decimals):
        decimals += 1
    texts = f"expected {entry_text(expected, decimals)}, received {entry_text(received, decimals)}"
    return f"First difference (marked ▸){index}: {texts}."


def _legend(shown: _Shown) -> str:
    if not any(matrix.values.size for matrix in shown.results):
        return ""
    scale = "The darker a cell, the larger its number"
    scale += "; the colours mean the same in both." if len(shown.results) > 1 else "."
    finite = all(np.isfinite(matrix.values).all() for matrix in shown.results)
    return scale if finite else f"{scale} A hatched cell holds no finite number."


def _row(tables: Iterable[str]) -> str:
    joined = "".join(tables)
    return f'<div class="ca-row">{joined}</div>' if joined else ""

"""The page that a student gets back: points, what went wrong, and the smallest case where it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course_attention.grading.views import matrices
from course_attention.grading.views.heat_map import HeatMap, heat_map, scale_of
from course_attention.grading.views.page import render
from course_attention.grading.views.wording import COPIED


@dataclass(frozen=True)
class Shown:
    """An example as a page shows it.

    Attributes:
        title: what the case looks like.
        plain: the inputs that are no arrays, as (name, text).
        inputs: the inputs that are, as tables.
        pictures: what was expected and what came, side by side.
        difference: the first difference in words.
        note: what else is to be said.
    """

    title: str
    plain: list[tuple[str, str]]
    inputs: list[matrices.Matrix]
    pictures: list[HeatMap]
    difference: str
    note: str


def page(record: Mapping[str, Any]) -> str:
    """The feedback page of a result."""
    exercises = [{**entry, "shown": _shown(entry["details"]["example"])} for entry in record["exercises"]]
    notes = [note for note in record["notes"] if COPIED not in note]
    return render("feedback.html", record=record, exercises=exercises, notes=notes)


def _shown(example: Mapping[str, Any] | None) -> Shown | None:
    if example is None:
        return None
    inputs, where = example["inputs"], example["where"]
    pair = {"expected": example["expected"], "received": example["received"]}
    came = {name: value for name, value in pair.items() if value is not None}
    decimals = matrices.places(*came.values(), where=where)
    drawn = [
        matrix
        for name, value in came.items()
        if matrices.is_array(value)
        for matrix in matrices.matrices(f"{name} {example['part']}", value, where, decimals)
    ]
    return Shown(
        title=example["title"],
        plain=[
            (name, matrices.text(value, matrices.places(value)))
            for name, value in inputs.items()
            if not matrices.is_array(value)
        ],
        inputs=[
            matrix
            for name, value in inputs.items()
            if matrices.is_array(value)
            for matrix in matrices.matrices(name, value)
        ],
        pictures=[heat_map(matrix, scale_of(drawn)) for matrix in drawn],
        difference=_difference(example["part"], pair, where, decimals),
        note=example["note"],
    )


def _difference(part: str, pair: Mapping[str, Any], where: list[int] | None, decimals: int) -> str:
    if where is None or pair["received"] is None:
        return ""
    right, came = (matrices.entry(pair[name], where) for name in ("expected", "received"))
    if right is None or came is None:
        return ""
    at = f" (outlined), at {part}[{', '.join(map(str, where))}]" if where else ""
    return f"First difference{at}: expected {matrices.text(right, decimals)}, received {matrices.text(came, decimals)}."

"""Finds the cells of a submission that hold the answers."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from course_attention.grading.reading.answers import MOST_COPIES
from course_attention.grading.reading.matched_cells import MatchedCells
from course_attention.grading.reading.submitted_cells import SubmittedCell


def answer_cells(cells: Sequence[SubmittedCell], matched: MatchedCells) -> tuple[dict[str, list[int]], list[str]]:
    """Find each exercise's answer cells.

    Args:
        cells: all that was handed in.
        matched: which of them are the course's.

    Returns:
        Exercise → places of its answer cells, in order; and a note on each thing that was odd.
    """
    places: dict[str, list[int]] = defaultdict(list)
    names = {cell_id: name for name, cell_id in matched.answer_id.items()}
    for place, cell_id in matched.home.items():
        if cell_id in names:
            places[names[cell_id]].append(place)
    notes = [*_only_code(cells, places), *_unswapped(cells, places)]
    for name in matched.answer_id:
        if any(name in cells[place].facts.defines for place in places[name]):
            continue
        if elsewhere := _defining(name, cells, matched.free):
            places[name] = sorted([*places[name], *elsewhere])
            notes.append(f"{name}: the answer stands in an added cell")
    return {name: at for name, at in places.items() if at}, notes


def _only_code(cells: Sequence[SubmittedCell], places: dict[str, list[int]]) -> list[str]:
    """Drop answers in markdown or raw cells where there is one in a code cell."""
    notes = []
    for name, at in places.items():
        code = [place for place in at if cells[place].kind == "code"]
        if code:
            places[name] = code
        else:
            notes.append(f"{name}: the answer cell is a {cells[at[0]].kind} cell; it was read as code")
    return notes


def _unswapped(cells: Sequence[SubmittedCell], places: dict[str, list[int]]) -> list[str]:
    """Give a cell that is marked as one exercise's to another, where it answers that alone and nothing else does."""
    answered = {name: [_answered(cells[place], places) for place in at] for name, at in places.items()}
    notes = []
    for name, at in list(places.items()):
        for place, defined in zip(at, answered[name], strict=True):
            if len(defined) == 1 and name not in defined:
                (other,) = defined
                if all(other not in names for names in answered[other]):
                    places[name] = [kept for kept in places[name] if kept != place]
                    places[other] = sorted([*places[other], place])
                    notes.append(f"{other}: the answer stands in the cell marked as {name}")
    return notes


def _answered(cell: SubmittedCell, places: Mapping[str, list[int]]) -> set[str]:
    return set(cell.facts.defines & places.keys())


def _defining(name: str, cells: Sequence[SubmittedCell], free: Sequence[int]) -> list[int]:
    """Find code cells that define an exercise's name."""
    word = re.compile(rf"\b{name}\b")
    likely = [place for place in free if cells[place].kind == "code" and word.search(cells[place].source)]
    return [place for place in likely[-MOST_COPIES:] if name in cells[place].facts.defines]

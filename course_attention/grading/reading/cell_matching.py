"""Which of the course's cells a cell is: by its grade_id, else by its cell id, else by its text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from course_attention.course.cell_source import LONGEST
from course_attention.course.cells import CourseCell, CourseNotebook
from course_attention.grading.reading.answers import MOST_COPIES
from course_attention.grading.reading.raw_cells import Cell


class Belonging:
    """What each cell of a submission is.

    Attributes:
        home: place → id of the course's cell that the cell there is.
        free: places of the cells that are none of the course's.
        found: ids of the course's cells that are there.
        edited: ids of those whose text is not the course's.
        answer_id: exercise → id of the course's answer cell.
    """

    def __init__(self, cells: Sequence[Cell], course: CourseNotebook) -> None:
        self.answer_id = {cell.name: cell.id for cell in course.cells if cell.role == "answer"}
        self._by_id = {cell.id: cell for cell in course.cells}
        self._by_grade = {
            (f"check-{cell.name}" if cell.role == "check" else cell.name): cell
            for cell in course.cells
            if cell.name
        }
        self._by_text = {_text(cell.source): cell for cell in reversed(course.cells)}
        self._graded = {cell.grade_id for cell in cells}
        texts = [_text(cell.source) for cell in cells]
        as_given = [self._is_as_given(cell, text) for cell, text in zip(cells, texts, strict=True)]
        times = Counter(cell.id for cell in cells)
        exact = {cell.id for cell, same in zip(cells, as_given, strict=True) if same}
        self.home: dict[int, str] = {}
        self.edited: set[str] = set()
        seen: set[str] = set()
        for place, cell in enumerate(cells):
            # Of several cells with one id, the one with the course's text is the course's, else the first.
            doubtful = times[cell.id] > 1 and (cell.id in exact or cell.id in seen) and not as_given[place]
            seen.add(cell.id)
            if owner := self._owner(cell, texts[place], doubtful):
                self.home[place] = owner.id
                if owner.role != "answer" and texts[place] != _text(owner.source):
                    self.edited.add(owner.id)
        self.found = set(self.home.values())
        missing = [
            _text(cell.source) for cell in course.cells if cell.id not in self.found and cell.role != "text"
        ]
        self.free = [
            place
            for place in range(len(cells))
            if place not in self.home and not any(_part(texts[place], whole) for whole in missing)
        ]

    def _owner(self, cell: Cell, text: str, doubtful: bool) -> CourseCell | None:
        if owner := self._by_grade.get(cell.grade_id):
            return owner
        owner = self._by_id.get(cell.id)
        if owner and not doubtful and (owner.role != "answer" or owner.name not in self._graded):
            return owner
        return self._by_text.get(text) if text else None

    def _is_as_given(self, cell: Cell, text: str) -> bool:
        given = self._by_id.get(cell.id)
        return given is not None and _text(given.source) == text


def answer_cells(cells: Sequence[Cell], belonging: Belonging) -> tuple[dict[str, list[int]], list[str]]:
    """The places of each exercise's answer cells, in order, and what was odd about them."""
    places: dict[str, list[int]] = defaultdict(list)
    names = {cell_id: name for name, cell_id in belonging.answer_id.items()}
    for place, cell_id in belonging.home.items():
        if cell_id in names:
            places[names[cell_id]].append(place)
    notes = [*_only_code(cells, places), *_unswapped(cells, places)]
    for name in belonging.answer_id:
        if any(name in cells[place].facts.defines for place in places[name]):
            continue
        if elsewhere := _defining(name, cells, belonging.free):
            places[name] = sorted([*places[name], *elsewhere])
            notes.append(f"{name}: the answer stands in an added cell")
    return {name: at for name, at in places.items() if at}, notes


def _only_code(cells: Sequence[Cell], places: dict[str, list[int]]) -> list[str]:
    """An answer in a markdown or raw cell counts only where none is in a code cell."""
    notes = []
    for name, at in places.items():
        code = [place for place in at if cells[place].kind == "code"]
        if code:
            places[name] = code
        else:
            notes.append(f"{name}: the answer cell is a {cells[at[0]].kind} cell; it was read as code")
    return notes


def _unswapped(cells: Sequence[Cell], places: dict[str, list[int]]) -> list[str]:
    """A cell that is marked as one exercise's, but answers only another one, which nothing else does, is that one's."""
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


def _answered(cell: Cell, places: Mapping[str, list[int]]) -> set[str]:
    return set(cell.facts.defines & places.keys())


def _defining(name: str, cells: Sequence[Cell], free: Sequence[int]) -> list[int]:
    """Code cells that define an exercise's name, where its own cell does not."""
    word = re.compile(rf"\b{name}\b")
    likely = [place for place in free if cells[place].kind == "code" and word.search(cells[place].source)]
    return [place for place in likely[-MOST_COPIES:] if name in cells[place].facts.defines]


def _text(source: str) -> str:
    """The text in which cells are compared: spaces at the ends of lines, which editors trim, do not matter."""
    if len(source) > LONGEST:  # no cell of the course's is, by far
        return source
    return "\n".join(line.rstrip() for line in source.split("\n")).strip("\n")


def _part(text: str, whole: str) -> bool:
    """Whole lines of a cell of the course: it was split."""
    return 0 < len(text) <= len(whole) and bool(text.strip()) and f"\n{text}\n" in f"\n{whole}\n"

"""Reads the cells in a notebook's bytes: by its structure where that is whole, else each by itself.

Only what a grader needs is read of a cell. nbformat would refuse the whole notebook for one value of a wrong type.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from course_attention.course.cell_matching import Identity
from course_attention.course.cell_source import LONGEST, Facts, facts
from course_attention.course.defended import defended_in
from course_attention.grading.reading import merge_markers
from course_attention.grading.reading.file_text import other_file, text_of
from course_attention.grading.reading.salvage import DECODER, salvage

MOST_VALUES = 3_000_000  # in the whole file, outputs included; more take seconds and gigabytes to read
MOST_CELLS = 20_000
_MOST_POINTS = 1_000_000
LARGE = 10_000_000  # bytes; what makes a file so large is pictures
_PICTURE = re.compile(rb'"[A-Za-z0-9+/=]{2000,}+(?:\\n)?+"')  # in base64
MOST_CODE = 500_000  # characters of all code cells together; a notebook with all its answers has some ten thousand


@dataclass(frozen=True)
class SubmittedCell:
    """A cell as it was handed in.

    Attributes:
        kind: "code", "markdown" or "raw".
        id: its cell id, "" where it has none.
        grade_id: as nbgrader knows it, or the name of its practice; "" where it has none.
        source: its text, with "\\n" as line ends.
        cut: the file is damaged inside this cell.
        points: what it is worth by nbgrader's metadata; None where they do not say.
        defended: the exercises that its outputs say were defended.
    """

    kind: str
    id: str
    grade_id: str
    source: str
    cut: bool = False
    points: float | None = None
    defended: tuple[str, ...] = ()

    @property
    def identity(self) -> Identity:
        """What it is known by."""
        return Identity(self.id, self.grade_id, self.source)

    @property
    def facts(self) -> Facts:
        """What its source says about itself."""
        return facts(self.source)


class NotANotebook(Exception):
    """No cell can be read; the message says what the file is instead."""


def cells_of(content: bytes) -> tuple[list[SubmittedCell], list[str]]:
    """Read the cells of a notebook.

    Returns:
        The cells, in order, and a note on each thing that was odd.

    Raises:
        NotANotebook: there are none to be read.
    """
    if what := other_file(content):
        raise NotANotebook(f"the file is {what}" + ("" if what in ("empty", "blank") else ", not a notebook"))
    if len(content) > LARGE:
        content = _PICTURE.sub(b'""', content)
    if sum(content.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise NotANotebook(f"the file holds more than {MOST_VALUES:,} values; are its outputs too large?")
    text, notes = text_of(content)
    whole = merge_markers.first_side(text)
    if whole != text:
        notes.append("the file holds an unresolved merge; the first side, the student's own, was read")
    entries = _entries(whole, notes)
    if len(entries) > MOST_CELLS:
        notes.append(f"of more than {MOST_CELLS:,} cells the first {MOST_CELLS:,} were read")
        entries = entries[:MOST_CELLS]
    cells = [_cell(entry, notes) for entry in entries if isinstance(entry, dict)]
    if len(cells) < len(entries):
        notes.append("entries that are not cells were left out")
    cells = _bounded(_without_conflicts(cells, notes), notes)
    return cells, list(dict.fromkeys(notes))


def _entries(text: str, notes: list[str]) -> list[Any]:
    """Return what stands in the notebook's list of cells."""
    try:
        notebook, end = DECODER.raw_decode(text, len(text) - len(text.lstrip()))
    except (ValueError, RecursionError):
        notebook, end = None, len(text)
    # Where a cell lost its beginning, its last bracket closes the list of cells: the notebook seems to end there.
    ends_early = isinstance(notebook, dict) and "nbformat" not in notebook and '"cell_type"' in text[end:]
    if not ends_early and (entries := _listed(notebook)) is not None:
        if text[end:].strip():
            notes.append("text behind the notebook's end was left out")
        if not (isinstance(notebook, dict) and isinstance(notebook.get("cells"), list)):
            notes.append("the list of cells is not where format 4 has it")
        version = notebook.get("nbformat") if isinstance(notebook, dict) else None
        if version != 4:
            shown = version if isinstance(version, int) and abs(version) < 1000 else "an unknown version of it"
            notes.append(f"the notebook says that its format is {shown}, not 4; it was read all the same")
        return entries
    saved = salvage(text, MOST_CELLS + 1)
    if not saved:
        what = "it is not JSON, and" if notebook is None else "it has no list of cells, and"
        raise NotANotebook(f"the file is not a notebook: {what} no cell can be found in it")
    cells = "1 cell" if len(saved) == 1 else f"{len(saved)} cells"
    notes.append(f"the notebook is damaged or cut off: {cells} could be read from it")
    return saved


def _listed(notebook: Any) -> list[Any] | None:
    """Find the list of cells in a notebook of format 4, of 1 to 3 with their worksheets, or wherever else it is."""
    for _ in range(3):
        if isinstance(notebook, list):
            return notebook if any(_like_cell(entry) for entry in notebook) else None
        if not isinstance(notebook, dict):
            return None
        if notebook and all(map(_like_cell, notebook.values())):
            return list(notebook.values())
        if isinstance(cells := notebook.get("cells"), list):
            return cells
        if isinstance(sheets := notebook.get("worksheets"), list):
            lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
            return [cell for cells in lists if isinstance(cells, list) for cell in cells]
        values = list(notebook.values())
        lists = [value for value in values if isinstance(value, list) and any(map(_like_cell, value))]
        inner = [value for value in values if isinstance(value, dict) and not {"cells", "worksheets"}.isdisjoint(value)]
        cells_by_name = [notebook["cells"]] if isinstance(notebook.get("cells"), dict) else []
        notebook = next(iter([*lists, *cells_by_name, *inner]), None)
    return None


def _like_cell(entry: Any) -> bool:
    return isinstance(entry, dict) and ("cell_type" in entry or "source" in entry)


def _cell(entry: dict[str, Any], notes: list[str]) -> SubmittedCell:
    kind = entry.get("cell_type")
    kind = {"heading": "markdown", "html": "raw"}.get(kind, kind) if isinstance(kind, str) else kind
    if kind not in ("code", "markdown", "raw"):
        notes.append("cells of an unknown type were read as code")
        kind = "code"
    metadata = entry.get("metadata", {})
    nbgrader = metadata.get("nbgrader", {}) if isinstance(metadata, dict) else None
    if not isinstance(nbgrader, dict):
        notes.append("cell metadata of a wrong type was left out")
        nbgrader = {}
    cell_id, grade_id = entry.get("id"), nbgrader.get("grade_id")
    if not grade_id and isinstance(metadata, dict):
        grade_id = metadata.get("practice")
    return SubmittedCell(
        kind,
        cell_id if isinstance(cell_id, str) else "",
        grade_id if isinstance(grade_id, str) else "",
        _source(entry, notes),
        cut=entry.get("cut") is True,
        points=_points(nbgrader.get("points")),
        defended=defended_in(entry.get("outputs")),
    )


def _points(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < _MOST_POINTS else None


def _source(entry: dict[str, Any], notes: list[str]) -> str:
    source = next((entry[key] for key in ("source", "input", "code") if key in entry), None)
    lines = source if isinstance(source, list) else [source]
    texts = [line for line in lines if isinstance(line, str)]
    if len(texts) < len(lines):
        notes.append("cell sources of a wrong type were left out")
    # By the format each line ends in "\n"; some writers leave that to the list.
    together = "" if any("\n" in text or "\r" in text for text in texts) else "\n"
    text = together.join(texts).replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    if "\0" in text:
        text = text.replace("\0", "")
        notes.append("zero bytes in cells were left out")
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)  # halves of characters, which no file can hold
    first = text if merge_markers.cell_marker(text) else merge_markers.first_side(text)
    if first != text:
        notes.append("a cell holds an unresolved merge; the first side, the student's own, was read")
    return first


def _without_conflicts(cells: list[SubmittedCell], notes: list[str]) -> list[SubmittedCell]:
    markers = [merge_markers.cell_marker(cell.source) for cell in cells]
    if "<<<<<<<" not in markers:
        return cells
    notes.append("cells of an unresolved merge; the first side, the student's own, was read")
    return merge_markers.without_others(cells, markers)


def _bounded(cells: list[SubmittedCell], notes: list[str]) -> list[SubmittedCell]:
    """Leave out code cells for which there is no room, and cut other cells short, which may hold pictures."""
    kept, room = [], MOST_CODE
    for cell in cells:
        if cell.kind != "code":
            kept.append(replace(cell, source=cell.source[:LONGEST]))
        elif len(cell.source) <= room:
            room -= len(cell.source)
            kept.append(cell)
    if len(kept) < len(cells):
        left_out = len(cells) - len(kept)
        notes.append(f"code cells left out because there is too much code: {left_out}")
    return kept

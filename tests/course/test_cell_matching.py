"""Whose a cell is: decided once, by grade_id, then by id, then by text, for the grader and for merging alike."""

from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_attention.course.cell_matching import Identity, comparable, match
from course_attention.course.cells import CourseCell, CourseNotebook
from course_attention.course.merging import merge
from course_attention.grading.reading.submitted_notebook import read_submission

SETUP, F, G = (
    "import math",
    "def f():\n    raise NotImplementedError",
    "def g():\n    raise NotImplementedError",
)
COURSE = [Identity("setup", "", SETUP), Identity("f", "f", F, True), Identity("g", "g", G, True)]
ONE, TWO = "def f():\n    return 1", "def g():\n    return 2"


@pytest.mark.parametrize(
    ("cells", "owners"),
    [
        ([Identity("f", "g", TWO)], ["g"]),
        ([Identity("f", "", ONE)], ["f"]),
        ([Identity("", "", SETUP)], ["setup"]),
        ([Identity("new", "", "import   math")], [""]),
        ([Identity("", "", "")], [""]),
        ([Identity("f", "unknown", ONE)], ["f"]),
        ([Identity("setup", "", "import cmath"), Identity("setup", "", SETUP)], ["", "setup"]),
        ([Identity("setup", "", "import cmath"), Identity("setup", "", "import re")], ["setup", ""]),
        ([Identity("f", "", ONE), Identity("new", "f", ONE)], ["", "f"]),
        ([Identity("setup", "f", ONE), Identity("setup", "", "import cmath")], ["f", ""]),
    ],
)
def test_match(cells: list[Identity], owners: list[str]) -> None:
    """A grade_id goes before an id, an id before a text; a copy is nobody's, and no text is."""
    assert match(cells, COURSE) == owners


def test_comparable() -> None:
    """Spaces at the ends of lines and blank lines around a cell do not matter; those in front of a line do."""
    assert comparable("\nif x:  \n    y\n\n") == "if x:\n    y"


def notebook(*cells: Identity) -> bytes:
    def node(cell: Identity) -> nbformat.NotebookNode:
        metadata = {"grade_id": cell.grade_id, "solution": True} if cell.grade_id else {}
        made = new_code_cell(cell.source, metadata={"nbgrader": metadata} if metadata else {})
        return nbformat.NotebookNode({**made, "id": cell.id})

    return nbformat.writes(new_notebook(cells=[node(cell) for cell in cells], nbformat_minor=5)).encode()


@pytest.mark.parametrize(
    "cells",
    [
        # the metadata of two answer cells has changed places with their ids
        [Identity("setup", "", SETUP), Identity("g", "f", ONE), Identity("f", "g", TWO)],
        # a cell with the id of an answer, but without its grade_id, beside the one that has it
        [
            Identity("setup", "", SETUP),
            Identity("f", "", "print('a draft')"),
            Identity("new", "f", ONE),
            Identity("g", "g", TWO),
        ],
        # an id of the course's set-up on an answer
        [Identity("top", "", SETUP), Identity("setup", "f", ONE), Identity("g", "g", TWO)],
        # an editor has dropped the set-up's id and the spaces at the ends of its lines
        [Identity("top", "", f"{SETUP}  "), Identity("f", "f", ONE), Identity("g", "g", TWO)],
    ],
)
def test_grader_and_merge_agree(cells: list[Identity]) -> None:
    """Where they once disagreed, both take the same cells for the answers, and add no cell that is the course's."""
    handed_in = notebook(*cells)
    roles = [
        CourseCell(one.id, "answer" if one.is_answer else "provided", one.grade_id, one.source, 1.0) for one in COURSE
    ]
    reading = read_submission(handed_in, CourseNotebook("00_a", tuple(roles)))
    assert reading.answers == {"f": ONE, "g": TWO}
    newer = [Identity("setup", "", "import math, cmath"), *COURSE[1:]]
    merged, _ = merge(handed_in, notebook(*COURSE), notebook(*newer))
    sources = {cell.id: cell.source for cell in nbformat.reads(merged.decode(), as_version=4).cells}
    assert (sources["setup"], sources["f"], sources["g"]) == ("import math, cmath", ONE, TWO)
    added = {source for name, source in sources.items() if name not in ("setup", "f", "g")}
    assert added == {one.source for one in reading.added}

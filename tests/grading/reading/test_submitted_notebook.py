"""Tests of the reading of a submitted notebook: what is still in a damaged one is found, and the rest is noted."""

from __future__ import annotations

import json
import random
import re
import time
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_attention.course.cells import course_notebook
from course_attention.grading.reading.submitted_notebook import Added, Reading, read_submission
from tests.grading.damage import (
    ADDED,
    ALL,
    STEM,
    Damaged,
    answer_cells,
    answers,
    code,
    exercise,
    handed_in,
    text,
)
from tests.grading.damaged_files import all_damaged

COURSE = course_notebook(STEM)
STUB = {cell.name: cell.source for cell in COURSE.cells if cell.role == "answer"}
DAMAGED = all_damaged(seed=0)
# Of processor time. The slowest takes a quarter of a second on a quiet machine; what is quadratic takes minutes, and
# what lies between depends on the machine and on what else the process holds.
LIMIT = 10.0


def read(notebook: dict) -> Reading:
    return read_submission(json.dumps(notebook).encode(), COURSE)


def cell_of(notebook: dict, name: str) -> dict:
    return next(cell for cell in notebook["cells"] if exercise(cell) == name)


def sources(notebook: dict, name: str, *sources: str, marked: bool = True) -> dict:
    """Put these cells in the place of an answer in the submission; all marked as it, or the first alone."""
    cell = cell_of(notebook, name)
    place = notebook["cells"].index(cell)
    cells = [
        code(source, f"new{n}", **(cell["metadata"] if marked or not n else {})) for n, source in enumerate(sources)
    ]
    notebook["cells"][place : place + 1] = cells
    return notebook


def lines(source: str) -> list[str]:
    """Without blank lines, which a split cell loses at its ends."""
    return [line for line in source.split("\n") if line.strip()]


def shortcomings(damaged: Damaged) -> list[str]:
    """In what the reading of a damaged notebook falls short."""
    start = time.process_time()
    reading = read_submission(damaged.content, COURSE)
    seconds = time.process_time() - start
    found = reading.answers
    faults = [
        f"{name} is not as written" for name in damaged.whole if lines(found.get(name, "")) != lines(answers()[name])
    ]
    faults += [f"{name} was made up" for name in found.keys() - damaged.whole - damaged.partly]
    if bool(reading.malformed) != damaged.malformed:
        faults.append(f"malformed: {reading.malformed!r}")
    if damaged.noted and not reading.notes and not reading.malformed:
        faults.append("nothing was said")
    if damaged.added and not {added.source for added in reading.added}.issuperset(ADDED):
        faults.append("an added cell was lost")
    if reading.malformed == "the file cannot be read as a notebook":
        faults.append("an exception was caught at the last gate")
    if any(len(note) > 300 or "\n" in note for note in (*reading.notes, reading.malformed)):
        faults.append("a note is no line")
    if reading.sha256 != sha256(damaged.content).hexdigest():
        faults.append("another hash")
    if seconds > LIMIT:
        faults.append(f"{seconds:.2f} s")
    return faults


def test_kinds() -> None:
    """There are more than 200 kinds of damage, under names of their own."""
    kinds = {re.sub(r" at \d+$", "", damaged.name) for damaged in DAMAGED}
    assert len(kinds) > 200


@pytest.mark.parametrize("part", range(8))
def test_damaged(part: int) -> None:
    """Of each damaged notebook all that is left is read in bounded time, and the rest is told."""
    found = {damaged.name: faults for damaged in DAMAGED[part::8] if (faults := shortcomings(damaged))}
    assert found == {}


def test_told() -> None:
    """The comparison itself finds an answer that is lost, one that is made up, and silence."""
    content = text(handed_in()).encode()
    assert shortcomings(Damaged("", content, ALL, noted=True)) == ["nothing was said"]
    assert shortcomings(Damaged("", content, ALL - {"attention"}, noted=False)) == ["attention was made up"]
    lost = handed_in()
    lost["cells"].remove(cell_of(lost, "attention"))
    assert shortcomings(Damaged("", text(lost).encode(), ALL)) == ["attention is not as written"]


def test_untouched() -> None:
    """Of a notebook that nothing was done to, the stubs are the answers, nothing is added, nothing is odd."""
    notebook = handed_in()
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in ("a11ce", "b0b")]
    for cell in answer_cells(notebook):
        cell["source"] = STUB[exercise(cell)]
    reading = read(notebook)
    assert reading.answers == STUB
    assert (reading.added, reading.notes, reading.malformed) == ((), (), "")


def test_added() -> None:
    """Added cells are found behind the course's cell before them, whatever became of their own metadata."""
    before = COURSE.cells[[cell.name for cell in COURSE.cells].index("attention") - 1].id
    assert read(handed_in()).added == (Added(ADDED[0], before), Added(ADDED[1], COURSE.cells[-1].id))


def test_added_goes_with_a_moved_answer() -> None:
    """What stands in front of an answer that was moved to the end, or copied there, still runs before it."""
    for keep in (False, True):
        notebook = handed_in()
        cell = cell_of(notebook, "attention")
        moved = {**cell, "source": ["# copied\n", *cell["source"]]}
        notebook["cells"] += [code("needed = 1", "0ne"), moved, code("later = 1", "tw0")]
        if not keep:
            notebook["cells"].remove(cell)
        reading = read(notebook)
        places = {added.source: added.after for added in reading.added}
        assert places["needed = 1"] == places[ADDED[0]]
        assert places["later = 1"] == "attention"
        assert reading.answers["attention"].startswith("# copied")


def test_outputs_do_not_count() -> None:
    """Two notebooks that differ in outputs, tags, counts and the order of provided cells read the same."""
    notebook, rng = handed_in(), random.Random(0)
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution"]
        cell.update(outputs=[{"output_type": "stream", "text": "def attention(): pass"}], execution_count=3)
    mine = {"a11ce", "b0b"}
    provided = [cell for cell in notebook["cells"] if not exercise(cell) and cell["id"] not in mine]
    rng.shuffle(provided)
    assert read(notebook).answers == read(handed_in()).answers
    assert read(notebook).added == read(handed_in()).added


def test_provided_cells_are_the_course_s() -> None:
    """A provided cell that was edited is not an added one; how many were edited is said."""
    notebook = handed_in()
    setup = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    setup["source"] = ["raise SystemExit"]
    reading = read(notebook)
    assert all("SystemExit" not in added.source for added in reading.added)
    assert "provided cells that were edited: 1; the course's own were run" in reading.notes


def test_check_cells_are_ignored() -> None:
    """A check cell is none of the student's, whatever is written in it."""
    notebook = handed_in()
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = ["def attention(): return 'forged'"]
            cell["id"] = "other"
    assert read(notebook).answers == answers()
    assert len(read(notebook).added) == 2


A = "def attention(query):\n    return 'a'"
B = "def attention(query):\n    return 'b'"
BROKEN = "def attention(query:\n    return 'c'"


@pytest.mark.parametrize(
    ("copies", "counts"),
    [
        ((A, B), B),
        ((B, A), A),
        ((A, A), A),
        ((A, ""), A),
        ((A, STUB["attention"]), A),
        ((STUB["attention"], A), A),
        ((A, BROKEN), A),
        ((BROKEN, A), A),
        ((BROKEN, BROKEN + " "), BROKEN + " "),
        ((A, B, A), A),
        (("", ""), ""),
        ((STUB["attention"],), STUB["attention"]),
        (("import math", B), f"import math\n{B}"),
        ((A, "two = 2"), f"{A}\ntwo = 2"),
    ],
)
def test_copies(copies: tuple[str, ...], counts: str) -> None:
    """The last copy that was worked on and can be run counts; what goes with another only is joined to it."""
    assert read(sources(handed_in(), "attention", *copies)).answers["attention"] == counts


WHOLE = """def attention(query):
    '''Shapes.

    Of it.'''
    scores = (query
              + 1)

    return scores"""


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("place", range(1, WHOLE.index("return") + 1))  # behind it nothing tells where a line ended
def test_split(place: int, marked: bool) -> None:
    """A cell that was split at any place is put together again, but for blank lines at the split."""
    first, second = WHOLE[:place].strip("\n"), WHOLE[place:].strip("\n")
    found = read(sources(handed_in(), "attention", first, second, marked=marked)).answers["attention"]
    names: dict = {}
    exec(found, names)
    assert names["attention"](1) == 2


@pytest.mark.parametrize("marked", [True, False])
def test_split_behind_magic(marked: bool) -> None:
    """Magics do not hinder a split cell from being known."""
    parts = ("%%time\ndef attention(query):", "    ! ls\n    x = %who\n    return query")
    found = read(sources(handed_in(), "attention", *parts, marked=marked)).answers["attention"]
    assert found == "\n".join(parts)


def test_next_cell_stays_apart() -> None:
    """An added cell that can be run by itself, or never, is not made a part of the answer in front of it."""
    for following in ("print(attention(1))", "attention = 3", "print(", "def other():\n    return 1"):
        reading = read(sources(handed_in(), "attention", A, following, marked=False))
        assert reading.answers["attention"] == A
        assert following in [added.source for added in reading.added]


def test_lost_cell() -> None:
    """Where the answer's cell is gone or blank, an added cell that defines the name is the answer; `check` is none."""
    for blank in (True, False):
        notebook = handed_in()
        cell = cell_of(notebook, "attention")
        if blank:
            cell["source"] = []
        else:
            notebook["cells"].remove(cell)
        notebook["cells"] += [code(B, "0ne"), code("attention = check(attention)", "tw0")]
        reading = read(notebook)
        assert reading.answers["attention"] == B
        assert "attention: the answer stands in an added cell" in reading.notes
        assert B not in [added.source for added in reading.added]


def test_swapped() -> None:
    """Answers under each other's marks go to the exercise that they define."""
    notebook = handed_in()
    one, other = cell_of(notebook, "attention"), cell_of(notebook, "mean_attention")
    one["source"], other["source"] = other["source"], one["source"]
    reading = read(notebook)
    assert reading.answers == answers()
    assert "attention: the answer stands in the cell marked as mean_attention" in reading.notes


def test_parts_of_provided_cells() -> None:
    """A provided cell that was split is not run as the student's, halves of training and plots least of all."""
    notebook = handed_in()
    long = [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and len(cell["source"]) > 6]
    long = [cell for cell in long if not exercise(cell)]
    for cell in long:
        place = notebook["cells"].index(cell)
        halves = ("".join(cell["source"][:4]).strip("\n"), "".join(cell["source"][4:]).strip("\n"))
        notebook["cells"][place : place + 1] = [code(half, f"h{place}{n}") for n, half in enumerate(halves)]
    assert len(long) > 10
    assert [added.source for added in read(notebook).added] == list(ADDED)


def test_another_notebook() -> None:
    """A notebook of another's cells is readable, has none of the answers, and says so."""
    other = course_notebook("03_self_attention")
    cells = [code(cell.source, cell.id) for cell in other.cells if cell.role == "demo"]
    reading = read({"cells": cells, "nbformat": 4})
    assert reading.answers == {}
    assert not reading.malformed
    assert any("another notebook" in note for note in reading.notes)


@pytest.mark.parametrize("stem", ["00_start_here", "01_seq2seq_attention", "06_positional_encoding"])
def test_course_notebooks(stem: str) -> None:
    """The course's own notebooks read without a note, from their file with all its outputs."""
    from course_attention.course.workspace import course_notebooks

    content = next(path for path in course_notebooks() if path.stem == stem).read_bytes()
    course = course_notebook(stem)
    reading = read_submission(content, course)
    assert reading.answers == {cell.name: cell.source for cell in course.cells if cell.role == "answer"}
    assert (reading.added, reading.notes) == ((), ())
    shortened = read_submission(content[: len(content) // 2], course)
    assert shortened.notes
    assert all(reading.answers[name].startswith(part.rstrip("\n")) for name, part in shortened.answers.items())


def test_json_is_not_needed_to_be_utf8() -> None:
    """A byte that is not UTF-8 is read as Windows wrote it, so that a name stays a name."""
    source = "def attention(query):\n    größe = query\n    return größe"
    content = json.dumps(sources(handed_in(), "attention", source), ensure_ascii=True).encode()
    content = content.replace(rb"\u00f6\u00df", "öß".encode("cp1252"))
    reading = read_submission(content, COURSE)
    assert reading.answers["attention"] == source
    assert "bytes that are not UTF-8 were read as Windows-1252" in reading.notes


KEYS = [
    "cells",
    "worksheets",
    "content",
    "cell_type",
    "source",
    "input",
    "id",
    "metadata",
    "nbgrader",
    "grade_id",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["code", "attention", A]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner, max_size=6),
    max_leaves=30,
)


@settings(max_examples=4 * settings().max_examples)
@given(JSON, st.integers(0), st.integers(0, 255))
def test_any_json(value: object, place: int, byte: int) -> None:
    """Any JSON, whole or with a byte changed, as a notebook or as its cells, is read without an exception."""
    for notebook in (
        value,
        {"cells": value},
        {"cells": [value]},
        {"cells": [{"cell_type": "code", "source": value}]},
    ):
        content = bytearray(json.dumps(notebook).encode())
        assert gate_was_open(bytes(content))
        content[place % len(content)] = byte
        assert gate_was_open(bytes(content))


@settings(max_examples=2 * settings().max_examples)
@given(st.binary(max_size=300))
def test_any_bytes(content: bytes) -> None:
    """Any bytes are read without an exception, in front of a notebook, in it, and alone."""
    whole = json.dumps(handed_in()).encode()
    half = len(whole) // 2
    for damaged in (content, content + whole, whole[:half] + content + whole[half:], whole[:half] + content):
        assert gate_was_open(damaged)


def gate_was_open(content: bytes) -> bool:
    """No exception was caught at the last gate."""
    reading = read_submission(content, COURSE)
    return reading.malformed != "the file cannot be read as a notebook"


@pytest.mark.parametrize("points", [7, 0.5, "7", None, True, -1, float("nan"), 10**9, [7]])
def test_other_points(points: object) -> None:
    """Points in the file's metadata do not count; where they are others than the course's, a note says so."""
    notebook = handed_in()
    cell = next(one for one in notebook["cells"] if one["metadata"].get("nbgrader", {}).get("grade"))
    name, own = (
        cell["metadata"]["nbgrader"]["grade_id"].removeprefix("check-"),
        cell["metadata"]["nbgrader"]["points"],
    )
    cell["metadata"]["nbgrader"]["points"] = points
    said = [note for note in read(notebook).notes if "metadata" in note]
    if points in (7, 0.5):
        assert said == [f"{name} is worth {points:g} points in the file's metadata; the course's own {own:g} count"]
    else:
        assert said == []

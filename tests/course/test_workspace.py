"""The workspace: notebooks come, a newer course merges in, and nothing of a student's is lost."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbformat.warnings import DuplicateCellId

from course_attention.course import workspace
from course_attention.course.workspace import (
    MADE_FROM,
    MARKER,
    WorkspaceError,
    course_notebooks,
    prepare,
    restore,
    without_outputs,
)


def answer(name: str, source: str = "def f():\n    raise NotImplementedError"):
    metadata = {"nbgrader": {"grade_id": name, "solution": True, "grade": False, "locked": False, "schema_version": 3}}
    return new_code_cell(source, id=name, metadata=metadata)


def write(path: Path, *cells) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat.writes(new_notebook(cells=list(cells), nbformat_minor=5)), encoding="utf-8")
    return path


def cells(path: Path) -> list[tuple[str, str]]:
    return [(cell.id, cell.source) for cell in nbformat.read(path, as_version=4).cells]


def edit(path: Path, change) -> None:
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells)
    nbformat.write(notebook, path)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course of one notebook: a title, an answer, a demonstration."""
    return write(
        tmp_path / "course" / "00_a.ipynb",
        new_markdown_cell("# Title", id="title"),
        answer("f"),
        new_code_cell("demo()", id="demo"),
    )


@pytest.fixture
def newer(course: Path):
    """Bring out the next version of that notebook: prose and demonstration change, a cell and an answer come."""

    def publish():
        write(
            course,
            new_markdown_cell("# Better title", id="title"),
            answer("f"),
            new_markdown_cell("More.", id="more"),
            new_code_cell("demo(2)", id="demo"),
            answer("g"),
        )

    return publish


@pytest.fixture
def folder(tmp_path: Path, course: Path) -> Path:
    """Return a workspace just made from that course."""
    folder = tmp_path / "mine"
    assert prepare(folder, [course]) == ["added 00_a.ipynb"]
    return folder


def test_makes_the_folder(tmp_path):
    """A new workspace holds every notebook of the course without its outputs, and the marker folder."""
    prepare(tmp_path / "deep" / "mine")
    for source in course_notebooks():
        original = json.loads(source.read_text(encoding="utf-8"))
        for cell in (cell for cell in original["cells"] if cell["cell_type"] == "code"):
            cell.update(outputs=[], execution_count=None)
            cell["metadata"].pop(MADE_FROM, None)
        assert json.loads((tmp_path / "deep/mine" / source.name).read_text(encoding="utf-8")) == original
    assert (tmp_path / "deep" / "mine" / MARKER).is_dir()


def test_second_start_does_nothing(folder, course):
    """A second start writes no file and has nothing to say."""
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert prepare(folder, [course]) == []
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_edited_file_is_not_touched(folder, course):
    """While the course stays the same, an edited notebook keeps every byte."""
    edited = folder / "00_a.ipynb"
    edited.write_bytes(edited.read_bytes() + b"\n\n")
    before = edited.read_bytes()
    assert prepare(folder, [course]) == []
    assert edited.read_bytes() == before


def test_deleted_file_comes_back(folder, course):
    """A notebook that the student deleted is copied again."""
    (folder / "00_a.ipynb").unlink()
    assert prepare(folder, [course]) == ["added 00_a.ipynb"]


def test_files_of_the_student_stay(tmp_path, course):
    """A folder that is not empty keeps what is in it, a notebook of the same name included."""
    mine = write(tmp_path / "mine" / "00_a.ipynb", new_markdown_cell("my own"))
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    before = mine.read_bytes()
    (line,) = prepare(tmp_path / "mine", [course])
    assert line.startswith("left 00_a.ipynb alone")
    assert mine.read_bytes() == before
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep"


def test_unedited_file_is_replaced(folder, course, newer):
    """A newer course replaces a notebook in which nothing was written."""
    newer()
    assert prepare(folder, [course]) == ["updated 00_a.ipynb"]
    assert (folder / "00_a.ipynb").read_bytes() == without_outputs(course.read_bytes())


OLD_OUTPUT, OWN_OUTPUT = (nbformat.v4.new_output("stream", text=text) for text in ("the course's\n", "mine\n"))


@pytest.fixture
def older_folder(folder, course):
    """Return a workspace from when copies came with the course's outputs, in which the student has run an answer."""
    for path in (course, folder / "00_a.ipynb", folder / MARKER / "installed" / "00_a.ipynb"):
        edit(path, lambda cells: cells[2].update(outputs=[OLD_OUTPUT], execution_count=2))
    answered = {"outputs": [OWN_OUTPUT], "source": "def f():\n    return 1"}
    edit(folder / "00_a.ipynb", lambda cells: cells[1].update(answered))
    return folder


def outputs(path: Path) -> list:
    return [cell.outputs for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_older_copy_keeps_its_outputs(older_folder, course):
    """While the lesson is the same, an older copy keeps every byte, its outputs too."""
    before = (older_folder / "00_a.ipynb").read_bytes()
    for _ in range(2):
        assert prepare(older_folder, [course]) == []
        assert (older_folder / "00_a.ipynb").read_bytes() == before


def test_newer_course_leaves_the_outputs_of_a_student(older_folder, course, newer):
    """After a merge the student's outputs are still there, and none of the newer course's has come."""
    newer()
    edit(course, lambda cells: cells[3].update(outputs=[OLD_OUTPUT]))
    prepare(older_folder, [course])
    assert outputs(older_folder / "00_a.ipynb") == [[OWN_OUTPUT], [], []]


def test_merge_keeps_answers_and_added_cells(folder, course, newer):
    """Answers and added cells stay in their places; provided cells become the newer course's; a backup is there."""

    def work(cells):
        cells[1].source = "def f():\n    return 1"
        cells.insert(2, new_code_cell("f()", id="mine"))
        cells.insert(0, new_markdown_cell("my name", id="name"))

    edit(folder / "00_a.ipynb", work)
    before = (folder / "00_a.ipynb").read_bytes()
    newer()
    (line,) = prepare(folder, [course])
    assert line.startswith("merged 00_a.ipynb")
    assert cells(folder / "00_a.ipynb") == [
        ("name", "my name"),
        ("title", "# Better title"),
        ("f", "def f():\n    return 1"),
        ("mine", "f()"),
        ("more", "More."),
        ("demo", "demo(2)"),
        ("g", "def f():\n    raise NotImplementedError"),
    ]
    (backup,) = (folder / MARKER / "backups").iterdir()
    assert backup.read_bytes() == before
    assert prepare(folder, [course]) == []


def test_experiment_in_a_provided_cell_stays(folder, course, newer):
    """An edit to a cell of the course's own that the newer course did not change is kept."""

    def experiment(cells):
        cells[0].source = "# Title, and my note"  # the newer course has another title
        cells[3].source = "demo(3)"

    edit(course, lambda cells: cells.append(new_code_cell("demo(1)", id="other")))
    prepare(folder, [course])
    edit(folder / "00_a.ipynb", experiment)
    edit(course, lambda cells: cells[0].update(source="# Better title"))
    (line,) = prepare(folder, [course])
    assert cells(folder / "00_a.ipynb")[0] == ("title", "# Better title")
    assert cells(folder / "00_a.ipynb")[3] == ("other", "demo(3)")
    assert "1 cell that you and the course had both changed" in line
    (backup,) = (folder / MARKER / "backups").iterdir()
    assert str(backup.relative_to(folder)) in line
    assert cells(backup)[0] == ("title", "# Title, and my note")


def test_check_cell_is_the_course_s(folder, course):
    """A check cell that the student edited comes back with the next version of the course: it earns the points."""
    checks = answer("check-f", "check(f)")
    checks.metadata["nbgrader"].update(solution=False, grade=True, locked=True, points=1)
    edit(course, lambda cells: cells.append(checks))
    prepare(folder, [course])
    edit(folder / "00_a.ipynb", lambda cells: cells[3].update(source="1.0"))
    edit(course, lambda cells: cells[0].update(source="# Better title"))
    prepare(folder, [course])
    assert cells(folder / "00_a.ipynb")[3] == ("check-f", "check(f)")


def test_read_only_file_stays(folder, course, newer):
    """A notebook that its owner made read-only keeps its bytes and its rights, and a line says so."""
    mine = folder / "00_a.ipynb"
    mine.chmod(0o444)
    before = mine.read_bytes()
    newer()
    assert prepare(folder, [course]) == ["left 00_a.ipynb alone: it is read-only; the course has a newer one"]
    assert mine.read_bytes() == before
    assert mine.stat().st_mode & 0o222 == 0


def test_symbolic_link_stays(folder, course, newer, tmp_path):
    """A notebook that is a link, to a synchronised folder for example, is updated where the link points to."""
    mine, elsewhere = folder / "00_a.ipynb", tmp_path / "elsewhere.ipynb"
    mine.rename(elsewhere)
    elsewhere.chmod(0o640)
    mine.symlink_to(elsewhere)
    newer()
    assert prepare(folder, [course]) == ["updated 00_a.ipynb"]
    assert mine.is_symlink()
    assert cells(elsewhere)[0] == ("title", "# Better title")
    assert elsewhere.stat().st_mode & 0o777 == 0o640


def test_restore(folder, course):
    """`restore` brings the course's copy back, also where the file was damaged, and stores what was there."""
    (folder / "00_a.ipynb").write_bytes(b"<<<<<<< mine")
    line = restore(folder, "00", [course])
    assert line.startswith("restored 00_a.ipynb; as it was: ")
    assert cells(folder / "00_a.ipynb") == cells(course)
    (backup,) = (folder / MARKER / "backups").iterdir()
    assert backup.read_bytes() == b"<<<<<<< mine"
    assert prepare(folder, [course]) == []


@pytest.mark.parametrize("name", ["", "7", "a"])
def test_restore_of_an_unknown_notebook(folder, course, name):
    """A name that fits no notebook is an error that lists the names."""
    with pytest.raises(WorkspaceError, match="name one of 00_a"):
        restore(folder, name, [course])


def test_untouched_stub_becomes_the_newer(folder, course):
    """An answer cell that was never edited takes the newer stub, even when the rest of the notebook was edited."""
    edit(folder / "00_a.ipynb", lambda cells: cells.append(new_code_cell("1", id="mine")))
    edit(course, lambda cells: cells[1].update(source="def f(x):\n    raise NotImplementedError"))
    prepare(folder, [course])
    assert cells(folder / "00_a.ipynb")[1] == ("f", "def f(x):\n    raise NotImplementedError")


def test_merge_without_ids(folder, course, newer):
    """A notebook that lost its cell ids in another editor is merged by exercise and text, with no cell twice."""

    def lose_ids(notebook):
        for cell in notebook.cells:
            del cell["id"]
        notebook.nbformat_minor = 4

    path = folder / "00_a.ipynb"
    edit(path, lambda cells: cells[1].update(source="def f():\n    return 1"))
    notebook = nbformat.read(path, as_version=4)
    lose_ids(notebook)
    path.write_text(nbformat.v4.nbjson.writes(notebook), encoding="utf-8")
    newer()
    prepare(folder, [course])
    assert [source for _, source in cells(path)] == [
        "# Better title",
        "def f():\n    return 1",
        "More.",
        "demo(2)",
        "def f():\n    raise NotImplementedError",
    ]


def test_merge_of_a_split_answer(folder, course, newer):
    """An answer cell split in two stays in two parts, in their order, each with an id of its own."""

    def split(cells):
        cells[1].source = "def f():\n    return g()"
        part = answer("f", "def g():\n    return 1")
        part.id = "part"
        cells.insert(1, part)
        cells.append(answer("f", "def f():\n    return 2"))  # a copy, id and all

    with pytest.warns(DuplicateCellId):
        edit(folder / "00_a.ipynb", split)
    newer()
    prepare(folder, [course])
    merged = cells(folder / "00_a.ipynb")
    assert ("part", "def g():\n    return 1") in merged
    assert ("f", "def f():\n    return g()") in merged
    assert "def f():\n    return 2" in [source for _, source in merged]
    assert len({id for id, _ in merged}) == len(merged)


def test_answer_to_a_dropped_exercise_stays(folder, course):
    """An exercise that the course dropped leaves the notebook only where it was never answered."""
    edit(folder / "00_a.ipynb", lambda cells: cells[1].update(source="def f():\n    return 1"))
    write(course, new_markdown_cell("# Title", id="title"))
    prepare(folder, [course])
    assert cells(folder / "00_a.ipynb") == [("title", "# Title"), ("f", "def f():\n    return 1")]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"<<<<<<< mine\n", b"\xff\xfe\x00", b'{"cells": [1]}'])
def test_damaged_file_is_left_alone(folder, course, newer, content):
    """A file that is no notebook keeps its bytes, and a line says why the newer one did not come."""
    (folder / "00_a.ipynb").write_bytes(content)
    newer()
    for _ in range(2):
        (line,) = prepare(folder, [course])
        assert line.startswith("left 00_a.ipynb alone: it cannot be read as a notebook")
    assert (folder / "00_a.ipynb").read_bytes() == content


def test_folder_that_is_a_file(tmp_path, course):
    """A file where the folder should be is an error that says so, and the file stays."""
    (tmp_path / "mine").write_text("keep")
    with pytest.raises(WorkspaceError, match="is a file; name a folder"):
        prepare(tmp_path / "mine", [course])
    assert (tmp_path / "mine").read_text() == "keep"


def test_course_folder_is_refused(course):
    """The course's own notebooks are not made into somebody's copies."""
    with pytest.raises(WorkspaceError, match="course's own notebooks"):
        prepare(course.parent, [course])


def test_folder_that_cannot_be_written(tmp_path, course, monkeypatch):
    """Where the system refuses to write, the error names the place and the reason."""

    def refuse(source, target):
        raise PermissionError(13, "Permission denied", str(target))

    monkeypatch.setattr(workspace.os, "replace", refuse)
    with pytest.raises(WorkspaceError, match=r"cannot write .*00_a\.ipynb: Permission denied"):
        prepare(tmp_path / "mine", [course])
    assert not list((tmp_path / "mine").glob("*.tmp"))

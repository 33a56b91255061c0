"""The views hold this run's submissions; results of the others are kept aside, are named, and come back."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from course_attention.grading import GradedClass, grade
from course_attention.grading.run.results import result_files, withdrawn
from tests.grading.conftest import FIRST


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """Make a class of three, who handed in links in place of notebooks: nothing has to run."""
    for student in ("ada", "bob", "eve"):
        hand_in(tmp_path / "in" / student)
    return tmp_path / "in"


def hand_in(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / f"{FIRST}.ipynb").symlink_to("/etc/passwd")


def graded(handed_in: Path) -> GradedClass:
    return grade(handed_in, handed_in.parent / "out", isolation="process", seed=3)


def students(done: GradedClass) -> list[str]:
    """Whose marks the views hold."""
    lines = done.views.grades.read_text(encoding="utf-8-sig").splitlines()[1:]
    rows = [line.partition(",")[0].strip('"') for line in lines]
    assert rows == sorted(path.name for path in done.views.feedback.iterdir())
    assert rows == sorted(path.name for path in done.results.iterdir())
    return rows


def test_kept_aside_and_named(handed_in: Path) -> None:
    """Whoever withdraws is in no view; the result is kept where nobody else reads it, and named in every run."""
    assert students(graded(handed_in)) == ["ada", "bob", "eve"]
    shutil.rmtree(handed_in / "bob")
    for _ in range(2):
        done = graded(handed_in)
        assert students(done) == ["ada", "eve"] and (done.submissions, done.graded_now) == (2, 0)
        out = done.views.folder
        assert done.views.lines[-1].startswith(f"withdrawn: bob/{FIRST}; set aside in {out / 'withdrawn'}")
        record = json.loads((out / "withdrawn" / "bob" / f"{FIRST}.json").read_bytes())
        assert record["student"] == "bob"
    if os.name != "nt":
        assert stat.S_IMODE((out / "withdrawn").stat().st_mode) == 0o700


def test_comes_back(handed_in: Path) -> None:
    """Handed in again unchanged, it has its result again without being graded; nobody is named any more."""
    before = {path: path.read_bytes() for path in graded(handed_in).results.rglob("*.json")}
    shutil.rmtree(handed_in / "bob")
    graded(handed_in)
    hand_in(handed_in / "bob")
    done = graded(handed_in)
    assert students(done) == ["ada", "bob", "eve"] and done.graded_now == 0
    assert {path: path.read_bytes() for path in done.results.rglob("*.json")} == before
    assert withdrawn.names(done.views.folder) == []
    assert not any(line.startswith("withdrawn") for line in done.views.lines)


def test_another_name_is_no_withdrawal(handed_in: Path) -> None:
    """A result that has another name since a second assignment came in is renamed, and not graded again."""
    shutil.rmtree(handed_in / "ada")
    hand_in(handed_in / "ada" / "week 1")
    first = graded(handed_in)
    (path,) = (first.results / "ada").iterdir()
    content = path.read_bytes()
    hand_in(handed_in / "ada" / "week 2")
    done = graded(handed_in)
    names = sorted(path.name for path in (done.results / "ada").iterdir())
    assert names == [f"week {number}.{FIRST}.json" for number in (1, 2)] and done.graded_now == 1
    assert (done.results / "ada" / names[0]).read_bytes() == content
    assert withdrawn.names(done.views.folder) == []


def test_many_names(tmp_path: Path) -> None:
    """The line names ten and counts the rest; a name that commands the terminal is shown as its escapes."""
    for number in range(12):
        path = tmp_path / "withdrawn" / f"{number:02}\x1b" / "x.json"
        path.parent.mkdir(parents=True)
        path.write_text("{}")
    (tmp_path / "results").mkdir()
    from course_attention.grading import report

    named, _, folder = report(tmp_path).lines[-1].partition("; set aside in ")
    assert named == "withdrawn: " + ", ".join(rf"{number:02}\x1b/x" for number in range(10)) + " and 2 more"
    assert folder.startswith(str(tmp_path / "withdrawn"))


def test_damaged_result_of_nobody(tmp_path: Path, handed_in: Path) -> None:
    """A file that is no result goes aside, too: what is not understood is not deleted."""
    odd = tmp_path / "out" / result_files.FOLDER / "nobody" / "x.json"
    odd.parent.mkdir(parents=True)
    odd.write_text("{")
    graded(handed_in)
    assert (tmp_path / "out" / "withdrawn" / "nobody" / "x.json").read_text() == "{"
    assert not odd.parent.exists()

"""Names of students and files are anybody's: each gets a result of its own, inside the results, and nothing outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from course_attention.grading.reading.submissions import find_submissions
from course_attention.grading.run.results import result_files
from course_attention.grading.run.results.submission_record import unread
from tests.grading.conftest import FIRST

STUDENTS = (
    "..x", "...", "-rf", "--out", "~", "~root", "$HOME", "`id`", "$(id)", "a;b", "a|b", "a&b", "*", "?", "[a]", "{a}",
    "con", "NUL", "a:b", "a\\b", "..\\..\\a", "%2e%2e%2f", "%s%n", "{0.__class__}", "a b", " a", "a ", "a.", "a\tb",
    "a\nb", "\u202ea", "\ufeffa", "a\u0301", "\u00e1", "\u200b", "'", '"', "O'Brien, Zoë", "=1+1", "+1", "-1",
    "@SUM(A1)", '=HYPERLINK("http:x","y")', "<script>alert(1)", "<img src=x onerror=alert(1)>", "<title>", "&amp;",
    "李小龙", "Đặng Thị", "محمد", "ประยุทธ์", "नरेन्द्र", "Ελένη", "🦉", "\U00010400", "a" * 255, "é" * 127, "results",
    "null", "None", "0", "1e5", "grades.csv", "x.json", ".json"[1:], "a\x7f", "a\x1b[31m",
)  # fmt: skip
FILES = (
    "..", "...", "~", "-x", "=1+1", "<script>", "a\nb", "a\\b", "../a".replace("/", "\u2215"), "李", "🦉", "a" * 249,
    "é" * 124, "x.json", ".hidden"[1:], "a b", " ", "%00", "$(id)", '"', "'",
)  # fmt: skip


def _grade(submitted: Path, results: Path) -> dict[Path, str]:
    """Write a result for everything that is found; path → student."""
    paths = {}
    for one in find_submissions(submitted):
        path = result_files.path_of(results, one)
        assert path not in paths, "two submissions have one result"
        result_files.write(path, unread(one, 0, "no notebook"))
        paths[path] = one.student
    return paths


def _outside(folder: Path, results: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if not path.is_relative_to(results)}


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    folder = tmp_path / "submitted"
    folder.mkdir()
    return folder


def test_students(submitted: Path, tmp_path: Path) -> None:
    """Every student's folder has a result of its own, under its own name, read back as it was written."""
    for student in STUDENTS:
        (submitted / student).mkdir()
        (submitted / student / f"{FIRST}.ipynb").write_text("{}")
    results, before = tmp_path / "out", _outside(tmp_path, tmp_path / "out")
    paths = _grade(submitted, results)
    wanted = {student for student in STUDENTS if not student.startswith(".")}  # hidden folders are nobody's
    assert set(paths.values()) == wanted
    assert all(path.resolve().is_relative_to(results.resolve()) for path in paths)
    assert _outside(tmp_path, results) - {results} == before
    read = list(result_files.read_all(results))
    assert {record["student"] for record in read} == wanted and len(read) == len(wanted)


def test_files(submitted: Path, tmp_path: Path) -> None:
    """So has every file, whatever its name; a hidden one is none."""
    (submitted / "ada").mkdir()
    for name in FILES:
        (submitted / "ada" / f"{name}.ipynb").write_text("{}")
    results, before = tmp_path / "out", _outside(tmp_path, tmp_path / "out")
    paths = _grade(submitted, results)
    assert len(paths) == len([name for name in FILES if not name.startswith(".")])
    assert {path.parent for path in paths} == {results / result_files.FOLDER / "ada"}
    assert _outside(tmp_path, results) - {results} == before
    assert len(list(result_files.read_all(results))) == len(paths)


def test_assignments(submitted: Path, tmp_path: Path) -> None:
    """Folders of assignments with hostile names do not collide, nor leave the results."""
    for name in ("ps1", "ps1.", "-", "a\nb", "=1", "李", "a" * 200, "a" * 201):
        (submitted / "ada" / name).mkdir(parents=True)
        (submitted / "ada" / name / f"{FIRST}.ipynb").write_text("{}")
    paths = _grade(submitted, tmp_path / "out")
    assert len(paths) == 8 and {path.parent.name for path in paths} == {"ada"}


def test_links(submitted: Path, tmp_path: Path) -> None:
    """A link is refused wherever it stands, and what it points to is not read: up, to others, to itself, to nowhere."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / f"{FIRST}.ipynb").write_text("a secret")
    (submitted / "ada").mkdir()
    (submitted / "ada" / f"{FIRST}.ipynb").write_text("{}")
    for number, target in enumerate((tmp_path / "outside", "..", ".", "ada", "/", "nowhere", "/proc/self")):
        os.symlink(target, submitted / f"link{number}")
    (submitted / "eve").mkdir()
    for number, target in enumerate((f"../ada/{FIRST}.ipynb", tmp_path / "outside" / f"{FIRST}.ipynb", "/etc/passwd")):
        os.symlink(target, submitted / "eve" / f"{number}.ipynb")
    os.symlink("..", submitted / "eve" / "assignment")
    found = find_submissions(submitted)
    assert [one.student for one in found if not one.refused] == ["ada"]
    assert len(found) == 1 + 7 + 4 and all("link" in one.refused for one in found if one.refused)

"""Grading a class from a program: typed arguments, a typed result, and nothing printed."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from course_attention import cli
from course_attention.grading import CannotGrade, GradedClass, grade, report
from course_attention.grading.commands import INCOMPLETE
from course_attention.grading.run.results import result_files
from course_attention.grading.run.scheduling.executors import Workers
from course_attention.grading.terminal import errors_in_a_line
from tests.grading.conftest import FIRST, SECOND, filled, needs_bubblewrap
from tests.grading.views.made import exercise, not_judged, record, write


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    """Make a class of two, who handed in links in place of notebooks."""
    for student in ("eve", "max"):
        (tmp_path / "in" / student).mkdir(parents=True)
    (tmp_path / "in" / "eve" / f"{FIRST}.ipynb").symlink_to("/etc/passwd")
    (tmp_path / "in" / "max" / f"{FIRST}.ipynb").symlink_to("/etc/passwd")
    return tmp_path / "in"


@needs_bubblewrap
def test_result(tmp_path: Path) -> None:
    """The result counts submissions by status, and its paths are those of what was written."""
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / f"{FIRST}.ipynb").write_bytes(filled(FIRST))
    (tmp_path / "in" / "ada" / f"{SECOND}.ipynb").write_bytes(b"%PDF-1.7")
    done = grade(tmp_path / "in", tmp_path / "out", seed=3, workers=1)
    assert (done.submissions, done.graded_now, done.complete) == (2, 2, True)
    assert done.statuses == {"graded": 1, "malformed": 1}
    assert {path.stem for path in done.results.glob("ada/*.json")} == {FIRST, SECOND}
    assert done.views.grades.is_file() and done.views.report.is_file() and done.views.feedback.is_dir()
    assert done.views == report(tmp_path / "out")
    again = grade(tmp_path / "in", tmp_path / "out", workers=1)
    assert (again.graded_now, again.statuses) == (0, done.statuses)


@needs_bubblewrap
@pytest.mark.usefixtures("in_this_process")
def test_best_version(tmp_path: Path) -> None:
    """With `best` every version is graded, the best counts, handed_in.csv names it, and the counts tell all files."""
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / f"{FIRST}.ipynb").write_bytes(filled(FIRST, {"softmax": None}))
    (tmp_path / "in" / "ada" / f"{FIRST} (1).ipynb").write_bytes(filled(FIRST))
    os.utime(tmp_path / "in" / "ada" / f"{FIRST} (1).ipynb", (1, 1))
    (tmp_path / "in" / "ada" / "notes.txt").write_text("")
    done = grade(tmp_path / "in", tmp_path / "out", workers=1, keep="best")
    assert (done.submissions, done.files, done.passed_over) == (2, 3, 1)
    table = (tmp_path / "out" / "handed_in.csv").read_text(encoding="utf-8-sig")
    assert f"a version that does not count: '{FIRST} (1)' is the best" in table
    assert '"ada","2","2","2"' in done.views.grades.read_text(encoding="utf-8-sig")
    again = grade(tmp_path / "in", tmp_path / "out", workers=1, keep="newest")
    assert again.statuses == {"graded": 1, "malformed": 1}
    assert '"ada","0","0","2"' in again.views.grades.read_text(encoding="utf-8-sig")


def test_silent(unreadable: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is printed; progress and what an instructor should know are told to whoever asks."""
    progress, notices = [], []
    done = grade(
        unreadable,
        tmp_path / "out",
        isolation="process",
        on_progress=lambda done, total: progress.append((done, total)),
        on_notice=notices.append,
    )
    assert done.statuses == {"malformed": 2} and done.complete
    assert progress == [(0, 2), (1, 2), (2, 2)]
    assert len(notices) == 1 and "isolates nothing" in notices[0]
    grade(unreadable, tmp_path / "out", isolation="process")
    report(tmp_path / "out")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "wrong", [{"seed": -1}, {"seed": 1.0}, {"workers": 0}, {"timeout": 0.0}, {"memory": float("nan")}]
)
def test_numbers(wrong: dict[str, float], unreadable: Path, tmp_path: Path) -> None:
    """A number out of range is refused with what was expected, and nothing is written."""
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be a .*number.*; got"):
        grade(unreadable, tmp_path / "out", **wrong)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
@pytest.mark.parametrize("there_before", [False, True])
def test_private(unreadable: Path, tmp_path: Path, there_before: bool) -> None:
    """Nobody but the owner reads the results and the seed, also where both were there for all to read."""
    out = tmp_path / "out"
    if there_before:
        (out / "results").mkdir(parents=True)
        (out / "seed.txt").write_text("7\n")
        (out / "results").chmod(0o755)
        (out / "seed.txt").chmod(0o644)
    grade(unreadable, out, isolation="process")
    modes = [stat.S_IMODE((out / name).stat().st_mode) for name in ("results", "seed.txt")]
    assert modes == [0o700, 0o600]


def test_error_names_a_file_of_a_student() -> None:
    """A file's name that commands the terminal is told as its escapes."""
    with pytest.raises(CannotGrade) as told, errors_in_a_line():
        raise OSError(28, "No space left on device", "/out/\x1b]0;title\x07.json")
    assert (
        str(told.value)
        == r"/out/\x1b]0;title\x07.json: No space left on device; make room, and the same command goes on from here"
    )


def test_cannot(tmp_path: Path) -> None:
    """A folder without submissions or results raises the room's own error."""
    with pytest.raises(CannotGrade, match="is not a folder of submissions"):
        grade(tmp_path / "missing", tmp_path / "out")
    with pytest.raises(CannotGrade, match="holds no notebooks"):
        grade(tmp_path, tmp_path / "out")
    with pytest.raises(CannotGrade, match="holds no results"):
        report(tmp_path)


def test_incomplete(tmp_path: Path) -> None:
    """A class is complete where every submission ended in a status that there is, and all of it could be judged."""
    from course_attention.grading import Views

    def graded(not_judged: int = 0, **statuses: int) -> GradedClass:
        return GradedClass(3, "folder", 3, 0, statuses, 3, not_judged, frozenset(), tmp_path, Views(tmp_path, ()))

    assert graded(graded=2, timeout=1).complete
    assert not graded(graded=2).complete
    assert not graded(graded=2, unheard_of=1).complete
    assert not graded(graded=3, not_judged=1).complete


class _Dead(Executor):
    """Workers that die at every submission."""

    def submit(self, function: object, *arguments: object) -> Future:  # type: ignore[override]
        future: Future = Future()
        future.set_exception(BrokenProcessPool())
        return future


def test_grader_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """The command ends with an exit code that says so; the marks are blank, and the next run grades them."""
    for student in ("ada", "bob"):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / f"{FIRST}.ipynb").write_bytes(b"{}")
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--isolation", "process"]
    command += ["--workers", "1"]
    with monkeypatch.context() as patch:
        workers = contextlib.nullcontext(Workers(_Dead, 2, 2))
        patch.setattr("course_attention.grading.run.grade_class._workers", lambda *_: workers)
        assert cli.main(command) == INCOMPLETE
    told = capsys.readouterr()
    assert "2 submissions, 2 of them graded now: 2 not_judged" in told.out
    assert "2 submissions hold an answer at which the grader itself failed" in told.err
    grades = (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    assert grades == [f'"student","{FIRST}","total","max"', '"ada","","",""', '"bob","","",""']
    assert cli.main(["report", str(tmp_path / "out")]) == INCOMPLETE
    assert cli.main(command) == 0
    assert "2 of them graded now: 2 malformed" in capsys.readouterr().out


def test_report_reads_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`report` reads each result once, and counts those at which the grader itself failed."""
    write(tmp_path, record("ada", [exercise(), not_judged("mean_attention")]), record("bob", [exercise()]))
    read, paths = result_files.read, []

    def counting(path: Path) -> object:
        paths.append(path)
        return read(path)

    monkeypatch.setattr(result_files, "read", counting)
    assert report(tmp_path).not_judged == 1
    assert sorted(paths) == sorted(result_files.paths(tmp_path)) and len(paths) == 2


def test_importing_is_light() -> None:
    """Importing the package loads none of its rooms; the names load when they are asked for."""
    code = (
        "import sys, course_attention.grading as grading\n"
        "assert {'torch', 'numpy', 'nbformat', 'filelock', 'jinja2'}.isdisjoint(sys.modules)\n"
        "assert not any(name.startswith('course_attention.grading.') for name in sys.modules)\n"
        "assert {'grade', 'report', 'CannotGrade'} <= set(dir(grading))\n"
        "grading.grade\n"
        "assert {'torch', 'IPython', 'distributed'}.isdisjoint(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

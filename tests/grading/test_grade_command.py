"""The commands `grade` and `report`, as they are typed: a class, its results, its views, and what goes wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

import course_attention
from course_attention.course.cells import course_notebook
from course_attention.grading.sandbox.cgroups import parent_cgroup
from tests.grading.classes import (
    COMMAND,
    bare,
    command_here,
    files,
    grade,
    grade_here,
    small_class,
    without_seconds,
)
from tests.grading.conftest import FIRST, SECOND, filled, needs_bubblewrap

FIELDS = {
    *(
        "schema",
        "student",
        "notebook",
        "status",
        "score",
        "max_score",
        "seed",
        "source_sha256",
        "package_version",
        "fingerprint",
    ),
    *("seconds", "notes", "exercises"),
}
CLOSING = "6 submissions, 6 of them graded now: 4 graded, 2 malformed"
EXERCISE_FIELDS = {"name", "points", "status", "score", "misconception", "message", "fingerprint"}
STATUSES = {
    **dict.fromkeys([f"ada/{FIRST}", f"ada/{SECOND}", f"bob/{FIRST}", f"bob/{SECOND}"], "graded"),
    **dict.fromkeys([f"cut off/{FIRST}", f"linked/{SECOND}"], "malformed"),
}


def results(folder: Path) -> dict[str, dict]:
    return {
        f"{path.parent.name}/{path.stem}": json.loads(path.read_bytes())
        for path in sorted((folder / "results").glob("*/*.json"))
    }


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_class(tmp_path_factory.mktemp("class") / "in")


@pytest.fixture(scope="module")
def first_run(handed_in: Path) -> tuple[subprocess.CompletedProcess, Path]:
    out = handed_in.parent / "out"
    return grade(handed_in, out, "--seed", "3"), out


@needs_bubblewrap
@pytest.mark.usefixtures("in_this_process")
class TestClass:
    """One class, graded by the command with two workers, then again in this process."""

    def test_closing_line(self, first_run) -> None:
        """Exit code 0; in the last line counts per status and what limits memory; progress on stderr."""
        done, _ = first_run
        how = "cgroups" if parent_cgroup() else "counting (no cgroup can be made here)"
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == f"{CLOSING}; memory limited by {how}"
        assert "6/6" in done.stderr and "notebook" in done.stderr
        assert "course-attention grade: starting 2 sandboxes: each loads PyTorch" in done.stderr

    def test_result_files(self, first_run) -> None:
        """One file for each submission, with the fields of the contract, and nothing half-written beside them."""
        _, out = first_run
        found = results(out)
        assert {name: record["status"] for name, record in found.items()} == STATUSES
        assert sum(1 for _ in (out / "results").glob("*/*")) == len(STATUSES)
        for name, record in found.items():
            assert record.keys() >= FIELDS, name
            assert (record["student"], record["notebook"]) == tuple(name.split("/"))
            assert record["seed"] == 3 and record["package_version"] == course_attention.__version__
            graded = record["status"] == "graded"
            listed = [entry["name"] for entry in record["exercises"]]
            assert listed == (list(course_notebook(record["notebook"]).exercises) if graded else [])
            assert all(entry.keys() >= EXERCISE_FIELDS for entry in record["exercises"])
            earned = round(sum(entry["points"] * entry["score"] for entry in record["exercises"]), 2)
            assert record["score"] == (earned if graded else None)
            assert graded or record["notes"]
        assert found[f"ada/{SECOND}"]["score"] == found[f"ada/{SECOND}"]["max_score"]
        summed = {entry["name"]: entry["misconception"] for entry in found[f"bob/{SECOND}"]["exercises"]}
        assert summed["attention_output"] == "memory-summed"

    def test_again(self, handed_in: Path, first_run) -> None:
        """A second run grades nothing, without the seed being given again, and leaves every byte as it is."""
        _, out = first_run
        before = files(out)
        done = grade_here(handed_in, out)
        assert done.stdout.splitlines()[-1] == "6 submissions, 0 of them graded now: 4 graded, 2 malformed"
        assert files(out) == before and "starting" not in done.stderr

    def test_force_and_another_seed(self, handed_in: Path, first_run, tmp_path: Path) -> None:
        """--force grades again, to the same bytes but for the seconds; another seed grades again with that one."""
        _, out = first_run
        copy = shutil.copytree(out, tmp_path / "copy")
        done = grade_here(handed_in, copy, "--force")
        assert "6 of them graded now" in done.stdout
        assert without_seconds(copy) == without_seconds(out)
        done = grade_here(handed_in, copy, "--seed", "4")
        assert "6 of them graded now" in done.stdout
        assert {record["seed"] for record in results(copy).values()} == {4}

    def test_only(self, handed_in: Path, first_run, tmp_path: Path) -> None:
        """--only judges one exercise of those who were asked it again, to the same bytes but for the seconds."""
        _, out = first_run
        copy = shutil.copytree(out, tmp_path / "copy")
        done = grade_here(handed_in, copy, "--only", "attention_output", "additive_parameters")
        assert "2 of them graded now" in done.stdout, done.stderr
        assert without_seconds(copy) == without_seconds(out)

    def test_report(self, first_run, tmp_path: Path) -> None:
        """`report` writes the same views, byte for byte, from the results alone."""
        _, out = first_run
        shutil.copytree(out / "results", tmp_path / "out" / "results")
        done = subprocess.run(
            [*COMMAND, "report", tmp_path / "out"], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        not_views = (".lock", "seed.txt", "handed_in.csv")
        views = {name: content for name, content in files(out).items() if name not in not_views}
        made = {name: content for name, content in files(tmp_path / "out").items() if name != ".lock"}
        assert made == views and len(views) > len(STATUSES) + 5

    def test_second_assignment(self, handed_in: Path, first_run, tmp_path: Path) -> None:
        """A result that has another name since a second assignment came in does not stay beside its successor."""
        (tmp_path / "in" / "dora" / "week 1").mkdir(parents=True)
        (tmp_path / "in" / "dora" / "week 1" / f"{FIRST}.ipynb").write_bytes(b"cut off")
        grade_here(tmp_path / "in", tmp_path / "out")
        assert results(tmp_path / "out").keys() == {f"dora/{FIRST}"}
        shutil.copytree(tmp_path / "in" / "dora" / "week 1", tmp_path / "in" / "dora" / "week 2")
        grade_here(tmp_path / "in", tmp_path / "out")
        assert results(tmp_path / "out").keys() == {f"dora/week 1.{FIRST}", f"dora/week 2.{FIRST}"}

    def test_late_and_other_files(self, tmp_path: Path) -> None:
        """--late takes points off in the tables and stays until another is given; the last line counts all files."""
        home = tmp_path / "in" / "ada"
        home.mkdir(parents=True)
        (home / f"{FIRST}.ipynb").write_bytes(filled(FIRST))
        (home / "timestamp.txt").write_text("2026-10-03 08:00:00 UTC")
        (home / "notes.txt").write_text("")
        late, none = tmp_path / "late.toml", tmp_path / "none.toml"
        late.write_text("late = { after = 2026-10-01T23:59:00+02:00, per_day = 0.1 }\n")
        none.write_text("")
        done = grade_here(tmp_path / "in", tmp_path / "out", "--late", late, "--keep", "newest")
        told = "files handed in: 3; no submissions: 1, and handed_in.csv says why"
        assert done.stdout.splitlines()[-1] == told
        assert "due dates: 1 late, 0 on time" in done.stdout
        (record,) = results(tmp_path / "out").values()
        assert record["score"] == record["max_score"] == 2.0
        shown = {}
        for options in ((), ("--late", none), ("--late", late)):
            assert command_here("report", tmp_path / "out", *options).returncode == 0
            shown[options] = (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8-sig").splitlines()[-1]
        late_row = '"ada","1.6","2","2 days late: 20% taken off","1.6","2"'
        assert list(shown.values()) == [late_row, '"ada","2","2","2"', late_row]

    def test_without_isolation(self, tmp_path: Path) -> None:
        """--isolation process grades, and says on stderr what it does not cover."""
        (tmp_path / "in" / "ada").mkdir(parents=True)
        (tmp_path / "in" / "ada" / f"{FIRST}.ipynb").write_bytes(filled(FIRST))
        done = grade(tmp_path / "in", tmp_path / "out", "--isolation", "process", "--workers", "1")
        assert done.returncode == 0, done.stderr
        (record,) = results(tmp_path / "out").values()
        assert record["score"] == record["max_score"]
        assert "isolates nothing" in done.stderr.splitlines()[0]


class TestWrongUse:
    """One clear line on stderr, exit code 2, no result."""

    def refused(self, done: subprocess.CompletedProcess, *words: str) -> None:
        assert done.returncode == 2, done.stderr
        last = done.stderr.splitlines()[-1]
        assert last.startswith("course-attention ") and all(word in last for word in words), done.stderr
        assert "Traceback" not in done.stderr

    def test_folders(self, tmp_path: Path) -> None:
        """A folder that is missing, empty, a file, or where nothing can be written."""
        (tmp_path / "empty").mkdir()
        one = small_class(tmp_path / "in", students=1)
        (tmp_path / "file").write_text("")
        self.refused(grade(tmp_path / "missing", tmp_path / "out"), "missing is not a folder")
        self.refused(grade_here(tmp_path / "empty", tmp_path / "out"), "holds no notebooks")
        self.refused(grade_here(tmp_path / "file", tmp_path / "out"), "not a folder")
        self.refused(grade_here(one, tmp_path / "file"), "file: File exists")
        assert not (tmp_path / "out").exists()
        self.refused(command_here("report", one), "holds no results")

    def test_no_such_exercise(self, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
        """--only with a name that is no exercise's, and the one that may be meant; nor together with --force."""
        from course_attention import cli

        command = ["grade", str(small_class(tmp_path / "in", students=1)), "--out", str(tmp_path / "out")]
        assert cli.main([*command, "--only", "sofmax"]) == 2
        assert "none is called 'sofmax'; did you mean 'softmax'?" in capsys.readouterr().err
        with pytest.raises(SystemExit):
            cli.main([*command, "--only", "softmax", "--force"])
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize(
        "wrong",
        [
            *(
                ("--seed", "-1"),
                ("--seed", "x"),
                ("--workers", "0"),
                ("--workers", "1.5"),
                ("--timeout", "0"),
            ),
            *(("--timeout", "nan"), ("--timeout", "inf"), ("--memory", "-1"), ("--device", "tpu")),
            ("--isolation", "none"),
        ],
    )
    def test_numbers(self, wrong: tuple[str, str], capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
        """A number that is none, or out of range."""
        from course_attention import cli

        with pytest.raises(SystemExit) as stop:
            cli.main(["grade", str(tmp_path), "--out", str(tmp_path), *wrong])
        assert stop.value.code == 2
        assert f"argument {wrong[0]}" in capsys.readouterr().err

    def test_late_rules(self, tmp_path: Path) -> None:
        """Late rules that are wrong are told with the file, the rule and what came, before anything is graded."""
        one = small_class(tmp_path / "in", students=1)
        (tmp_path / "late.toml").write_text("late = { after = 2026-10-01T23:59:00Z, per_day = 10 }")
        done = grade_here(one, tmp_path / "out", "--late", tmp_path / "late.toml")
        self.refused(done, "late.toml: late.per_day is the share of the points", "got 10")
        done = grade_here(one, tmp_path / "out", "--late", tmp_path / "none.toml")
        self.refused(done, "none.toml: No such file")
        assert not (tmp_path / "out").exists()

    @needs_bubblewrap
    def test_locked(self, tmp_path: Path) -> None:
        """Results that another run is writing to."""
        (tmp_path / "out").mkdir()
        with FileLock(tmp_path / "out" / ".lock"):
            done = grade_here(small_class(tmp_path / "in", students=1), tmp_path / "out")
        self.refused(done, "another command is writing to")

    def test_no_bubblewrap(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where bubblewrap is missing, how to install it, and the other isolation."""
        monkeypatch.setenv("PATH", str(tmp_path))
        done = grade_here(small_class(tmp_path / "in", students=1), tmp_path / "out")
        self.refused(done, "bubblewrap is not installed", "apt-get install bubblewrap", "--isolation process")
        assert not (tmp_path / "out").exists()

    @needs_bubblewrap
    def test_damaged_seed(self, tmp_path: Path) -> None:
        """A seed that cannot be read is not replaced in silence: all would be graded anew."""
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "seed.txt").write_text("")
        one = small_class(tmp_path / "in", students=1)
        self.refused(grade_here(one, tmp_path / "out"), "seed.txt", "--seed")


def test_main_process_is_light(tmp_path: Path) -> None:
    """What queues and writes loads no torch, nor what would run a student's code."""
    wrapper = (
        "import sys\nfrom course_attention import cli\n"
        "code = cli.main(sys.argv[1:])\nprint(*sys.modules)\nraise SystemExit(code)"
    )
    (tmp_path / "in" / "eve").mkdir(parents=True)
    (tmp_path / "in" / "eve" / f"{FIRST}.ipynb").symlink_to("/etc/passwd")
    command = [sys.executable, "-c", wrapper, "grade", "in", "--out", "out", "--isolation", "process"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=bare())
    assert {"torch", "IPython", "distributed"}.isdisjoint(done.stdout.splitlines()[-1].split())


def test_help_is_quick() -> None:
    """`grade --help` loads neither NumPy nor the course, and names every option of the contract."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:], "grade", "--help"],
        capture_output=True, text=True, check=True, env=bare(),
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert loaded.isdisjoint({"torch", "numpy", "nbformat", "tqdm", "filelock", "jinja2", "distributed"})
    options = (
        "--out",
        "--only",
        "--force",
        "--seed",
        "--workers",
        "--scheduler",
        "--device",
        "--isolation",
        "--timeout",
    )
    assert all(option in done.stdout for option in options)

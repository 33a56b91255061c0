"""The autograder for Gradescope: a zip that its platform takes, and a score for whatever is handed in."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from course_attention.grading.autograder.archive import write_archive
from course_attention.grading.autograder.in_container import BEFORE_LATE_RULES
from tests.active_course.courses import course, exercise, notebook
from tests.active_course.courses import run as run_python
from tests.grading.classes import command_here
from tests.grading.conftest import FIRST, filled, needs_bubblewrap

SOLUTION = "def mine(x, width):\n    return np.lib.stride_tricks.sliding_window_view(x, width, axis=-1).mean(axis=-1)"


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """/autograder as Gradescope lays it out, with what the zip holds in `source`."""
    place = tmp_path_factory.mktemp("autograder")
    write_archive(place / "autograder.zip", timeout=20.0)
    with zipfile.ZipFile(place / "autograder.zip") as archive:
        archive.extractall(place / "source")
    return place


def laid_out(autograder: Path, name: str, files: dict[str, bytes]) -> Path:
    """Lay out a folder like /autograder, with a submission of these files."""
    place = autograder / name
    for file, content in files.items():
        path = place / "submission" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (place / "submission").mkdir(parents=True, exist_ok=True)
    (place / "results").mkdir()
    (place / "source").symlink_to(autograder / "source")
    return place


def run(
    autograder: Path, name: str, files: dict[str, bytes], **environment: str
) -> tuple[subprocess.CompletedProcess, dict]:
    """Do what Gradescope does with a submission; and give what it reads then."""
    place = laid_out(autograder, name, files)
    done = subprocess.run(
        [shutil.which("bash"), autograder / "source" / "run_autograder"],
        cwd=place,
        env={**os.environ, "AUTOGRADER": str(place), "PYTHON": sys.executable, **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    path = place / "results" / "results.json"
    return done, json.loads(path.read_bytes()) if path.exists() else {}


def test_archive(autograder: Path) -> None:
    """Both scripts are at the top, may be run and are bash; the course is whole; the seed is of this zip alone."""
    with zipfile.ZipFile(autograder / "autograder.zip") as archive:
        names = archive.namelist()
        for script in ("setup.sh", "run_autograder"):
            assert archive.getinfo(script).external_attr >> 16 & 0o111
            assert archive.read(script).startswith(b"#!/usr/bin/env bash\n") and b"\r" not in archive.read(script)
            subprocess.run(["bash", "-n"], input=archive.read(script), check=True)
        requirements = archive.read("requirements.txt").decode().splitlines()
        seed = json.loads(archive.read("settings.json"))["seed"]
    assert {"course/course_attention/cli.py", f"course/course_attention/notebooks/{FIRST}.ipynb"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or "/corpus/" in name]
    assert [one for one in requirements if one.startswith("torch==")] and all("+" not in one for one in requirements)
    assert not [one for one in requirements if one.startswith(("nbgrader", "pytest", "distributed", "jupyterlab"))]
    write_archive(autograder / "other.zip")
    with zipfile.ZipFile(autograder / "other.zip") as archive:
        assert json.loads(archive.read("settings.json"))["seed"] != seed


@pytest.mark.slow
@needs_bubblewrap
def test_right_and_wrong(autograder: Path, tmp_path: Path) -> None:
    """A test for each exercise, with its score, its maximum and its message; a notebook in a folder is found too.

    The points are those before a late rule, whatever the course says, and the student is told so.
    """
    (tmp_path / "course.toml").write_text("late = { after = 2020-01-01T00:00:00Z, per_day = 1 }")
    files = {f"work/deep/{FIRST}.ipynb": filled(FIRST, {"softmax": None})}
    done, found = run(autograder, "mixed", files, COURSE_ATTENTION_COURSE=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert found["output"] == BEFORE_LATE_RULES
    tests = {one["name"].rpartition(": ")[2]: one for one in found["tests"]}
    assert tests["softmax"]["score"] == 0.0 and tests["softmax"]["status"] == "failed"
    assert all(one["score"] <= one["max_score"] and one["output"] for one in found["tests"])
    assert found["score"] == pytest.approx(sum(one["score"] for one in found["tests"]))


@pytest.mark.journey
@pytest.mark.slow
@needs_bubblewrap
def test_course_of_ones_own(tmp_path: Path) -> None:
    """The zip holds the author's course, by whose exercises and points a submission is graded."""
    own = course(
        tmp_path / "c",
        'notebooks = ["01_a"]\n[points]\nmine = 3\n[late]\nafter = 2020-01-01T00:00:00Z\nper_day = 1',
        {"01_a": notebook("mine")},
        {"mine": exercise("mine")},
    )
    place = tmp_path / "autograder"
    place.mkdir()
    command = ("-m", "course_attention.cli", "gradescope-autograder", "--course", own)
    built = run_python(*command, place / "autograder.zip")
    assert built.returncode == 0, built.stderr
    with zipfile.ZipFile(place / "autograder.zip") as archive:
        archive.extractall(place / "source")
    own.rename(tmp_path / "elsewhere")  # it is not there when Gradescope grades
    solved = json.loads(notebook("mine"))
    (answer,) = [cell for cell in solved["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]
    answer["source"] = SOLUTION
    done, found = run(place, "own", {"01_a.ipynb": json.dumps(solved).encode()})
    assert done.returncode == 0, done.stderr
    assert (found["score"], found["output"]) == (3.0, BEFORE_LATE_RULES), found
    assert [one["name"] for one in found["tests"]] == ["01_a: mine"]


@needs_bubblewrap
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("malformed", {f"{FIRST}.ipynb": b"%PDF-1.7"}),
        (
            "of another course",
            {"diary.ipynb": b'{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}'},
        ),
        ("no notebook", {"essay.pdf": b"%PDF"}),
        ("nothing", {}),
    ],
)
def test_score_of_what_cannot_be_graded(autograder: Path, name: str, files: dict[str, bytes]) -> None:
    """Gradescope asks for a score of each submission: it is 0, in the whole and in the test, and the test says why."""
    place = laid_out(autograder, name, files)
    out = place / "results" / "results.json"
    settings = ("--settings", place / "source" / "settings.json")
    done = command_here("gradescope-grade", place / "submission", "--out", out, *settings)
    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_bytes())
    assert found["score"] == 0.0
    assert all(one["score"] == 0.0 and one["output"] for one in found["tests"]) and found["tests"]


def test_fault_of_the_grader_is_no_score(autograder: Path) -> None:
    """Where the grader cannot run there is no result, which Gradescope shows as a fault, and never a 0."""
    done, found = run(autograder, "no sandbox", {f"{FIRST}.ipynb": filled(FIRST)}, PATH=str(autograder))
    assert done.returncode != 0 and not found
    assert "bubblewrap is not installed" in done.stderr and "Traceback" not in done.stderr

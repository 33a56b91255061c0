"""nbgrader both ways: it releases and autogrades the course's notebooks; its gradebook takes the course's results."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from course_attention.course import helper_source
from course_attention.course.cells import course_notebook, course_stems
from course_attention.course.workspace import course_notebooks
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import find_submissions, read_bytes
from course_attention.grading.reading.submitted_notebook import read_submission
from course_attention.grading.run.results import result_files
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.views.gradebook import write_gradebook
from tests.grading.conftest import SEED, needs_bubblewrap

ASSIGNMENT, FIRST, MASKS = "attention", "00_start_here", "05_masking"
RELEASED = ("--ClearSolutions.enabled=False",)  # the course's answer cells are stubs already, with a signature

OVERFLOWS = """
import sys
def softmax(scores, axis=-1):
    print("about to divide", file=sys.stderr)
    powers = np.exp(scores)
    return powers / powers.sum(axis=axis, keepdims=True)
"""
NAN_WHERE_NOTHING_IS_ALLOWED = """
def masked_softmax(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(dim=-1)
"""
STUB = "raise NotImplementedError"
HANDED_IN: dict[tuple[str, str], Mapping[str, str]] = {
    ("ada", FIRST): {"softmax": OVERFLOWS},
    ("bob", FIRST): {},
    ("bob", MASKS): {
        "masked_softmax": NAN_WHERE_NOTHING_IS_ALLOWED,
        "causal_pairs": "causal_pairs = -1",
        "window_mask": STUB,
    },
}


def nbgrader(folder: Path, *arguments: str) -> None:
    """Run an nbgrader command in a course's folder."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])  # it calls `alembic`
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Generate a course of nbgrader's with one assignment from two notebooks, and from all in an exhaustive run."""
    folder = tmp_path_factory.mktemp("course")
    source = folder / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    for path in course_notebooks():
        if path.stem in (FIRST, MASKS) or request.config.getoption("--exhaustive"):
            shutil.copy(path, source)
    nbgrader(folder, "generate_assignment", ASSIGNMENT, *RELEASED)
    return folder


def test_release_shows_no_results(course: Path):
    """What students get from nbgrader has not run: no result stands under the question about it."""
    for path in (course / "release" / ASSIGNMENT).glob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        assert [cell.id for cell in cells if cell.get("outputs")] == []


@pytest.fixture(scope="module")
def handed_in(course: Path) -> Path:
    """Submissions made from the release version, without the cells that only demonstrate, which cost minutes."""
    for (student, stem), answers in HANDED_IN.items():
        notebook = nbformat.read(course / "release" / ASSIGNMENT / f"{stem}.ipynb", as_version=4)
        notebook.cells = [cell for cell in notebook.cells if "demo" not in cell.metadata.get("tags", [])]
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("solution"):
                name = cell.metadata.nbgrader.grade_id
                cell.source = answers.get(name, helper_source.own_source(name)).strip()
        folder = course / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / f"{stem}.ipynb")
        (folder / "timestamp.txt").write_text("2026-02-02 15:58:23.948203 UTC")
    return course


@pytest.fixture(scope="module")
def own_gradebook(handed_in: Path, sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the same submissions, graded by the course, in a gradebook that the course made."""
    results = tmp_path_factory.mktemp("results")
    for submission in find_submissions(handed_in / "submitted"):
        result = Grader(sandbox, SEED).grade(submission, read_bytes(submission))
        assert result["status"] == "graded"
        result_files.write(result_files.path_of(results, submission), result)
    write_gradebook(results, str(results / "gradebook.db"))
    return results / "gradebook.db"


def marks(database: Path) -> dict[tuple[str, str, str], float | None]:
    """Look up the points of every exercise that was handed in."""
    found = {}
    with Gradebook(f"sqlite:///{database}") as gradebook:
        for submission in gradebook.assignment_submissions(ASSIGNMENT):
            for notebook in submission.notebooks:
                for grade in notebook.grades:
                    found[submission.student.id, notebook.name, grade.name] = grade.auto_score
    return {place: score for place, score in found.items() if place[:2] in HANDED_IN}


def cells(database: Path) -> dict[str, object]:
    """Tell what a gradebook knows of an assignment's notebooks, but for ids."""

    def plain(one: object) -> dict:
        return {key: value for key, value in one.to_dict().items() if key != "id"}

    with Gradebook(f"sqlite:///{database}") as gradebook:
        return {
            one.name: (
                one.kernelspec,
                one.max_score,
                sorted(map(str, map(plain, one.grade_cells + one.solution_cells + one.source_cells))),
            )
            for one in gradebook.find_assignment(ASSIGNMENT).notebooks
        }


@pytest.mark.slow
@pytest.mark.parametrize(
    "stem",
    [pytest.param(stem, marks=[] if stem in (FIRST, MASKS) else pytest.mark.exhaustive) for stem in course_stems()],
)
def test_release(stem: str, course: Path) -> None:
    """nbgrader's release version is a sound notebook, and known cell by cell as the course's, stubs in place."""
    path = course / "release" / ASSIGNMENT / f"{stem}.ipynb"
    nbformat.validate(nbformat.read(path, as_version=4))
    own = course_notebook(stem)
    reading = read_submission(path.read_bytes(), own)
    assert (reading.malformed, reading.notes, reading.added) == ("", (), ())
    assert reading.answers == {cell.name: cell.source for cell in own.cells if cell.role == "answer"}


@pytest.mark.slow
@needs_bubblewrap
def test_same_cells(own_gradebook: Path, course: Path) -> None:
    """A gradebook that the course fills knows the same cells as one that nbgrader made: either can go on with it."""
    by_nbgrader = cells(course / "gradebook.db")
    assert cells(own_gradebook) == {stem: by_nbgrader[stem] for stem in (FIRST, MASKS)}


@pytest.mark.journey
@pytest.mark.slow
@needs_bubblewrap
def test_autograde(handed_in: Path, own_gradebook: Path) -> None:
    """Plain `nbgrader autograde` gives honest submissions the points that `course-attention grade` gives them.

    A check cell ends on the points earned, which nbgrader reads as partial credit; what an answer writes to stderr,
    which would cost all points in nbgrader, does not reach the check cell.
    """
    nbgrader(handed_in, "autograde", ASSIGNMENT, "--Execute.timeout=300")  # 30 s may be few to load torch
    by_nbgrader, own = marks(handed_in / "gradebook.db"), marks(own_gradebook)
    assert own == by_nbgrader and len(own) == 1 + 1 + 6
    assert 0 < own["ada", FIRST, "check-softmax"] < 2 and 0 < own["bob", MASKS, "check-masked_softmax"] < 3
    assert own["bob", MASKS, "check-causal_pairs"] == own["bob", MASKS, "check-window_mask"] == 0
    right = {"softmax", *course_notebook(MASKS).exercises} - HANDED_IN["bob", MASKS].keys()
    earned = {name.removeprefix("check-"): score for (student, _, name), score in own.items() if student == "bob"}
    assert {name: earned[name] for name in right} == {name: CATALOGUE[name].points for name in right}
    write_gradebook(own_gradebook.parent, str(handed_in / "gradebook.db"))  # over what nbgrader has entered
    assert marks(handed_in / "gradebook.db") == by_nbgrader


@pytest.mark.slow
@needs_bubblewrap
def test_formgrader(own_gradebook: Path, handed_in: Path, tmp_path: Path) -> None:
    """With the submissions copied to `autograded/`, formgrader lists them as graded, with their scores."""
    for name in ("submitted", "autograded"):
        shutil.copytree(handed_in / "submitted", tmp_path / name)
    config = Config()
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.db_url = f"sqlite:///{own_gradebook}"
    formgrader = NbGraderAPI(config=config)
    shown = {one["student"]: one for one in formgrader.get_submissions(ASSIGNMENT)}
    assert all(one["autograded"] and not one["needs_manual_grade"] for one in shown.values())
    points = marks(own_gradebook)
    for student in ("ada", "bob"):
        total = sum(score for (whose, _, _), score in points.items() if whose == student)
        assert shown[student]["score"] == pytest.approx(total)
        notebooks = formgrader.get_student_notebook_submissions(student, ASSIGNMENT)
        assert {one["name"] for one in notebooks if one["id"]} == {
            stem for whose, stem in HANDED_IN if whose == student
        }

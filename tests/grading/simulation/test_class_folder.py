"""A made-up class is the same for the same seed, and the grader finds the truth about it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from course_attention.course.cells import asking_stems, course_notebook, own_notebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import find_submissions, read_bytes
from course_attention.grading.reading.submitted_notebook import read_submission
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.simulation import write_class
from course_attention.grading.simulation.attempts import attempt
from course_attention.grading.simulation.known_answers import RIGHT, KnownAnswer
from course_attention.grading.simulation.students import NAMES, Student, draw_students
from tests.grading.conftest import SEED, needs_bubblewrap
from tests.grading.simulation.namespace import defined

STATUSES = {"passed", "failed", "errored", "forbidden", "not_attempted"}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def truth_of(folder: Path) -> dict:
    return json.loads((folder / "truth.json").read_text(encoding="utf-8"))


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    """The seed decides every byte."""
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        write_class(tmp_path / name, 4, seed)
    assert files(tmp_path / "one") == files(tmp_path / "again") != files(tmp_path / "other")


def test_variety(tmp_path: Path) -> None:
    """A class of the usual size has every status, misconceptions, gaps, and a row for each exercise handed in."""
    line = write_class(tmp_path, 30, 0)
    truth = truth_of(tmp_path)
    rows = truth["answers"]
    statuses = {row["status"] for row in rows}
    assert statuses == STATUSES
    assert all((row["misconception"] is not None) is (row["status"] == "failed") for row in rows)
    assert len({row["misconception"] for row in rows}) > 30
    submissions = find_submissions(tmp_path)
    assert {s.student for s in submissions} == set(NAMES[:30])
    assert all(any(sign in name for name in NAMES[:5]) for sign in ',"=')
    listed = {(s.student, s.notebook) for s in submissions}
    malformed = {(row["student"], row["notebook"]) for row in truth["malformed"]}
    assert {(row["student"], row["notebook"]) for row in rows} == listed - malformed
    assert len(listed) < 30 * len(asking_stems()) and f"{len(listed)} notebooks" in line


@pytest.mark.parametrize(
    ("kinds", "statuses"),
    [
        ((), {"not_attempted"}),
        (("no-scale",), {"not_attempted"}),
        ((RIGHT,), {"passed", "errored", "forbidden", "not_attempted"}),
    ],
)
def test_new_exercise(kinds: tuple[str, ...], statuses: set[str]) -> None:
    """Of an exercise with no right or no wrong answers in the corpus, a class hands in what there is."""
    known = [KnownAnswer(kind, "def attention(query, key, value):\n    return value") for kind in kinds]
    stub = next(cell.source for cell in own_notebook(CATALOGUE["attention"].notebook).cells if cell.name == "attention")
    student = Student("Ada", 0.5, [])
    drawn = {attempt(student, "attention", known, stub, Random(number)).status for number in range(300)}
    assert drawn == statuses


def test_more_students_than_names() -> None:
    """Every student has a name of their own, which is a folder's, and hands in something."""
    everybody = draw_students(100, asking_stems(), 0)
    assert len({student.name for student in everybody}) == 100
    assert all("/" not in student.name and student.notebooks for student in everybody)


def test_loads_no_torch(tmp_path: Path) -> None:
    """A class and an answer key are written without what takes seconds to load."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom course_attention.course import answer_key\n"
        "from course_attention.grading import simulation\n"
        f"simulation.write_class(Path({str(tmp_path)!r}) / 'class', 1, 0)\n"
        f"answer_key.write_answer_key(Path({str(tmp_path)!r}) / 'key')\nprint('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def graded(folder: Path, sandbox: Sandbox) -> Iterator[tuple[tuple[str, str], dict]]:
    grader = Grader(sandbox, SEED)
    for submission in find_submissions(folder):
        key = (submission.student, submission.notebook)
        yield key, grader.grade(submission, read_bytes(submission))


def judged_here(folder: Path) -> dict[tuple[str, str, str], float]:
    """Judge, in this process, each answer whose score the truth leaves open."""
    rows = truth_of(folder)["answers"]
    is_open = {(row["student"], row["notebook"], row["exercise"]) for row in rows if row["score"] is None}
    scores = {}
    for submission in find_submissions(folder):
        stem = submission.notebook
        for name, source in read_submission(read_bytes(submission), course_notebook(stem)).answers.items():
            if (key := (submission.student, stem, name)) in is_open:
                scores[key] = judged(stem, name, source)
    return scores


def judged(stem: str, name: str, source: str) -> float:
    try:
        answer = defined(stem, name, source)
    except (SyntaxError, NameError):
        return 0.0
    return round(CATALOGUE[name].judge(answer, SEED).score, 6)


@pytest.mark.journey
@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.parametrize(("students", "seed"), [(1, 13), pytest.param(3, 4, marks=pytest.mark.exhaustive)])
def test_grader_finds_the_truth(students: int, seed: int, tmp_path: Path, sandbox: Sandbox) -> None:
    """Graded in the sandbox, every exercise has the status, misconception and score that the truth tells.

    With these seeds there is every status, and a notebook that cannot be read.
    """
    write_class(tmp_path, students, seed)
    scores = judged_here(tmp_path)
    truth = truth_of(tmp_path)
    assert {row["status"] for row in truth["answers"]} == STATUSES and truth["malformed"]
    expected = {}
    for row in truth["answers"]:
        key = (row["student"], row["notebook"], row["exercise"])
        expected[key] = (row["status"], row["misconception"], scores.get(key, row["score"]))
    found, malformed = {}, set()
    for (student, stem), result in graded(tmp_path, sandbox):
        if result["status"] == "malformed":
            malformed.add((student, stem))
        for entry in result["exercises"]:
            found[student, stem, entry["name"]] = (entry["status"], entry["misconception"], entry["score"])
    assert found == expected
    assert malformed == {(row["student"], row["notebook"]) for row in truth["malformed"]}

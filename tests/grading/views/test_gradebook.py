"""nbgrader's gradebook: filled from the results, read back by nbgrader's own commands and queries."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from course_attention.course.cells import course_notebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.late_rules import LateRule, LateRules
from course_attention.grading.run.results import result_files
from course_attention.grading.views.gradebook import NoGradebook, write_gradebook

FIRST, SECOND = "00_start_here", "05_masking"
SUBMITTED = "2026-02-02 15:58:23.948203 America/Los_Angeles"


def result(
    student: str, stem: str, scores: Sequence[float] | None, assignment: str = "", submitted: str = SUBMITTED
) -> dict:
    """Make a result: a score for each exercise, or None for a file that cannot be read."""
    exercises = [CATALOGUE[name] for name in course_notebook(stem).exercises]
    entries = [
        {"name": one.name, "points": one.points, "score": score, "message": f"{one.name}: {score}"}
        for one, score in zip(exercises, scores or [], strict=scores is not None)
    ]
    total = None if scores is None else round(sum(one["points"] * one["score"] for one in entries), 2)
    return {
        "schema": result_files.SCHEMA,
        "student": student,
        "notebook": stem,
        "assignment": assignment,
        "submitted": submitted,
        "status": "malformed" if scores is None else "graded",
        "score": total,
        "max_score": sum(one.points for one in exercises),
        "notes": [] if scores is not None else ["the file is empty"],
        "exercises": entries,
    }


@pytest.fixture(scope="module")
def empty_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a gradebook with nobody in it, without the environment's commands on the PATH; nbgrader takes seconds."""
    folder = tmp_path_factory.mktemp("empty")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("PATH", os.defpath)
        write_gradebook(folder, str(folder / "gradebook.db"))
        assert os.environ["PATH"] == os.defpath
    return folder / "gradebook.db"


@pytest.fixture
def database(tmp_path: Path, empty_gradebook: Path) -> Path:
    return Path(shutil.copy(empty_gradebook, tmp_path))


@pytest.fixture
def fill(tmp_path: Path, database: Path) -> Callable[..., str]:
    """Write results, and the gradebook from all results that are there."""

    def fill(*results: dict) -> str:
        for one in results:
            name = ".".join(filter(None, [one["assignment"], one["notebook"], "json"]))
            path = tmp_path / result_files.FOLDER / one["student"] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(one))
        return write_gradebook(tmp_path, str(database))

    return fill


@pytest.fixture
def opened(database: Path) -> Callable[[], Gradebook]:
    return lambda: Gradebook(f"sqlite:///{database}")


def test_export(fill: Callable[..., str], database: Path, tmp_path: Path) -> None:
    """`nbgrader export` writes everyone's scores, points and times, an assignment for each notebook."""
    assert "2 students" in fill(
        result("ada", FIRST, [1.0]),
        result("ada", SECOND, [1 / 3, 1, 0.5, 0, 1, 0]),
        result("bob", FIRST, [0.625], submitted=""),
    )
    command = ["export", "--db", f"sqlite:///{database}", "--to", "all.csv"]
    subprocess.run([sys.executable, "-m", "nbgrader", *command], cwd=tmp_path, check=True, capture_output=True)
    with open(tmp_path / "all.csv", newline="") as file:
        rows = {(row["assignment"], row["student_id"]): row for row in csv.DictReader(file)}
    masks = rows[SECOND, "ada"]
    assert (float(masks["score"]), float(masks["max_score"])) == (5.5, 11.0)
    assert masks["timestamp"] == "2026-02-02 23:58:23.948203"
    assert float(rows[FIRST, "ada"]["score"]) == 2.0 and float(rows[FIRST, "bob"]["score"]) == 1.25


def test_late(fill: Callable[..., str], opened: Callable[[], Gradebook], tmp_path: Path) -> None:
    """What a late rule takes off is nbgrader's penalty, which its exports subtract; without the rule it goes again."""
    due = datetime.fromisoformat("2026-02-02T00:00:00+00:00")
    for rules, penalty in ((LateRules(LateRule(due, 0.25)), 0.5), (LateRules(LateRule(due, 0.0)), 0.0)):
        kept_rules.keep(tmp_path, rules)
        fill(result("ada", FIRST, [1.0]))
        with opened() as gradebook:
            submission = gradebook.find_submission(FIRST, "ada")
            assert (submission.score, submission.late_submission_penalty) == (2.0, penalty)


def test_formgrader_queries(fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """The queries behind formgrader's tables give the points, averages and marks of what is graded."""
    fill(result("ada", SECOND, [1, 1, 1, 1, 1, 1]), result("bob", SECOND, [1 / 3, 1, 0, 0, 0, 0]))
    with opened() as gradebook:
        assert gradebook.average_assignment_score(SECOND) == (11 + 3) / 2
        assert gradebook.average_notebook_score(SECOND, SECOND) == (11 + 3) / 2
        assert gradebook.average_notebook_code_score(SECOND, SECOND) == (11 + 3) / 2
        by_student = {one["student"]: one for one in gradebook.submission_dicts(SECOND)}
        assert {name: one["score"] for name, one in by_student.items()} == {"ada": 11.0, "bob": 3.0}
        assert all(one["max_code_score"] == 11.0 and not one["needs_manual_grade"] for one in by_student.values())
        notebooks = {one["student"]: one for one in gradebook.notebook_submission_dicts(SECOND, SECOND)}
        assert [notebooks[name]["failed_tests"] for name in ("ada", "bob")] == [False, True]
        assert {one["id"]: one["score"] for one in gradebook.student_dicts()} == {"ada": 11.0, "bob": 3.0}
        assert gradebook.find_comment("window_mask", SECOND, SECOND, "bob").comment == "window_mask: 0"


def test_not_graded_is_not_zero(fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """What cannot be read has no score and asks for a person; what was not handed in is not there at all."""
    fill(
        result("ada", FIRST, None, "week 1"),
        result("bob", FIRST, [0.0], "week 1"),
        result("bob", SECOND, [0, 0, 0, 0, 0, 0], "week 1"),
    )
    with opened() as gradebook:
        grade = gradebook.find_grade("check-softmax", FIRST, "week 1", "ada")
        assert grade.auto_score is None and grade.needs_manual_grade
        comment = gradebook.find_comment("softmax", FIRST, "week 1", "ada").comment
        assert "Not graded" in comment and "the file is empty" in comment
        zero = gradebook.find_grade("check-softmax", FIRST, "week 1", "bob")
        assert zero.auto_score == 0.0 and not zero.needs_manual_grade
        waiting = {one["student"]: one["needs_manual_grade"] for one in gradebook.submission_dicts("week 1")}
        assert waiting == {"ada": True, "bob": False}
        assert [one.student.id for one in gradebook.notebook_submissions(SECOND, "week 1")] == ["bob"]


def test_foreign_file(fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """A file that is none of the course's notebooks makes no assignment, though its student is known."""
    fill({**result("ada", FIRST, None), "notebook": "holiday", "max_score": None})
    with opened() as gradebook:
        assert gradebook.assignments == [] and [one.id for one in gradebook.students] == ["ada"]


def test_assignments_apart(fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """Two assignments may hold the same notebook, and one assignment several."""
    fill(
        result("ada", FIRST, [1.0], "draft"),
        result("ada", FIRST, [0.5], "final"),
        result("ada", SECOND, [1, 1, 1, 1, 1, 1], "final"),
    )
    with opened() as gradebook:
        scores = {one.name: (one.score, one.max_score) for one in gradebook.student_submissions("ada")}
    assert scores == {"draft": (2.0, 2.0), "final": (12.0, 13.0)}


def dump(database: Path) -> list[str]:
    with sqlite3.connect(database) as connection:
        return sorted(connection.iterdump())


def test_again_changes_nothing(fill: Callable[..., str], database: Path) -> None:
    """The same results again leave every row of every table as it was, ids included."""
    results = [
        result("ada", FIRST, [0.3]),
        result("bob", FIRST, None),
        result("bob", SECOND, [0, 0, 1, 0, 1 / 3, 1]),
    ]
    fill(*results)
    before = dump(database)
    fill(*results)
    assert dump(database) == before


def test_new_results_update(fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """A submission that is handed in again, and graded again, has its new score, comment and time; no row doubles."""
    fill(result("ada", FIRST, None))
    fill(result("ada", FIRST, [0.5], submitted="2026-02-03 08:00 UTC"))
    with opened() as gradebook:
        grade = gradebook.find_grade("check-softmax", FIRST, FIRST, "ada")
        assert grade.auto_score == 1.0 and not grade.needs_manual_grade
        assert gradebook.find_comment("softmax", FIRST, FIRST, "ada").comment == "softmax: 0.5"
        assert gradebook.find_submission(FIRST, "ada").timestamp == datetime(2026, 2, 3, 8)
        assert len(gradebook.assignment_submissions(FIRST)) == 1
    fill(result("ada", FIRST, None))
    with opened() as gradebook:
        grade = gradebook.find_grade("check-softmax", FIRST, FIRST, "ada")
        assert grade.auto_score is None and grade.needs_manual_grade


def test_by_hand_stays(fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """What an instructor entered stays; where the score under it changes, formgrader asks to look again."""
    fill(result("ada", FIRST, [0.5]))
    with opened() as gradebook:
        gradebook.update_or_create_student("ada", last_name="Lovelace", email="ada@example.org")
        gradebook.update_or_create_assignment(FIRST, duedate="2026-02-01 12:00 UTC")
        grade = gradebook.find_grade("check-softmax", FIRST, FIRST, "ada")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 1.75, 0.5, False
        gradebook.find_comment("softmax", FIRST, FIRST, "ada").manual_comment = "Well argued"
        gradebook.db.commit()
    for score, look_again in ((0.5, False), (1.0, True)):
        fill(result("ada", FIRST, [score]))
        with opened() as gradebook:
            grade = gradebook.find_grade("check-softmax", FIRST, FIRST, "ada")
            assert (grade.manual_score, grade.extra_credit, grade.score) == (1.75, 0.5, 2.25)
            assert (grade.auto_score, grade.needs_manual_grade) == (2 * score, look_again)
            assert gradebook.find_comment("softmax", FIRST, FIRST, "ada").comment == "Well argued"
            assert gradebook.find_student("ada").last_name == "Lovelace"
            assert gradebook.find_assignment(FIRST).duedate == datetime(2026, 2, 1, 12)


def test_instructors_cells(fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """Where the instructor weighs an exercise otherwise, or adds a question, the gradebook's points count."""
    with opened() as gradebook:
        gradebook.add_assignment(FIRST)
        gradebook.add_notebook(FIRST, FIRST)
        gradebook.add_grade_cell("check-softmax", FIRST, FIRST, max_score=10, cell_type="code")
        gradebook.add_grade_cell("essay", FIRST, FIRST, max_score=5, cell_type="markdown")
    fill(result("ada", FIRST, [0.5]))
    with opened() as gradebook:
        assert gradebook.find_grade("check-softmax", FIRST, FIRST, "ada").auto_score == 5.0
        essay = gradebook.find_grade("essay", FIRST, FIRST, "ada")
        assert essay.auto_score is None and essay.needs_manual_grade
        assert gradebook.find_comment("softmax", FIRST, FIRST, "ada").comment == "softmax: 0.5"


@pytest.mark.parametrize("text", ["", "yesterday", "2026-02-02 12:00 " + "9" * 30, "9" * 99, "0001-01-01 00:00 +99"])
def test_odd_timestamp(text: str, fill: Callable[..., str], opened: Callable[[], Gradebook]) -> None:
    """A timestamp that names no time, which a student may have written, costs nothing."""
    fill(result("ada", FIRST, [1.0], submitted=text))
    with opened() as gradebook:
        assert gradebook.find_submission(FIRST, "ada").score == 2.0


@pytest.mark.parametrize("before", ["", ":", "../" * 20])
def test_timestamp_is_no_path(
    before: str, tmp_path: Path, fill: Callable[..., str], opened: Callable[[], Gradebook]
) -> None:
    """A time zone that is a path is not opened: the file could be whatever a student left there."""
    counts = struct.pack(">6l", 0, 0, 0, 0, 1, 4)
    (tmp_path / "zone").write_bytes(b"TZif" + bytes(16) + counts + struct.pack(">lbb", 3600, 0, 0) + b"ABC\0")
    fill(result("ada", FIRST, [1.0], submitted=f"2026-02-02 12:00 {before}{tmp_path / 'zone'}"))
    with opened() as gradebook:
        assert gradebook.find_submission(FIRST, "ada").timestamp is None


def test_version_of_schema(empty_gradebook: Path) -> None:
    """A new gradebook knows its schema's version, as `nbgrader db upgrade` needs it."""
    with sqlite3.connect(empty_gradebook) as connection:
        ((version,),) = connection.execute("SELECT version_num FROM alembic_version")
    assert version


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("{folder}/missing/gradebook.db", "unable to open"),
        ("{folder}/notes.txt", "not a database"),
        ("nonsense://here", "nonsense"),
        ("oracle://me:secret@localhost/grades", "install it"),
    ],
)
def test_no_database(database: str, said: str, tmp_path: Path) -> None:
    """A database that cannot be opened is told in a line, without its password."""
    (tmp_path / "notes.txt").write_text("These are notes of last week's meeting, and no database.\n" * 99)
    with pytest.raises(NoGradebook, match=said) as caught:
        write_gradebook(tmp_path, database.format(folder=tmp_path))
    assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


def test_no_nbgrader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without nbgrader, the message names the extra that brings it."""
    monkeypatch.setitem(sys.modules, "nbgrader.api", None)
    with pytest.raises(NoGradebook, match=r"pip install 'course-attention\[instructor\]'"):
        write_gradebook(tmp_path, str(tmp_path / "gradebook.db"))

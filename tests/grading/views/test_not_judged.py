"""An exercise at which the grader itself failed has no score in any view, which is not a score of 0."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from course_attention import cli
from course_attention.grading.commands import INCOMPLETE
from course_attention.grading.views.exports import canvas, gradescope, moodle
from course_attention.grading.views.exports.exercises_csv import rows
from course_attention.grading.views.exports.grades import Grades
from course_attention.grading.views.gradebook import write_gradebook
from course_attention.grading.views.pages import report
from course_attention.grading.views.pages.feedback import page
from course_attention.grading.views.results import StoredResult, whole
from course_attention.grading.views.statistics.class_statistics import ClassStatistics
from tests.grading.views.made import NOTEBOOK, Outline, exercise, not_judged, record, write

NOTE = "mean_attention was not judged: the grader itself failed with ValueError; please report it"


def partly(student: str = "ada") -> dict:
    """One exercise passed, and one not judged."""
    return record(student, [exercise(), not_judged("mean_attention")], notes=[NOTE])


def wholly(student: str = "bob") -> dict:
    """Nothing judged."""
    entries = [not_judged(), not_judged("mean_attention")]
    return record(student, entries, status="not_judged", score=None, notes=["the grader itself failed"])


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def seen(tmp_path: Path, *several: dict) -> tuple[Grades, ClassStatistics, list[list[StoredResult]]]:
    grades, statistics = Grades(), ClassStatistics()
    found = write(tmp_path, *several)
    for own in found:
        grades.add(own)
        statistics.add(own)
    return grades, statistics, found


def test_tables_are_blank(tmp_path: Path) -> None:
    """A sum in which an exercise is missing is no grade: the notebook is blank, and so are the student's totals."""
    grades, _, _ = seen(tmp_path, partly(), wholly(), record("eve", [exercise(), exercise("mean_attention")]))
    ada, bob, eve = table(grades.as_csv())
    for row in (ada, bob):
        assert (row[NOTEBOOK], row["total"], row["max"]) == ("", "", "")
    assert (eve[NOTEBOOK], eve["total"], eve["max"]) == ("8", "8", "8")
    assert [row[NOTEBOOK] for row in table(canvas.view(grades))[1:]] == ["", "", "8"]
    assert [row[NOTEBOOK] for row in table(moodle.view(grades))] == [moodle.NO_GRADE] * 2 + ["8"]


def test_exercises_csv(tmp_path: Path) -> None:
    """No points, and the status."""
    _, _, (own,) = seen(tmp_path, partly())
    passed, lost = csv.reader(io.StringIO(rows(own)))
    assert passed[4:7] == ["passed", "4", "4"]
    assert lost[4:7] == ["not_judged", "", "4"]


def test_gradescope(tmp_path: Path) -> None:
    """A notebook in which an exercise is missing has no scores at all: Gradescope would add up those of the others."""
    complete = record("ada", [exercise("softmax")], notebook="00_start_here")
    _, _, (ada, bob) = seen(tmp_path, partly(), complete, wholly())
    found = json.loads(gradescope.view(ada))
    other, passed, lost = found["tests"]
    assert found["score"] == other["score"] == 4.0
    assert passed.keys() == lost.keys() == {"name", "output"} and "not judged" in lost["output"]
    found = json.loads(gradescope.view(bob))
    assert "score" not in found and all("score" not in test for test in found["tests"])


def test_feedback() -> None:
    """The student reads that it was not judged, and no points for it."""
    text = Outline(page(whole(partly()))).text
    assert "Not every answer could be judged: these are the points of the others." in text
    assert "4 of 8 points" in text and "0 of 4" not in text
    assert "mean_attention ? not judged" in text and "no fault of the answer" in text
    text = Outline(page(whole({**wholly(), "exercises": []}))).text
    assert "Not graded: the grader itself failed" in text


def test_report(tmp_path: Path) -> None:
    """It counts neither as tried nor in a mean, and comes first in what is worth a look."""
    grades, statistics, _ = seen(tmp_path, partly(), wholly(), record("eve", [exercise("mean_attention")]))
    assert (statistics.exercises["mean_attention"].tried, statistics.exercises["attention"].tried) == (1, 1)
    text = Outline(report.page(grades, statistics)).text
    assert "Not judged: the grader itself failed: 2" in text
    assert "4.00 of 4" in text and "0.00 of 4" not in text and "2.00 of 4" not in text
    _, alone, _ = seen(tmp_path / "alone", wholly())
    assert alone.exercises["attention"].tried == 0
    assert "0.00 of 4" in Outline(report.page(Grades(), alone)).text or alone.exercises["attention"].judged == 0


def test_gradebook(tmp_path: Path) -> None:
    """nbgrader has no score for it, and asks for a manual grade; the others have theirs."""
    write(tmp_path, partly(), wholly())
    write_gradebook(tmp_path, str(tmp_path / "gradebook.db"))
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        for student, expected in {"ada": (4.0, None), "bob": (None, None)}.items():
            submitted = gradebook.find_submission_notebook(NOTEBOOK, NOTEBOOK, student)
            grades = {grade.name: grade for grade in submitted.grades}
            for name, score in zip(("attention", "mean_attention"), expected, strict=True):
                grade = grades[f"check-{name}"]
                assert (grade.auto_score, grade.needs_manual_grade) == (score, score is None)


def planted(tmp_path: Path) -> Path:
    """Results as `grade` leaves them: two of them not judged, in part and as a whole, and a complete one."""
    results = tmp_path / "out"
    write(results, partly(), wholly(), record("eve", [exercise(), exercise("mean_attention")]))
    return results


def test_command_says_so(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """`report` ends with an exit code of their own for such a class, and with a line that counts them."""
    results = planted(tmp_path)
    assert cli.main(["report", str(results)]) == INCOMPLETE
    assert "2 results hold an answer at which the grader itself failed" in capsys.readouterr().err
    for student in ("ada", "bob"):
        shutil.rmtree(results / "results" / student)
    assert cli.main(["report", str(results)]) == 0


def test_every_view_is_blank(tmp_path: Path) -> None:
    """In no file that `report` writes does such a student have points: each view is looked at as its reader does."""
    results = planted(tmp_path)
    cli.main(["report", str(results), "--exported"])
    looked_at = {"exercises.csv", "report.html"}  # a row or a line for each exercise, see the tests above
    for name in ("grades.csv", "canvas.csv", "moodle.csv"):
        looked_at.add(name)
        first, *rows = csv.reader(io.StringIO((results / name).read_text(encoding="utf-8-sig")))
        column = first.index(NOTEBOOK)
        marks = {row[0]: row[column].strip(" -") for row in rows}
        assert (marks["ada"], marks["bob"], marks["eve"]) == ("", "", "8"), name
    for student, score in {"ada": None, "bob": None, "eve": 8.0}.items():
        looked_at |= {f"gradescope/{student}/results.json", f"feedback/{student}/{NOTEBOOK}.html"}
        told = json.loads((results / "gradescope" / student / "results.json").read_bytes())
        assert told.get("score") == score and all(("score" in test) is bool(score) for test in told["tests"])
        text = Outline((results / "feedback" / student / f"{NOTEBOOK}.html").read_text(encoding="utf-8")).text
        assert ("8 of 8 points" in text) is bool(score) and "0 of" not in text
    (kept,) = (results / "exported").glob("*.jsonl")
    looked_at.add(f"exported/{kept.name}")
    marks = {
        one["student"]: one["results"][NOTEBOOK]["score"] for one in map(json.loads, kept.read_text().splitlines())
    }
    assert marks == {"ada": None, "bob": None, "eve": 8.0}
    written = {str(path.relative_to(results)) for path in results.rglob("*") if path.is_file()}
    assert {name for name in written if not name.startswith(("results/", ".lock"))} == looked_at

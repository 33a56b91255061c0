"""Before marks are handed on again: whose differ from those exported last, by how much and why."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from course_attention import cli
from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.due_dates import DueDates, due_dates
from course_attention.grading.marking.late_rules import LateRule, LateRules
from course_attention.grading.views.exports import exported
from course_attention.grading.views.exports.changes import changes, told
from tests.grading.views.made import NOTEBOOK, exercise, not_judged, record, write


def dates(results: Path) -> DueDates:
    return due_dates(results, kept_rules.kept(results))


PARTS = {"judge": "j", "exercise": "e"}
OF_NOTEBOOK = {"reading": "r"}


def result(student: str, *entries: dict, **fields: object) -> dict:
    """Make a result that says what decided it."""
    decided = [{"decided_by": PARTS, **entry} for entry in entries]
    return {"decided_by": OF_NOTEBOOK, **record(student, decided, **fields)}


def since(tmp_path: Path, before: dict, now: dict) -> list[str]:
    """Tell what is said of a result that was exported, and is another now."""
    write(tmp_path, before)
    exported.keep(tmp_path, dates(tmp_path))
    write(tmp_path, now)
    return [str(one) for one in changes(tmp_path, dates(tmp_path))]


PASSED, FAILED = exercise(), exercise(status="failed", score=0.25, misconception="no-scale")


def test_nothing(tmp_path: Path) -> None:
    """Nothing changes by itself, nor by what is no mark: a message, how long it took."""
    assert since(tmp_path, result("ada", PASSED), result("ada", {**PASSED, "message": "!"}, seconds=9)) == []


@pytest.mark.parametrize(
    ("now", "why"),
    [
        ({"decided_by": {**PARTS, "exercise": "other"}}, "the exercise"),
        ({"decided_by": {"judge": "other", "exercise": "other"}}, "the judge, the exercise"),
        ({}, "graded again"),
    ],
)
def test_by_how_much_and_why(tmp_path: Path, now: dict, why: str) -> None:
    """The whole notebook first, then each exercise: points, verdict, misconception, and the part that has changed."""
    assert since(tmp_path, result("ada", PASSED), result("ada", {**FAILED, **now})) == [
        f"ada, {NOTEBOOK}: 4 → 1 (-3); {why}",
        f"    attention: 4 → 1 (-3); passed → failed, no-scale; {why}",
    ]


def test_verdict_alone(tmp_path: Path) -> None:
    """Another misconception for the same points is a change, too."""
    other = {**FAILED, "misconception": "softmax-missing"}
    assert since(tmp_path, result("ada", FAILED), result("ada", other)) == [
        f"ada, {NOTEBOOK}: 1 → 1; graded again",
        "    attention: 1 → 1; failed, no-scale → failed, softmax-missing; graded again",
    ]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"source_sha256": "cd" * 32}, "handed in again"),
        ({"seed": 1}, "the seed"),
        ({"decided_by": {"reading": "other"}}, "how a file is read"),
    ],
)
def test_for_all_exercises(tmp_path: Path, fields: dict, why: str) -> None:
    """What concerns a whole file is said of each exercise."""
    found = since(tmp_path, result("ada", PASSED), result("ada", FAILED, **fields))
    assert [line.rpartition("; ")[2] for line in found] == [why, why]


def test_late_rules(tmp_path: Path) -> None:
    """Where all exercises have earned the same, and the mark is another, the late rules have changed it."""
    write(tmp_path, result("ada", PASSED, submitted="2026-02-02 12:00"))
    exported.keep(tmp_path, dates(tmp_path))
    rule = LateRule(datetime(2026, 2, 2, 10, tzinfo=UTC), per_day=0.5)
    kept_rules.keep(tmp_path, LateRules(rule))
    assert [str(one) for one in changes(tmp_path, dates(tmp_path))] == [f"ada, {NOTEBOOK}: 4 → 2 (-2); the late rules"]


def test_through_an_earlier_answer(tmp_path: Path) -> None:
    """A verdict that changes with the answer before it names that answer."""
    repaired = {"decided_by": {**PARTS, "exercise": "other"}}
    before = result("ada", PASSED, exercise("cross_attention"))
    now = result("ada", {**FAILED, **repaired}, exercise("cross_attention", "failed"))
    _, first, second = since(tmp_path, before, now)
    assert first.endswith("; the exercise")
    assert second.endswith("; attention before it is judged otherwise")


def test_points_of_an_exercise(tmp_path: Path) -> None:
    """An exercise that is worth more, a new one, and one that is not asked any more."""
    worth = {"points": 6.0, "decided_by": {**PARTS, "points": "six"}}
    assert since(tmp_path, result("ada", PASSED), result("ada", {**PASSED, **worth}))[1:] == [
        "    attention: 4 → 6 (+2); its points"
    ]
    other = result("ada", exercise("softmax"), decided_by={**OF_NOTEBOOK, "notebook": "other"})
    assert since(tmp_path, result("ada", PASSED), other)[1:] == [
        "    attention: 4 → no mark; passed → not asked; the course's notebook",
        "    softmax: no mark → 4; not asked → passed; the course's notebook",
    ]


def test_not_judged_is_no_mark(tmp_path: Path) -> None:
    """Where the grader itself failed, there is no mark, which is said as such."""
    both = [PASSED, exercise("mean_attention")]
    found = since(tmp_path, result("ada", *both), result("ada", PASSED, not_judged("mean_attention")))
    assert found[0] == f"ada, {NOTEBOOK}: 8 → no mark; the grader itself failed"
    assert found[1].startswith("    mean_attention: 4 → no mark; passed → not_judged")


def test_new_and_withdrawn(tmp_path: Path) -> None:
    """Students who are new, who are gone, and whose file cannot be read any more; in the order of their folders."""
    write(tmp_path, *(result(student, PASSED) for student in ("bob", "eve", "ada")))
    assert [one.why for one in changes(tmp_path, dates(tmp_path))] == ["new"] * 3  # nothing was exported yet
    exported.keep(tmp_path, dates(tmp_path))
    (tmp_path / "results" / "bob" / f"{NOTEBOOK}.json").unlink()
    write(tmp_path, result("carl", PASSED), record("eve", source_sha256="cd" * 32))
    found = [*changes(tmp_path, dates(tmp_path))]
    assert [str(one) for one in found] == [
        f"bob, {NOTEBOOK}: 4 → no mark; withdrawn",
        f"carl, {NOTEBOOK}: no mark → 4; new",
        f"eve, {NOTEBOOK}: 4 → no mark; graded → malformed; handed in again",
    ]
    assert told(found) == "3 marks of 3 students differ (1 new, 1 withdrawn)"


def test_kept_once(tmp_path: Path) -> None:
    """The same marks are not kept twice; others are kept beside those before, and the newest count."""
    write(tmp_path, result("ada", PASSED))
    exported.keep(tmp_path, dates(tmp_path))
    exported.keep(tmp_path, dates(tmp_path))
    first = exported.last(tmp_path)
    write(tmp_path, result("ada", FAILED))
    exported.keep(tmp_path, dates(tmp_path))
    assert len(list((tmp_path / "exported").iterdir())) == 2 and exported.last(tmp_path) > first
    assert [*changes(tmp_path, dates(tmp_path))] == []


def test_before_the_gradebook_is_filled(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """--dry-run shows the changes and writes nothing; filling a gradebook keeps the marks as those exported."""
    database = tmp_path / "gradebook.db"
    report = ["report", str(tmp_path / "out"), "--gradebook", str(database)]

    def auto_score() -> float:
        with Gradebook(f"sqlite:///{database}") as gradebook:
            submitted = gradebook.find_submission_notebook(NOTEBOOK, NOTEBOOK, "ada")
            return next(one.auto_score for one in submitted.grades if one.name == "check-attention")

    write(tmp_path / "out", result("ada", PASSED))
    assert cli.main(report) == 0 and auto_score() == 4.0
    write(tmp_path / "out", result("ada", FAILED))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert cli.main([*report, "--dry-run"]) == 0
    first, second, last = capsys.readouterr().out.splitlines()
    assert first == f"ada, {NOTEBOOK}: 4 → 1 (-3); graded again" and "attention: 4 → 1" in second
    assert last == "1 mark differs (1 down) from those exported last; nothing was written"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert cli.main(report) == 0 and auto_score() == 1.0
    lines = capsys.readouterr().out.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("changes: 1 mark differs"))
    assert lines[place + 1].startswith("gradebook: ") and lines[place + 2].startswith("exported: ")
    table = [*csv.DictReader((tmp_path / "out" / "changes.csv").read_text(encoding="utf-8-sig").splitlines())]
    assert [(row["exercise"], row["before"], row["now"], row["difference"]) for row in table] == [
        ("", "4", "1", "-3"),
        ("attention", "4", "1", "-3"),
    ]

"""Points before and after the late rules, dropped notebooks, and which of several versions counts."""

from __future__ import annotations

import csv
import json
from datetime import datetime
from pathlib import Path

from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.due_dates import DueDates
from course_attention.grading.marking.late_rules import LateRule, LateRules
from course_attention.grading.run.results import result_files
from course_attention.grading.views import write_all
from course_attention.grading.views.results import by_student, outdone
from tests.grading.views.made import NOTEBOOK, Outline, exercise, not_judged, record, write

FIRST = "00_start_here"
DUE = LateRule(datetime.fromisoformat("2026-10-01T23:59:00+02:00"), per_day=0.1, at_most=0.5)
TWO_DAYS = "2026-10-03 08:00:00 UTC"


def table(results: Path) -> dict[str, dict[str, str]]:
    with (results / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def feedback(results: Path, student: str, notebook: str = NOTEBOOK) -> str:
    return Outline((results / "feedback" / student / f"{notebook}.html").read_text(encoding="utf-8")).text


def test_both_points_are_seen(tmp_path: Path) -> None:
    """grades.csv, feedback and Gradescope have the points before and after the rule, or why nothing is taken off."""
    both = [exercise(), exercise("mean_attention")]
    write(
        tmp_path,
        record("late", both, submitted=TWO_DAYS),
        record("in time", both, submitted="2026-10-01 12:00:00 UTC"),
        record("nobody knows", both),
        record("malformed", submitted=TWO_DAYS),
        record("not judged", [exercise(), not_judged("mean_attention")], submitted=TWO_DAYS),
        record("late", [exercise("softmax")], notebook=FIRST, max_score=4.0, submitted=TWO_DAYS),
    )
    kept_rules.keep(tmp_path, LateRules(notebooks={NOTEBOOK: DUE}))
    lines = write_all(tmp_path).lines
    before, late = f"{NOTEBOOK} before the late rule", f"{NOTEBOOK} late"
    rows = table(tmp_path)
    assert list(rows["late"]) == ["student", FIRST, NOTEBOOK, before, late, "total", "max"]
    unknown = "no time of handing in is known: nothing taken off"
    assert {name: (row[NOTEBOOK], row[before], row[late], row["total"]) for name, row in rows.items()} == {
        "late": ("6.4", "8", "2 days late: 20% taken off", "10.4"),
        "in time": ("8", "8", "", "8"),
        "nobody knows": ("8", "8", unknown, "8"),
        "malformed": ("", "", "2 days late: 20% taken off", ""),
        "not judged": ("", "", "2 days late: 20% taken off", ""),
    }
    (told,) = [line for line in lines if line.startswith("due dates: ")]
    assert "3 late, 1 on time, 1 without a known time" in told
    page = feedback(tmp_path, "late")
    assert "6.4 of 8 points, after the late rule" in page
    assert "Before the late rule, the answers earned 8 of 8 points." in page
    assert "due at 2026-10-01 23:59+02:00 and came 2 days late" in page
    assert "takes off 10% of the earned points for each day that has begun, at most 50%" in page
    assert "20% of its points are taken off. In points, that is 1.6." in page
    page = feedback(tmp_path, "nobody knows")
    assert "Nothing is taken off" in page and "after the late rule" not in page
    for page in (feedback(tmp_path, "in time"), feedback(tmp_path, "late", FIRST)):
        assert "was due" not in page and "late rule" not in page
    page = Outline((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert f"{NOTEBOOK} : due at 2026-10-01 23:59+02:00; takes off 10% of the earned points" in page
    assert "3 late, 1 on time, 1 without a known time" in page
    assert f"late {NOTEBOOK} 2 days late: 20% taken off 8 1.6 6.4" in page
    assert f"malformed {NOTEBOOK} 2 days late: 20% taken off – – –" in page
    assert f"nobody knows {NOTEBOOK} {unknown} 8 0 8" in page and f"in time {NOTEBOOK} " not in page
    assert page.count("after the late rule") == 2
    scored = json.loads((tmp_path / "gradescope" / "late" / "results.json").read_text())
    assert scored["score"] == 10.4 and "taken off" in scored["output"]
    assert '"late","","","late","","4","6.4"' in (tmp_path / "canvas.csv").read_text()
    kept_rules.keep(tmp_path, LateRules())
    write_all(tmp_path)
    assert table(tmp_path)["late"]["total"] == "12" and late not in table(tmp_path)["late"]
    assert "late rule" not in feedback(tmp_path, "late")
    assert "late rule" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_extensions(tmp_path: Path) -> None:
    """Whoever has an extension is told so everywhere; a name that is nobody's is told to the instructor."""
    both = [exercise(), exercise("mean_attention")]
    write(tmp_path, *(record(name, both, submitted=TWO_DAYS) for name in ("ada", "bob", "eve")))
    later = datetime.fromisoformat("2026-10-02T23:59:00+02:00")
    extensions = {"ada": {"": later}, "bob": {NOTEBOOK: None}, "<i>": {"": later}}
    kept_rules.keep(tmp_path, LateRules(DUE, extensions=extensions))
    assert kept_rules.kept(tmp_path).extensions == extensions
    lines = write_all(tmp_path).lines
    late = f"{NOTEBOOK} late"
    until = "with an extension to 2026-10-02 23:59+02:00"
    assert {name: (row[NOTEBOOK], row[late]) for name, row in table(tmp_path).items()} == {
        "ada": ("7.2", f"1 day late, {until}: 10% taken off"),
        "bob": ("8", "excused from the due date"),
        "eve": ("6.4", "2 days late: 20% taken off"),
    }
    assert "due dates: 2 late, 0 on time, 1 excused from the due date" in lines
    (stranger,) = [line for line in lines if "is nobody's" in line]
    assert "the extension of '<i>'" in stranger
    page = feedback(tmp_path, "ada")
    assert (
        "7.2 of 8 points, after the late rule" in page
        and "With an extension, the notebook was due at 2026-10-02 23:59+02:00 and came 1 day late" in page
    )
    page = feedback(tmp_path, "bob")
    assert "8 of 8 points You are excused from the due date" in page
    page = Outline((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert "ada : until 2026-10-02 23:59+02:00" in page
    assert f"bob : {NOTEBOOK}: excused from the due date" in page
    assert "<i> : until 2026-10-02 23:59+02:00. Nobody gets it : neither a folder" in page
    scored = json.loads((tmp_path / "gradescope" / "ada" / "results.json").read_text())
    assert scored["score"] == 7.2


def test_dropped(tmp_path: Path) -> None:
    """What is dropped is named, is not in the sums, and stays to be seen; a rule may make a notebook the lowest."""
    write(
        tmp_path,
        record("ada", [exercise(), exercise("mean_attention")], submitted=TWO_DAYS),
        record("ada", [exercise("softmax", "failed", 0.9)], notebook=FIRST, max_score=4.0),
        record("bob", [exercise("softmax", "failed", 0.1)], notebook=FIRST, max_score=4.0),
        record("cut off"),
        record("cut off", [exercise("softmax")], notebook=FIRST, max_score=4.0),
    )
    kept_rules.keep(tmp_path, LateRules(notebooks={NOTEBOOK: DUE}, drop=Drop(lowest=1)))
    write_all(tmp_path)
    shown = {
        name: (row[FIRST], row[NOTEBOOK], row["total"], row["max"], row["dropped"])
        for name, row in table(tmp_path).items()
    }
    assert shown == {
        "ada": ("3.6", "6.4", "3.6", "4", NOTEBOOK),
        "bob": ("0.4", "", "0.4", "4", ""),  # the one that was not handed in is the lowest
        "cut off": ("4", "", "4", "4", ""),
    }


def versions(results: Path, *several: tuple[str, dict]) -> list[str]:
    """Which of the results of one student count, written under these names."""
    for name, one in several:
        result_files.write(results / "results" / "ada" / f"{name}.json", one)
    (own,) = by_student(results, DueDates(LateRules(DUE)))
    return [one.name for one in own]


def test_best_version(tmp_path: Path) -> None:
    """Of several versions the one counts that has the most points after the late rule, and of two alike the newest."""
    full, half = [exercise(), exercise("mean_attention")], [exercise(), exercise("mean_attention", "failed")]
    second, third = f"{NOTEBOOK} (1)", "final final"
    cases = {
        "most": (((NOTEBOOK, half), (second, full), (third, half)), second),
        "alike": (((second, full), (NOTEBOOK, full)), NOTEBOOK),
        "malformed": (((NOTEBOOK, []), (second, [exercise("attention", "failed")])), second),
        # Nobody knows if it is better: blank until it can be judged.
        "not judged": (((NOTEBOOK, full), (second, [exercise(), not_judged("mean_attention")])), second),
    }
    for case, (several, expected) in cases.items():
        named = [(name, record("ada", found, submitted="2026-10-01")) for name, found in several]
        assert versions(tmp_path / case, *named) == [expected], case
    late = record("ada", full, submitted="2026-10-09")
    assert versions(tmp_path, (NOTEBOOK, late), (second, record("ada", half, submitted="2026-10-01"))) == [NOTEBOOK]
    ninety = [exercise(), exercise("mean_attention", "failed", 0.8)]
    assert versions(tmp_path, (NOTEBOOK, late), (second, record("ada", ninety, submitted="2026-10-01"))) == [second]
    kept_rules.keep(tmp_path, LateRules(DUE))
    write_all(tmp_path)
    assert table(tmp_path)["ada"][NOTEBOOK] == "7.2"
    assert [path.stem for path in tmp_path.glob("feedback/ada/*.html")] == [second]
    assert list(outdone(tmp_path, DueDates(LateRules(DUE)))) == [("ada", NOTEBOOK)]

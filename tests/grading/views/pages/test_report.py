"""The report counts what the results say: scores, pass rates, misconceptions, and what is worth a look."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.course.cell_source import facts
from course_attention.grading.views import write_all
from course_attention.grading.views.exports.grades import Grades
from course_attention.grading.views.pages import report
from course_attention.grading.views.statistics.class_statistics import ClassStatistics
from course_attention.grading.views.statistics.distribution import histogram
from course_attention.grading.views.statistics.misconceptions import misconception_tables, most_held
from tests.grading.views.made import NOTEBOOK, Outline, details, exercise, record, write
from tests.grading.views.pages.test_feedback import HOSTILE, everywhere, without_colours


def counted(tmp_path: Path, *several: dict) -> tuple[Grades, ClassStatistics]:
    grades, statistics = Grades(), ClassStatistics()
    for own in write(tmp_path, *several):
        grades.add(own)
        statistics.add(own)
    return grades, statistics


def wrong(name: str, misconception: str | None, status: str = "failed") -> dict:
    return exercise(name, status, 0.25, misconception=misconception, details=details())


CLASS = [
    record("ada", [exercise("attention"), wrong("mean_attention", "mean-with-softmax")]),
    record("bob", [wrong("attention", "no-scale"), wrong("cross_attention", "no-scale")]),
    record("eve", [wrong("attention", "no-scale"), exercise("mean_attention", "not_attempted")]),
    record("joe", [wrong("attention", None), wrong("mean_attention", None, "errored")]),
    record("kim"),
    record("zoe", [exercise("attention", "forbidden", message="attention: it uses sdpa. Free.")]),
]


def test_misconceptions(tmp_path: Path) -> None:
    """Misconceptions × exercises, with the answers that hold each; what an exercise cannot show has no count."""
    (table,) = misconception_tables(counted(tmp_path, *CLASS)[1])
    assert table.notebook == NOTEBOOK
    assert table.exercises == [("attention", 5), ("cross_attention", 1), ("mean_attention", 2)]
    found = {row.name or row.title: [count.answers for count in row.counts] for row in table.rows}
    assert found == {
        "no-scale": [2, 1, None],
        "mean-with-softmax": [None, None, 1],
        "Another mistake, which no misconception explains": [1, 0, 0],
        "Stopped with an error": [0, 0, 1],
    }
    assert table.rows[0].title == "The scores are not divided by √d_key"


def test_shades(tmp_path: Path) -> None:
    """A shade is for the share of those who tried, not for the number of answers."""
    several = [record(f"r{n}", [exercise("attention"), exercise("softmax", "not_attempted")]) for n in range(19)]
    held = [wrong("attention", "no-scale"), wrong("softmax", "axis-ignored")]
    (table,) = misconception_tables(counted(tmp_path, record("joe", held), *several)[1])
    assert {row.name: max(count.shade for count in row.counts) for row in table.rows} == {
        "no-scale": 1,
        "axis-ignored": 5,
    }


def test_most_held(tmp_path: Path) -> None:
    """A misconception counts once for each student, and says where it was seen."""
    first, second = most_held(counted(tmp_path, *CLASS)[1])
    assert (first.name, first.students, first.exercises) == (
        "no-scale",
        2,
        [("attention", 2), ("cross_attention", 1)],
    )
    assert (second.name, second.students) == ("mean-with-softmax", 1)


def test_pass_rates(tmp_path: Path) -> None:
    """Of those who tried; what cannot be read has no part in them."""
    text = Outline(report.page(*counted(tmp_path, *CLASS))).text
    assert "attention 20% 1 3 1 0 1.40 of 4" in text
    assert "mean_attention 0% 0 1 1 1 0.67 of 4" in text
    assert "6 students, 6 notebooks handed in: 5 graded, 1 cannot be read as this notebook" in text


def test_ungraded_is_in_no_mean(tmp_path: Path) -> None:
    """Scores are those of whoever is graded."""
    page = Outline(report.page(*counted(tmp_path, record("ada", [exercise()]), record("kim"))))
    assert "they earned 50% on average" in page.text
    assert f"{NOTEBOOK} 2 1 8 4.0 4.0 4.0 4.0" in page.text


def test_worth_a_look(tmp_path: Path) -> None:
    """What was forbidden, copied, lost or not read is listed with its student, and leads to the page."""
    copied = record("amy", [exercise()], notes=["attention: the answer is the course's own source"])
    killed = record("ian", [exercise(status="crashed")], status="crashed", notes=["its process ended"])
    page = report.page(*counted(tmp_path, *CLASS, copied, killed))
    text = Outline(page).text
    for said in (
        "Not graded: cannot be read as a notebook of the course: 1",
        f"zoe {NOTEBOOK} attention: it uses sdpa",
        f"amy {NOTEBOOK} attention: the answer is the course's own source",
        f"ian {NOTEBOOK} its process ended",
    ):
        assert said in text
    assert f'href="feedback/kim/{NOTEBOOK}.html"' in page


def test_mixed_fingerprints(tmp_path: Path) -> None:
    """Results that different judges made are said to be mixed, on the page and in a line; older ones have none."""
    one = record("ada", [exercise()], fingerprint="1")
    other = record("bob", [exercise()], fingerprint="2")
    older = record("kim", [exercise()])
    for number, (several, mixed) in enumerate(
        (([one, other], True), ([one, older], True), ([one, one], False), ([older], False))
    ):
        folder = tmp_path / str(number)
        page = Outline(report.page(*counted(folder, *several)))
        assert (f"Results of different judges are mixed for {NOTEBOOK}" in page.text) is mixed
        assert any("are mixed for" in line for line in write_all(folder).lines) is mixed


def test_large_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long lists are cut and say so; of all messages and examples, one is kept for each misconception."""
    monkeypatch.setattr("course_attention.grading.views.statistics.class_statistics.MOST_NOTES", 2)
    monkeypatch.setattr(report, "MOST_STUDENTS", 3)
    several = [record(f"s{n}", [wrong("attention", "no-scale")], notes=["odd"]) for n in range(5)]
    grades, statistics = counted(tmp_path, *several)
    text = Outline(report.page(grades, statistics)).text
    assert "Other notes: 5" in text and "and 3 more" in text and "more than 3 students" in text
    kept = repr((grades, statistics))
    assert "attention: failed." not in kept and kept.count("2 queries, 3 keys") == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(tmp_path: Path, text: str) -> None:
    """The report has the elements of the template, and links lead to pages alone."""

    def outline(said: str) -> Outline:
        one = everywhere(said) | {"notebook": "n", "assignment": "a"}
        folder = tmp_path / str(said == text)
        return Outline(
            report.page(*counted(folder, one, one | {"student": f"{said}2", "status": "malformed", "score": None}))
        )

    harmless = "harmless" if facts(text).runs else "harm less"  # code that is no Python is not shown
    assert without_colours(outline(text)) == without_colours(outline(harmless))
    assert " ".join(text.split()) in outline(text).text


def test_histogram() -> None:
    """Every share is in one bin; all is in the last."""
    drawn = histogram([0.0, 0.1, 0.3, 0.7, 0.9999, 1.0], 100, 50)
    assert [bar.label for bar in drawn.bars] == ["1", "1", "", "1", "", "", "", "1", "", "2"]
    assert max(bar.height for bar in drawn.bars) == 50

"""Attempts are kept where the student asks for it, without code, and what is read from them is what is so."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from course_attention import cli
from course_attention.course.attempts_file import FIELDS, FILE, Attempt, add, attempts_in, begin
from course_attention.grading.attempts.counts import counts
from course_attention.grading.attempts.figures import FEWEST, after_mistakes, of_exercises
from course_attention.grading.attempts.learners import EXERCISES, expected_attempts, simulated
from course_attention.grading.attempts.reading import read_class
from course_attention.grading.errors import CannotGrade
from course_attention.judging.verdict import Verdict
from course_attention.lesson.progress import record

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def made(*checks: str) -> list[Attempt]:
    """Return attempts from texts such as "softmax failed axis-ignored", a minute after each other."""
    found = []
    for minute, check in enumerate(checks):
        name, verdict, *ids = check.split()
        found.append(Attempt(NOW + timedelta(minutes=minute), name, verdict, " ".join(ids)))
    return found


class TestKept:
    """The file in the workspace."""

    @pytest.fixture(autouse=True)
    def workspace(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / ".course_attention").mkdir()
        monkeypatch.chdir(tmp_path)

    def test_only_where_asked_for(self, tmp_path: Path) -> None:
        """Without the file nothing is kept; with it, a line for each check; when it is deleted, nothing again."""
        verdict = Verdict("softmax", "failed", 0.2, 2, misconception="axis-ignored")
        record(verdict)
        assert not (tmp_path / FILE).exists()
        begin(tmp_path)
        record(verdict)
        record(Verdict("softmax", "not_attempted", 0.0, 2))
        record(Verdict("softmax", "passed", 1.0, 2))
        rows = list(csv.reader((tmp_path / FILE).read_text().splitlines()))
        assert tuple(rows[0]) == FIELDS
        assert [row[1:] for row in rows[1:]] == [["softmax", "failed", "axis-ignored"], ["softmax", "passed", ""]]
        assert all(datetime.fromisoformat(row[0]).tzinfo for row in rows[1:])
        (tmp_path / FILE).unlink()
        record(verdict)
        assert not (tmp_path / FILE).exists()

    def test_start(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """`start` makes the file with the option alone, says what will be in it, and keeps what is there."""
        folder = tmp_path / "w"
        assert cli.main(["start", str(folder), "--prepare-only"]) == 0
        assert not (folder / FILE).exists()
        assert cli.main(["start", str(folder), "--prepare-only", "--keep-attempts"]) == 0
        assert "no code" in capsys.readouterr().out
        add(folder, Attempt(NOW, "softmax", "passed"))
        before = (folder / FILE).read_text()
        assert cli.main(["start", str(folder), "--prepare-only", "--keep-attempts"]) == 0
        assert (folder / FILE).read_text() == before and "softmax" in before

    def test_file_that_cannot_be_written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A check goes on where the line cannot be written."""
        begin(tmp_path)

        def full(*anything: object, **more: object) -> None:
            raise OSError("no space left")

        monkeypatch.setattr(Path, "open", full)
        add(tmp_path, Attempt(NOW, "softmax", "passed"))
        monkeypatch.undo()
        assert (tmp_path / FILE).read_text().count("\n") == 1


class TestRead:
    """The files that were handed in may hold anything."""

    @pytest.mark.parametrize(
        "line",
        ["", "a,b", "yesterday,softmax,passed,", "2026-03-02T09:00:00,softmax,passed,", f"{NOW},{'x' * 999},passed,"],
    )
    def test_other_lines(self, line: str) -> None:
        """What is no attempt is left out, and the others are read."""
        text = f"{','.join(FIELDS)}\n{line}\n{NOW.isoformat()},softmax,passed,\n"
        assert list(attempts_in(text)) == [Attempt(NOW, "softmax", "passed")]

    def test_folder(self, tmp_path: Path) -> None:
        """A student a file, whatever it is called; links and files without attempts are left out."""
        (tmp_path / "ada").mkdir()
        for folder, name in ((tmp_path / "ada", FILE), (tmp_path, "bob.csv")):
            (folder / name).write_text(f"{NOW.isoformat()},softmax,passed,\n")
        (tmp_path / "grades.csv").write_text("name,points\nada,3\n")
        (tmp_path / "link.csv").symlink_to(tmp_path / "bob.csv")
        assert list(read_class(tmp_path)) == ["ada/attempts.csv", "bob.csv"]

    def test_nothing_to_read(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """A folder without attempts, or none at all, is said to be that."""
        with pytest.raises(CannotGrade, match="holds attempts"):
            read_class(tmp_path)
        assert cli.main(["attempts", str(tmp_path / "none")]) == 2
        assert "is no folder" in capsys.readouterr().err


def test_counts() -> None:
    """Checks count until the first that passed; a next check counts after the failed one before it."""
    found = counts(
        {
            "ada": made("a failed x", "b failed", "a failed", "a passed", "a failed y", "b passed"),
            "bob": made("a passed", "b failed x", "b failed x"),
        }
    )
    assert found.exercises == ("a", "b")
    assert found.tries.tolist() == [[3, 2], [1, 2]]
    assert found.passed.tolist() == [[True, True], [True, False]]
    assert found.next_checks.tolist() == [[[1, 0], [0, 1]], [[1, 1], [0, 0]]]
    assert found.next_passes.tolist() == [[[0, 0], [0, 0]], [[1, 1], [0, 0]]]


def test_by_hand() -> None:
    """The figures of a class that can be computed by hand."""
    found = counts(
        {
            "ada": made("a failed x", "a passed"),
            "bob": made("a failed", "a failed", "a passed"),
            "eve": made("a failed x", "a failed x"),
        }
    )
    (line,) = of_exercises(found)
    assert (line.tried, line.passed, line.attempts) == (3, 2, 2.5)
    assert line.tells_apart is None
    after = after_mistakes(found)
    assert after.checks == (2, 2)
    assert after.share == (0.5, 0.5) and after.difference == 0.0


def test_tells_apart() -> None:
    """Where the same students are quick everywhere, the correlation is 1; fewer than enough students have none."""
    several = {f"s{n}": made(*["a failed"] * n, "a passed", *["b failed"] * n, "b passed") for n in range(FEWEST)}
    assert [one.tells_apart for one in of_exercises(counts(several))] == pytest.approx([1.0, 1.0])
    several.popitem()
    assert [one.tells_apart for one in of_exercises(counts(several))] == [None, None]


def test_nothing_to_compare() -> None:
    """Where no exercise has both kinds of mistakes, there is no difference."""
    after = after_mistakes(counts({"ada": made("a failed x", "a passed", "b failed", "b passed")}))
    assert after.difference is None and after.interval is None


@pytest.mark.parametrize("effect", [0.0, 0.15])
def test_what_is_true_comes_out(effect: float) -> None:
    """In a large class of made-up learners the figures are those that their speeds say."""
    n_learners = 1000
    found = counts(simulated(n_learners, effect, seed=0))
    by_name = {one.name: one for one in of_exercises(found)}
    for exercise in EXERCISES:
        true = expected_attempts(exercise, n_learners, effect)
        assert by_name[exercise.name].attempts == pytest.approx(true, rel=0.1)
    apart = {name: one.tells_apart or 0.0 for name, one in by_name.items()}
    assert abs(apart["tells nobody apart"]) < 0.1 < 0.3 < apart["tells apart well"]
    after = after_mistakes(found)
    assert after.difference == pytest.approx(effect, abs=0.04)
    assert after.interval is not None and after.interval[0] <= effect <= after.interval[1]
    plain = after.share[0] - after.share[1]
    assert plain - effect > 0.04  # what a comparison without regard to the exercises would say


def test_interval_holds_the_truth() -> None:
    """Over many classes, the interval holds the true difference about as often as it says."""
    held = []
    for seed in range(60):
        after = after_mistakes(counts(simulated(30, 0.15, seed)))
        assert after.interval is not None
        held.append(after.interval[0] <= 0.15 <= after.interval[1])
    assert np.mean(held) > 0.83


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints a line for each exercise, the difference with its interval, and what this does not say."""
    for name, attempts in simulated(12, 0.15, seed=1).items():
        (tmp_path / name).mkdir()
        begin(tmp_path / name)
        for one in attempts:
            add(tmp_path / name, one)
    assert cli.main(["attempts", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("12 students\n")
    for exercise in EXERCISES:
        assert f"\n{exercise.name}  " in out
    assert "percentage points. In 95 % of classes that are drawn" in out and "of their own will" in out

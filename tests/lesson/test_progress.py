"""Tests of lesson/progress.py and lesson/records.py."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.lesson import workspace_file
from course_attention.lesson.progress import progress, progress_bundle, record
from course_attention.lesson.records import Records


def verdict(name: str, status: str, score: float) -> Verdict:
    """Return a verdict as the judge gives it."""
    return Verdict(name, status, score, CATALOGUE[name].points)


PASSED, HALF = verdict("attention", "passed", 1.0), verdict("attention", "failed", 0.5)
BLANK = verdict("attention", "not_attempted", 0.0)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a workspace, entered in a folder below its top."""
    (tmp_path / ".course_attention").mkdir()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    return tmp_path / ".course_attention"


def test_counts(shown) -> None:
    """What is passed, tried and open is marked in words and signs, and the points are summed."""
    record(verdict("softmax", "passed", 1.0))
    record(HALF)
    progress()
    total = sum(exercise.points for exercise in CATALOGUE.values())
    earned = CATALOGUE["softmax"].points + CATALOGUE["attention"].points / 2
    head = f"Progress: 1 passed, 1 tried, {len(CATALOGUE) - 2} open; {earned:g} of {total:g} points"
    for form in (shown[0].text, shown[0].html):
        assert head in form
        assert "✓ softmax: passed" in form
        assert "~ attention: tried, 2 points" in form
        assert "○ cross_attention: open" in form


def test_best_kept() -> None:
    """A pass stays a pass, and a later failure is said."""
    records = Records()
    for each in (HALF, PASSED, HALF, BLANK):
        records.add(each)
    kept = records.all()["attention"]
    assert (kept.passed, kept.best, kept.last, kept.checks) == (True, 1.0, "failed", 3)
    assert "✓ attention: passed (its last check failed)" in progress_bundle(records.all(), []).text


def test_blank_is_open() -> None:
    """An exercise not attempted is open, not tried: a notebook run as shipped leaves no trace."""
    records = Records()
    records.add(BLANK)
    assert records.all() == {}


def test_nothing_written(tmp_path: Path) -> None:
    """Outside a workspace no file appears."""
    records = Records()
    records.add(PASSED)
    assert records.all()["attention"].passed
    assert list(tmp_path.iterdir()) == []


def test_shared(workspace: Path) -> None:
    """In a workspace another notebook, and a later session, know what was passed."""
    Records().add(PASSED)
    assert Records().all()["attention"].passed
    assert json.loads((workspace / "progress.json").read_text())["attention"]["last"] == "passed"


def test_at_once(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several notebooks that write at the same time none loses a record."""
    # Eight write without a pause, and the disk may be slow.
    monkeypatch.setattr(workspace_file, "SECONDS_TO_WAIT", 120)
    names = list(CATALOGUE)[:4]

    def notebook(name: str) -> list[str]:
        records = Records()  # as each kernel has its own
        for _ in range(20):
            records.add(verdict(name, "failed", 0.5))
        return records.remarks

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(notebook, names + names)) == [[]] * 8
    assert {name: kept.checks for name, kept in Records().all().items()} == dict.fromkeys(names, 40)


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "",
        "[1, 2]",
        '{"attention": 3}',
        '{"attention": {"passed": true}}',
        '{"attention": {"passed": "yes", "best": 1.0, "last": "passed", "checks": 1}}',
        '{"attention": {"passed": true, "best": 7, "last": "passed", "checks": 1}}',
        "\x00\xff",
    ],
)
def test_damaged(damage: str, workspace: Path) -> None:
    """A damaged file is set aside as it is, said once, and progress goes on."""
    (workspace / "progress.json").write_bytes(damage.encode("latin-1"))
    records = Records()
    records.add(PASSED)
    records.add(HALF)
    assert records.all()["attention"].checks == 2
    assert (workspace / "progress.damaged.json").read_bytes() == damage.encode("latin-1")
    assert len(records.remarks) == 1
    assert "progress.damaged.json" in progress_bundle(records.all(), records.remarks).text.replace("\n", " ")


def test_unusable(workspace: Path) -> None:
    """Where the file cannot be written, this session still remembers, and says so once."""
    (workspace / "progress.json").mkdir()
    records = Records()
    records.add(PASSED)
    records.add(HALF)
    assert records.all()["attention"].passed
    assert len(records.remarks) == 1
    assert "this session only" in records.remarks[0]


def test_later_course(workspace: Path) -> None:
    """A record of an exercise that this version does not have is kept, and disturbs nothing."""
    entry = {"passed": True, "best": 1.0, "last": "passed", "checks": 1}
    (workspace / "progress.json").write_text(json.dumps({"of_a_later_course": entry}))
    records = Records()
    records.add(PASSED)
    assert set(json.loads((workspace / "progress.json").read_text())) == {"of_a_later_course", "attention"}
    assert "of_a_later_course" not in progress_bundle(records.all(), []).text

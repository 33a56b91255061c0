"""From an LMS's zip and class list to marks and feedback for the LMS: two files in, one command, no renaming."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.grading.classes import grade_here
from tests.grading.conftest import FIRST, filled, needs_bubblewrap
from tests.grading.roster.lists import CANVAS, GRADESCOPE, WORKSHEET
from tests.grading.roster.test_way_back import by_name, participants, table

METADATA = """\
submission_1:
  :submitters:
  - :name: Jane Doe
    :sid: S1
    :email: jane@example.org
  - :name: Bob Roe
    :sid: S2
    :email: bob@example.org
submission_2:
  :submitters:
  - :name: Ann Lee
    :sid: S3
    :email: ann@example.org
submission_3:
  :submitters:
  - :name: Eve Moe
    :sid: S9
    :email: eve@example.org
"""
# layout → the names of Jane's file, of one that cannot be read, and of one by somebody who is not on the list
NAMES = {
    "canvas": [
        f"doejane_101_9001_{FIRST}.ipynb",
        f"roebob_LATE_102_9002_{FIRST}-1.ipynb",
        f"moeeve_909_9_{FIRST}.ipynb",
    ],
    "moodle": [f"{who}_assignsubmission_file/{FIRST}.ipynb" for who in ("Jane Doe_101", "Bob Roe_102", "Eve Moe_909")],
    "gradescope": [f"assignment_1_export/submission_{number}/{FIRST}.ipynb" for number in (1, 2, 3)],
}
LISTS = {"canvas": CANVAS, "moodle": WORKSHEET, "gradescope": GRADESCOPE}


def graded(lms: str, tmp_path: Path) -> tuple[Path, str]:
    """Give the results of a class that an LMS has handed out, and what the command said."""
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as archive:
        for name, content in zip(
            NAMES[lms], [filled(FIRST), b"%PDF-1.7", filled(FIRST, {"softmax": None})], strict=True
        ):
            archive.writestr(name, content)
        if lms == "gradescope":
            archive.writestr("assignment_1_export/submission_metadata.yml", METADATA)
    (tmp_path / "list.csv").write_text(LISTS[lms])
    out = tmp_path / "results"
    done = grade_here(tmp_path / "submissions.zip", out, "--roster", tmp_path / "list.csv")
    assert done.returncode == 0, done.stderr
    assert "of nobody on the class list: " in done.stdout and "4 students: " in done.stdout
    return out, done.stdout


@needs_bubblewrap
@pytest.mark.usefixtures("in_this_process")
class TestRoundTrip:
    """Each LMS in its own format."""

    def test_canvas(self, tmp_path: Path) -> None:
        """Canvas's assignment has the mark, out of its own points; a grade entered by hand there stays."""
        out, _ = graded("canvas", tmp_path)
        found = by_name(out / "canvas.csv")
        column = f"{FIRST} (7001)"
        assert list(found) == ["Points Possible", "Doe, Jane", "Roe, Bob", "Lee, Ann", "Lee, Cy"]
        assert [row[column] for row in found.values()] == ["8", "8", "", "3.50", "EX"]
        assert zipfile.ZipFile(out / "canvas_feedback.zip").namelist() == [
            f"doejane_101_9001_{FIRST}.html",
            f"moeeve_909_9_{FIRST}.html",
            f"roebob_LATE_102_9002_{FIRST}.html",
        ]

    def test_moodle(self, tmp_path: Path) -> None:
        """The worksheet has the mark and is else as it came; the feedback is in folders with participants' numbers."""
        out, _ = graded("moodle", tmp_path)
        assert [row[4] for row in table(out / "moodle_worksheet.csv")] == ["Grade", "100", "", "55.00", ""]
        names = zipfile.ZipFile(out / "moodle_feedback.zip").namelist()
        page = ("assignsubmission", "file", f"{FIRST}.html")
        assert participants(names) == [("102", *page), ("101", *page)]

    def test_gradescope(self, tmp_path: Path) -> None:
        """What a group handed in counts for each of them; marks go to an LMS by the IDs of the roster."""
        out, _ = graded("gradescope", tmp_path)
        statuses = {row["name"]: row["status"] for row in by_name(out / "grades.csv").values() if row["name"]}
        assert statuses == dict.fromkeys(["Jane Doe", "Bob Roe", "Ann Lee"], "handed in") | {"Cy Lee": "absent"}
        marks = {name: row[FIRST] for name, row in by_name(out / "canvas.csv").items()}
        assert marks["Jane Doe"] == marks["Bob Roe"] != "" and marks["Ann Lee"] == marks["Cy Lee"] == ""

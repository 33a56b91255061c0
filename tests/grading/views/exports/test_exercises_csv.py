"""The long form has a row for each exercise, and is written whole or not at all."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from course_attention.grading.views.exports.exercises_csv import HEADER, rows
from course_attention.grading.views.exports.spreadsheet import for_excel, written_for_excel
from tests.grading.views.made import NOTEBOOK, exercise, record, write


def test_rows(tmp_path: Path) -> None:
    """Points earned and available; what could not be read has no rows."""
    failed = exercise("mean_attention", "failed", 0.25, misconception="mean-with-softmax")
    ada, grace = write(tmp_path, record("ada", [exercise(), failed], assignment="hw1"), record("grace"))
    found = list(csv.DictReader((HEADER + rows(ada)).splitlines()))
    assert [tuple(row.values()) for row in found] == [
        ("ada", "hw1", NOTEBOOK, "attention", "passed", "4", "4", ""),
        ("ada", "hw1", NOTEBOOK, "mean_attention", "failed", "1", "4", "mean-with-softmax"),
    ]
    assert rows(grace) == ""


def cut_off(path: Path) -> None:
    with written_for_excel(path) as file:
        file.write("half")
        raise OSError("power cut")


def test_written_whole(tmp_path: Path) -> None:
    """Cut off half-way, the old file is still there, and no other; each begins as Excel needs it."""
    path = tmp_path / "table.csv"
    for text in ("old", "new"):
        with written_for_excel(path) as file:
            file.write(text)
        assert path.read_text(encoding="utf-8") == for_excel(text) != text
    with pytest.raises(OSError, match="power cut"):
        cut_off(path)
    assert path.read_text(encoding="utf-8-sig") == "new" and list(tmp_path.iterdir()) == [path]

"""`course.toml`: what it says is read, and what it may not say is refused with the rule."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from course_attention.active_course import CourseError
from course_attention.active_course.settings import read_settings, settings_from


def test_everything() -> None:
    """Each key is read; what other parts of the grader read is handed on as it is."""
    settings = settings_from(
        tomllib.loads(
            """
            title = "Attention for linguists"
            contact = "ada@example.org"
            notebooks = ["00_start_here", "01_mine.ipynb"]
            leave_out = ["gaussian_scores"]
            partial_credit = false
            defend = true
            late = { after = "2026-03-01", per_day = 0.1 }
            [points]
            attention = 4.5
            [drop]
            lowest = 1
            """
        )
    )
    assert settings.title == "Attention for linguists" and settings.contact == "ada@example.org"
    assert settings.notebooks == ("00_start_here", "01_mine")
    assert settings.leave_out == ("gaussian_scores",) and settings.points == {"attention": 4.5}
    assert settings.partial_credit is False and settings.defend is True
    assert settings.table("late") == {"after": "2026-03-01", "per_day": 0.1}
    assert settings.table("drop") == {"lowest": 1}


def test_nothing() -> None:
    """An empty file is the package's own course as it is."""
    settings = settings_from({})
    assert settings.notebooks is None and settings.partial_credit is True
    assert settings.defend is False
    assert settings.table("late") == {} == settings.points


@pytest.mark.parametrize(
    ("text", "key", "expected", "came"),
    [
        ("colour = 1", "keys are", "title", "'colour'"),
        ("[grades]\na = 1", "keys are", "late", "'grades'"),
        ("title = 3", "title", "a text", "3"),
        ('notebooks = "00"', "notebooks", "a list of names", "'00'"),
        ("leave_out = [1]", "leave_out", "a list of names", "[1]"),
        ('leave_out = ["a", "a"]', "leave_out", "once", "'a'"),
        ("partial_credit = 1", "partial_credit", "true or false", "1"),
        ("defend = 3", "defend", "true or false", "3"),
        ("points = 2", "points", "a table", "2"),
        ("late = 2", "late", "a table", "2"),
        ("[points]\nattention = 0", "points.attention", "above 0", "0"),
        ("[points]\nattention = true", "points.attention", "above 0", "True"),
        ("[points]\nattention = nan", "points.attention", "above 0", "nan"),
        ("title = \n", "TOML", "line 1", "course.toml"),
    ],
)
def test_refused(text: str, key: str, expected: str, came: str, tmp_path: Path) -> None:
    """An error names the file and the key, and says what is expected and what came."""
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError) as error:
        read_settings(tmp_path)
    said = str(error.value)
    assert key in said and expected in said and came in said and str(tmp_path) in said


def test_no_file(tmp_path: Path) -> None:
    """A folder without settings is no course; the error says how to begin one."""
    with pytest.raises(CourseError, match="new-course"):
        read_settings(tmp_path)

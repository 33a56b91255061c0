"""What the settings of a course say stands on the pages: its title, and whom students ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.active_course import Settings, active
from course_attention.grading.views import write_all
from tests.grading.views.made import NOTEBOOK, Outline, exercise, record, write


@pytest.fixture(autouse=True)
def _ours_again() -> Iterator[None]:
    yield
    active.cache_clear()


def pages(results: Path) -> list[str]:
    """Give the texts of a student's feedback and of the report."""
    write(results, record("ada", [exercise()]), record("bob"))
    write_all(results)
    paths = [
        results / "feedback" / "ada" / f"{NOTEBOOK}.html",
        results / "feedback" / "bob" / f"{NOTEBOOK}.html",
        results / "report.html",
    ]
    return [Outline(path.read_text(encoding="utf-8")).text for path in paths]


def test_course_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Title on each page; the contact is for students. Both are texts, whatever stands in them."""
    settings = 'title = "Attention <b>for</b> linguists"\ncontact = "Ada, <ada@example.org>"'
    (tmp_path / "course.toml").write_text(settings)
    monkeypatch.setenv("COURSE_ATTENTION_COURSE", str(tmp_path))
    active.cache_clear()
    graded, malformed, report = pages(tmp_path)
    for page in (graded, malformed):
        assert "Attention <b>for</b> linguists" in page
        assert "Questions about this page go to Ada, <ada@example.org>." in page
    assert report.startswith("Report on the class: Attention <b>for</b> linguists")
    assert "Questions about" not in report


def test_our_course(tmp_path: Path) -> None:
    """Nobody is named where the course names nobody."""
    for page in pages(tmp_path):
        assert Settings().title in page and "Questions about" not in page

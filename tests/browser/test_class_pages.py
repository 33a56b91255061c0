"""The report and the feedback, as a browser shows and prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.exercises import CATALOGUE
from course_attention.grading.views.exports.grades import Grades
from course_attention.grading.views.pages import feedback, report
from course_attention.grading.views.results import StoredResult, whole
from course_attention.grading.views.statistics.class_statistics import ClassStatistics
from tests.browser.contrast import READABLE, contrasts_in
from tests.grading.views.made import details, exercise, record

STUDENTS = 200
PAPER = {"width": 695, "height": 1016}  # A4 without the margins of the style sheet, in CSS pixels
FEW = 10  # pages
CODE = "def {name}(query, key, value, allowed=None):\n    # {student}\n" + "".join(
    f"    scores_{n} = query @ key.transpose(-2, -1) / {n}.0  if allowed is None else 'a text'\n" for n in range(1, 31)
)


def _wordiest() -> list[tuple[str, str]]:
    """Return an exercise for each of the ten misconceptions with the longest explanations."""
    words = {name: (one, text) for one in CATALOGUE for name, text in CATALOGUE[one].exercise.words.items()}
    ranked = sorted(words, key=lambda name: -len("".join(words[name][1])))
    return [(words[name][0], name) for name in ranked[:10]]


def _wrong(student: str, name: str, misconception: str | None) -> dict:
    inputs = {one: [[0.25] * 6] * 4 for one in ("query", "key", "value", "weight")}
    said = details(inputs=inputs, expected=[[0.5] * 6] * 4, received=[[1.5] * 6] * 4, where=[0, 0])
    said["credit"] = [["values", 6.0, 0.0], ["mask", 3.0, 0.5]]
    code = CODE.format(name=name, student=student)
    return exercise(name, "failed", 0.25, misconception=misconception, details=said, code=code)


def _class() -> Iterator[dict]:
    """Yield a class in which everything that a page shows is long."""
    asked = [name for name in CATALOGUE if name not in dict(_wordiest())]
    notes = ["attention: an odd thing to be noted"] * 3
    for n in range(STUDENTS):
        student = f"{n:03} Nomen-Nescio Wolfeschlegelsteinhausenbergerdorff {n}"
        own = [exercise(name, code="x = 1") for name in asked]
        if n % 8 == 0:
            own += [_wrong(student, name, idea) for name, idea in _wordiest()[n % 3 :]]
            own += [_wrong(student, "attention", None)]
        yield whole(record(student, own, notes=notes, max_score=400.0))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of such a class, and the feedback of its first student."""
    folder = tmp_path_factory.mktemp("class")
    grades, statistics = Grades(), ClassStatistics()
    for n, one in enumerate(_class()):
        own = [StoredResult(one["student"], one["notebook"], one)]
        grades.add(own)
        statistics.add(own)
        if n == 0:
            (folder / "feedback.html").write_text(feedback.page(one), encoding="utf-8")
    (folder / "report.html").write_text(report.page(grades, statistics), encoding="utf-8")
    return folder


def test_monday_is_one_page(pages: Path, page: object) -> None:
    """All five misconceptions stand on the first printed page, however long what is said of them."""
    page.goto((pages / "report.html").as_uri())
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    box = page.locator("#monday").bounding_box()
    assert box["y"] + box["height"] <= PAPER["height"]
    texts = page.locator("#monday article > p")
    # For each: its share of the class, why it is wrong, the names, what was seen with it.
    assert page.locator("#monday article").count() == 5 and texts.count() == 20
    for text in texts.all():
        inside = text.bounding_box()
        assert inside["height"] > 8 and inside["y"] + inside["height"] <= box["y"] + box["height"] + 1
    for shown in page.locator("#monday pre").all():
        visible = shown.evaluate(
            "pre => pre.closest('.evidence').getBoundingClientRect().bottom - pre.getBoundingClientRect().top"
        )
        assert visible > 40  # four lines at least


def test_a_large_class_is_a_few_pages(pages: Path, page: object) -> None:
    """What is long is folded on the screen and not printed; it is there when it is opened."""
    page.goto((pages / "report.html").as_uri())
    assert page.get_by_text("199 Nomen-Nescio").first.is_hidden()
    page.locator("#students summary").click()
    assert page.locator("#students tbody tr").count() == STUDENTS
    assert page.get_by_text("199 Nomen-Nescio").last.is_visible()
    page.reload()
    printed = page.pdf(prefer_css_page_size=True)
    assert 1 < len(re.findall(rb"/Type\s*/Page\b", printed)) <= FEW


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["report", "feedback"])
def test_contrast(view: str, scheme: str, pages: Path, page: object) -> None:
    """Every text, codes and what is folded included, has a contrast of 4.5 on a light and on a dark page."""
    page.emulate_media(color_scheme=scheme)
    page.goto((pages / f"{view}.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") is (scheme == "light")
    contrasts = contrasts_in(page, "main")
    assert len(contrasts) > 100
    assert [entry for entry in contrasts if entry[1] < READABLE] == []


def test_one_click_marks_the_lines(pages: Path, page: object) -> None:
    """The lines that start a misconception are marked as a whole, ready to be copied."""
    page.goto((pages / "report.html").as_uri())
    page.locator("#unnamed summary").first.click()
    lines = page.locator("#unnamed .start").first
    lines.click()
    assert page.evaluate("getSelection().toString()").strip() == lines.inner_text().strip()

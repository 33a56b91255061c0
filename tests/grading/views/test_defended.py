"""Answers that were defended: read from a notebook's outputs, shown where the course asks, and part of no points."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.active_course import active
from course_attention.course.cells import course_notebook
from course_attention.course.defended import KEPT, defended_in, kept
from course_attention.course.workspace import course_notebooks
from course_attention.grading.reading.limited import read_limited
from course_attention.grading.reading.submitted_notebook import read_submission
from course_attention.grading.views import write_all
from course_attention.grading.views.gradebook.marks import marks
from tests.grading.views.made import NOTEBOOK, Outline, exercise, record, write

TWO_OF_TWO = [exercise(), exercise("mean_attention"), exercise("score_variance"), exercise("bilinear_scores", "failed")]


@pytest.fixture(autouse=True)
def _ours_again() -> Iterator[None]:
    yield
    active.cache_clear()


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a course that asks for it the active one."""
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "course.toml").write_text("defend = true")
    monkeypatch.setenv("COURSE_ATTENTION_COURSE", str(folder))
    active.cache_clear()


def handed_in(output: object) -> bytes:
    """Return notebook 02 as handed in, with this output at its last cell of code."""
    path = next(path for path in course_notebooks() if path.stem == NOTEBOOK)
    notebook = json.loads(path.read_bytes())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    code[-1]["outputs"] = output
    return json.dumps(notebook).encode()


def test_read_from_outputs() -> None:
    """What `defend` wrote is read, in the order of the notebook; what is no exercise of it is left out."""
    output = [{"output_type": "display_data", "data": kept(["mean_attention", "attention", "softmax", "nonsense"])}]
    notebook = course_notebook(NOTEBOOK)
    assert read_submission(handed_in(output), notebook).defended == ("attention", "mean_attention")
    assert read_limited(handed_in(output), NOTEBOOK).defended == ("attention", "mean_attention")


@pytest.mark.parametrize(
    "output",
    [
        None,
        "text",
        [None, 3, {"data": []}, {"data": {KEPT: 3}}],
        [{"data": {KEPT: {"defended": "attention"}}}],
        [{"data": {KEPT: {"defended": [["attention"], {}, 1]}}}],
    ],
)
def test_outputs_that_hold_anything(output: object) -> None:
    """Whatever a student puts there, nothing is raised and nothing is read."""
    assert defended_in(output) == ()
    assert read_submission(handed_in(output), course_notebook(NOTEBOOK)).defended == ()


def test_many_names() -> None:
    """A list without end is cut."""
    assert len(defended_in([{"data": kept([str(n) for n in range(10_000)])}])) == 200


def grades(results: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO((results / "grades.csv").read_text(encoding="utf-8-sig"), newline="")))


@pytest.mark.usefixtures("asking")
def test_shown_where_the_course_asks(tmp_path: Path) -> None:
    """Beside the points stand how many of how many: of those that passed and can be defended."""
    write(tmp_path, record("ada", TWO_OF_TWO, defended=["attention", "bilinear_scores"]), record("bob"))
    write_all(tmp_path)
    header, ada, bob = grades(tmp_path)
    assert header == ["student", NOTEBOOK, f"{NOTEBOOK} defended", "total", "max"]
    assert ada == ["ada", "12", "1 of 2", "12", "8"]
    assert bob[2] == ""
    page = Outline((tmp_path / "feedback/ada" / f"{NOTEBOOK}.html").read_text(encoding="utf-8")).text
    assert "Defended, as your notebook says: 1 of 2 of the answers that passed. This earns no points." in page


@pytest.mark.usefixtures("asking")
def test_comments_of_the_gradebook() -> None:
    """Each answer that passed and can be defended says so in nbgrader's comment; its score stays."""
    scores, messages = marks(record("ada", TWO_OF_TWO, defended=["attention"]) | {"student_notes": []})
    assert messages["attention"].endswith("Defended: three changes in a row.")
    assert messages["mean_attention"].endswith("Not defended yet (`defend`).")
    assert "efended" not in messages["score_variance"] + messages["bilinear_scores"]
    assert scores["check-attention"] == scores["check-mean_attention"] == 1.0


def test_silent_elsewhere(tmp_path: Path) -> None:
    """A course that does not ask shows nothing of it."""
    write(tmp_path, record("ada", TWO_OF_TWO, defended=["attention"]))
    write_all(tmp_path)
    assert grades(tmp_path)[0] == ["student", NOTEBOOK, "total", "max"]
    assert "efended" not in (tmp_path / "feedback/ada" / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
    assert "efended" not in "".join(marks(record("ada", TWO_OF_TWO, defended=["attention"]))[1].values())

"""Notebook 02 as a student meets it: run all, a slider, a wrong answer, its name, the right answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course_attention.course.helper_source import own_source
from course_attention.course.workspace import course_notebooks, prepare
from tests.browser.notebook_page import NotebookPage, cut_below
from tests.browser.test_explorers import changes_the_picture, next_step
from tests.browser.test_lesson import WRONG

NOTEBOOK = "02_queries_keys_values.ipynb"


# Every day, test_first_notebook.py answers in notebook 00, test_lesson.py moves a slider and sees the misconception
# named, and nbval runs this notebook.
@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.timeout(800)
def test_wrong_then_right(workspace: Path, lab: str, page: object, artifacts: Path) -> None:
    """The notebook runs, as far as its explorer; attention without √d_key is named; the course's own passes."""
    prepare(workspace, course_notebooks())
    cut_below(workspace / NOTEBOOK, "move_query")
    notebook = NotebookPage(page, lab, workspace / NOTEBOOK)

    notebook.run_all(seconds=500)
    assert notebook.errors() == []
    assert "not attempted" in notebook.output("check-attention").inner_text()
    explorer = notebook.notebook.locator(".widget-vbox", has=notebook.page.locator(".widget-slider"))
    changes_the_picture(explorer.first, next_step)

    notebook.type("attention", WRONG)
    notebook.run("attention")
    notebook.run("check-attention")
    card = notebook.output("check-attention")
    assert "not right yet" in card.inner_text()
    assert "no-scale" in card.inner_text()
    card.screenshot(path=artifacts / "02-wrong.png")

    notebook.type("attention", own_source("attention"))
    notebook.run("attention")
    notebook.run("check-attention")
    assert "passed" in card.inner_text()
    assert "no-scale" not in card.inner_text()
    card.screenshot(path=artifacts / "02-right.png")

    assert notebook.errors() == []
    kept = json.loads((workspace / ".course_attention/progress.json").read_text())["attention"]
    assert (kept["passed"], kept["last"]) == (True, "passed")

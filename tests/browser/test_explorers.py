"""The notebooks with explorers run in JupyterLab as far as these, and their widgets change the picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from course_attention.course.workspace import course_notebooks, prepare
from tests.browser.notebook_page import NotebookPage, cut_below


def changes_the_picture(widget: Locator, change: Callable[[Locator], None]) -> None:
    """Another picture stands there after the change."""
    picture = widget.get_by_role("img", name=re.compile("[a-z]"))
    before = picture.get_attribute("src")
    change(widget)
    expect(picture).not_to_have_attribute("src", before, timeout=20_000)


def _next_word(widget: Locator) -> None:
    field = widget.locator("input[type=text]").first
    field.fill("tom and tim ran")
    field.press("Enter")


def next_step(widget: Locator) -> None:
    """Return the next value of the first slider, which stands behind a field with a name."""
    expect(widget.get_by_role("spinbutton", name=re.compile(r"[a-z]")).first).to_be_visible()
    handle = widget.locator(".noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")


@pytest.mark.slow
@pytest.mark.timeout(800)
@pytest.mark.parametrize(
    ("name", "explorer", "change"),
    [
        pytest.param("04_multi_head_attention", "type_a_sentence", _next_word, marks=pytest.mark.exhaustive),
        pytest.param("05_masking", "build_mask", next_step, marks=pytest.mark.exhaustive),
        pytest.param("06_positional_encoding", "turn_positions", next_step, marks=pytest.mark.exhaustive),
    ],
)
def test_explorer(name: str, explorer: str, change, workspace: Path, lab: str, page, artifacts: Path) -> None:
    """Run all raises nothing; a slider moved, or a sentence typed, gives another picture."""
    prepare(workspace, course_notebooks())
    cut_below(workspace / f"{name}.ipynb", explorer)
    notebook = NotebookPage(page, lab, workspace / f"{name}.ipynb")
    notebook.run_all(seconds=500)
    assert notebook.errors() == []

    # Predictions are widgets too; the explorer is the one with a picture.
    widget = notebook.notebook.locator(".widget-vbox").filter(has=page.locator("img")).first
    changes_the_picture(widget, change)
    widget.screenshot(path=artifacts / f"{name[:2]}-explorer.png")

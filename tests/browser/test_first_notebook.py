"""Notebook 00 as a student meets it: run all, a wrong answer, the right one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from course_attention.course.workspace import course_notebooks, prepare
from tests.browser.notebook_page import NotebookPage

RIGHT = """def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)"""


@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.timeout(800)
def test_first_notebook(workspace: Path, lab: str, page, artifacts: Path) -> None:
    """A copy shows no result before it runs. A wrong answer leaves no file; a right one stands in my_attention.py."""
    prepare(workspace, course_notebooks()[:1])
    notebook = NotebookPage(page, lab, workspace / "00_start_here.ipynb")
    expect(notebook.notebook.locator(".jp-OutputArea-child")).to_have_count(0)
    notebook.run_all(seconds=240)
    assert notebook.errors() == []
    images = notebook.notebook.locator(".jp-OutputArea img")
    expect(images).to_have_count(2)
    assert all(image.get_attribute("alt") for image in images.all())
    module = workspace / "my_attention.py"
    for answer, said, written in (
        (RIGHT.replace("np.max", "np.min"), "Does not hold", False),
        (RIGHT, f"now stands in {module.name}", True),
    ):
        notebook.type("softmax", answer)
        notebook.run("softmax")
        notebook.run("check-softmax")
        expect(notebook.output("check-softmax")).to_contain_text(said, timeout=20_000)
        assert module.exists() is written
    assert RIGHT in module.read_text()
    kept = json.loads((workspace / ".course_attention/progress.json").read_text())["softmax"]
    assert (kept["passed"], kept["last"]) == (True, "passed")
    notebook.notebook.screenshot(path=artifacts / "first_notebook.png")

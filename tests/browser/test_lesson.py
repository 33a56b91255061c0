"""What a lesson asks and shows, in JupyterLab: a prediction by keyboard, and a figure with its description."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from course_attention.course.workspace import course_notebooks, prepare
from tests.browser.notebook_page import NotebookPage
from tools.notebooks import METADATA

CELLS = {
    "imports": "import matplotlib.pyplot as plt\nfrom course_attention.lesson import predict, progress, show",
    "choice": 'guess = predict("Which grows faster?", ["the projections", "the scores"])',
    "number": 'count = predict("How many weights?")',
    "result": 'guess.compare("the scores")\ncount.compare(98304)',
    "figure": 'figure, ax = plt.subplots()\nshow(figure, alt="An empty <pair> of \\"axes\\".")',
    "progress": "progress()",
}


@pytest.fixture
def notebook(workspace: Path, lab: str, page) -> NotebookPage:
    """A notebook with these cells, run from top to bottom, its predictions still open."""
    path = workspace / "lesson.ipynb"
    cells = [
        nbformat.v4.new_code_cell(source, metadata={"nbgrader": {"grade_id": name}})
        for name, source in CELLS.items()
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), path)
    opened = NotebookPage(page, lab, path)
    opened.run_all(seconds=60)
    assert opened.errors() == []
    return opened


@pytest.mark.slow
@pytest.mark.timeout(200)
def test_predict_by_keyboard(notebook: NotebookPage, page) -> None:
    """Tab and space choose, digits fill the field; the result then stands beside the prediction, and is counted."""
    expect(notebook.output("result")).to_contain_text("You made no prediction. The experiment gave 98,304.")
    choice, number = notebook.output("choice"), notebook.output("number")
    choice.get_by_role("radio").first.focus()
    page.keyboard.press("Tab")  # JupyterLab keeps the arrows for moving from cell to cell
    page.keyboard.press("Space")
    expect(choice.get_by_role("status")).to_have_text("Your prediction: the scores")
    number.get_by_role("textbox").focus()
    page.keyboard.type("many")
    expect(number.get_by_role("status")).to_contain_text("Write a number")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("98,000")
    expect(number.get_by_role("status")).to_have_text("Your prediction: 98,000")
    notebook.run("result")
    expect(notebook.output("result")).to_contain_text(
        "You predicted “the scores”. The experiment gave “the scores”."
    )
    expect(notebook.output("result")).to_contain_text("You predicted 98,000. The experiment gave 98,304.")
    notebook.run("progress")
    expect(notebook.output("progress")).to_contain_text("2 of 2")


@pytest.mark.slow
@pytest.mark.timeout(200)
def test_figure_has_alt_text(notebook: NotebookPage) -> None:
    """The image in the page has the description as its alt text, and is drawn once."""
    images = notebook.output("figure").locator("img")
    expect(images).to_have_count(1)
    expect(images).to_have_attribute("alt", 'An empty <pair> of "axes".')


RIGHT = """def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)"""


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_first_notebook(workspace: Path, lab: str, page, artifacts: Path) -> None:
    """A copy shows no result before it runs. A wrong answer leaves no file; a right one stands in my_attention.py."""
    prepare(workspace, course_notebooks()[:1])
    notebook = NotebookPage(page, lab, workspace / "00_start_here.ipynb")
    expect(notebook.notebook.locator(".jp-OutputArea-child")).to_have_count(0)
    notebook.run_all(seconds=120)
    assert notebook.errors() == []
    images = notebook.notebook.locator(".jp-OutputArea img")
    assert images.count() == 2
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
    notebook.notebook.screenshot(path=artifacts / "first_notebook.png")

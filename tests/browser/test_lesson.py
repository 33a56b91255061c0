"""What a lesson asks and shows, in JupyterLab: predictions, a figure, cards and an explorer."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.browser.contrast import READABLE, contrasts_in
from tests.browser.notebook_page import NotebookPage
from tests.browser.test_explorers import changes_the_picture, next_step
from tools.notebooks import METADATA

WRONG = """\
def attention(query, key, value, allowed=None):
    scores = query @ key.mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    weights = scores.softmax(dim=-1).nan_to_num(0.0)
    return weights @ value, weights
"""
CELLS = {
    "imports": "import matplotlib.pyplot as plt\nimport torch\n"
    "from course_attention.lesson import check, defend, explore_attention, hint, points, predict, progress, show",
    "choice": 'guess = predict("Which grows faster?", ["the projections", "the scores"])',
    "number": 'count = predict("How many weights?")',
    "result": 'guess.compare("the scores")\ncount.compare(98304)',
    "figure": 'figure, ax = plt.subplots()\nshow(figure, alt="An empty <pair> of \\"axes\\".")',
    "attention": WRONG,
    "check-attention": 'attention = check(attention)\npoints("attention")',
    "explorer": "explore_attention.move_query(attention)",
    "hint": 'hint("attention")',
    "defend": 'question = defend("softmax")',
    "progress": "progress()",
}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(800)]


@pytest.fixture(scope="module")
def notebook(workspace: Path, lab: str, shared_page: Page) -> NotebookPage:
    """Return a notebook with these cells, run from top to bottom, its predictions still open."""
    path = workspace / "lesson.ipynb"
    cells = []
    for name, source in CELLS.items():
        about = {"grade_id": name}
        if name.endswith("attention"):
            about |= {"schema_version": 3, "solution": name == "attention", "grade": name != "attention"}
        cells.append(nbformat.v4.new_code_cell(source, metadata={"nbgrader": about}))
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), path)
    opened = NotebookPage(shared_page, lab, path)
    opened.run_all(seconds=240)
    assert opened.errors() == []
    return opened


def test_predict_by_keyboard(notebook: NotebookPage) -> None:
    """Tab and space choose, digits fill the field; the result then stands beside the prediction, and is counted."""
    expect(notebook.output("result")).to_contain_text("You made no prediction. The experiment gave 98,304.")
    choice, number = notebook.output("choice"), notebook.output("number")
    keyboard = notebook.page.keyboard
    choice.get_by_role("radio").first.focus()
    keyboard.press("Tab")  # JupyterLab keeps the arrows for moving from cell to cell
    keyboard.press("Space")
    expect(choice.get_by_role("status")).to_have_text("Your prediction: the scores")
    number.get_by_role("textbox").focus()
    keyboard.type("many")
    expect(number.get_by_role("status")).to_contain_text("Write a number")
    keyboard.press("ControlOrMeta+a")
    keyboard.type("98,000")
    expect(number.get_by_role("status")).to_have_text("Your prediction: 98,000")
    notebook.run("result")
    expect(notebook.output("result")).to_contain_text("You predicted “the scores”. The experiment gave “the scores”.")
    expect(notebook.output("result")).to_contain_text("You predicted 98,000. The experiment gave 98,304.")
    notebook.run("progress")
    expect(notebook.output("progress")).to_contain_text("2 of 2")


def test_defend_by_keyboard(notebook: NotebookPage) -> None:
    """Tab and space choose, Enter answers, and once more Enter brings the next question; each is read out."""
    output = notebook.output("defend")
    expect(output).to_contain_text("Defend the course’s softmax: what does this change break?")
    radios, status, button = output.get_by_role("radio"), output.get_by_role("status"), output.get_by_role("button")
    expect(radios).to_have_count(5)
    keyboard = notebook.page.keyboard
    button.focus()
    keyboard.press("Enter")
    expect(status).to_have_text("Choose one of them first.")
    radios.first.focus()
    keyboard.press("Tab")
    keyboard.press("Space")
    button.focus()
    keyboard.press("Enter")
    expect(status).to_contain_text("More is above.", timeout=60_000)
    expect(status).to_have_text(re.compile("^(Right: |You said )"))
    expect(output).to_contain_text("The judge")
    expect(button).to_have_text("Next question")
    button.focus()
    keyboard.press("Enter")
    expect(status).to_have_text("The next question is above.", timeout=120_000)  # the judge decides it at three seeds
    expect(output.locator("details")).to_have_count(1)


def test_figure_has_alt_text(notebook: NotebookPage) -> None:
    """The image in the page has the description as its alt text, and is drawn once."""
    images = notebook.output("figure").locator("img")
    expect(images).to_have_count(1)
    expect(images).to_have_attribute("alt", 'An empty <pair> of "axes".')


def test_explorer(notebook: NotebookPage, artifacts: Path) -> None:
    """A slider that is moved gives another picture."""
    sliders = notebook.page.locator(".widget-slider")
    widget = notebook.output("explorer").locator(".widget-vbox", has=sliders).first
    changes_the_picture(widget, next_step)
    widget.screenshot(path=artifacts / "explorer.png")


@pytest.mark.parametrize("theme", ["Dark", "Light"])  # light, as it was, for what is shown next
def test_contrast_of_cards(theme: str, notebook: NotebookPage, artifacts: Path) -> None:
    """Every text of the cards has a contrast of 4.5 or more in both themes."""
    notebook.choose_theme(theme)
    assert "no-scale" in notebook.output("check-attention").inner_text()
    for grade_id in ("check-attention", "hint"):
        notebook.output(grade_id).screenshot(path=artifacts / f"card-{theme.lower()}-{grade_id}.png")
    contrasts = contrasts_in(notebook.page, ".ca-card")
    assert len(contrasts) > 30
    assert [entry for entry in contrasts if entry[1] < READABLE] == []

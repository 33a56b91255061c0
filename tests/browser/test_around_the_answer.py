"""Whatever happens to an answer's cell in JupyterLab, its check shows a card that says what, and no traceback."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.notebook_page import NotebookPage
from tools.notebooks import canonical

STUB = '''\
def softmax(scores, axis=-1):
    """Softmax along an axis."""
    raise NotImplementedError'''
RIGHT = """\
def softmax(scores, axis=-1):
    print("largest", scores.max())
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)"""
ENDLESS = """\
def softmax(scores, axis=-1):
    total = 0
    while total < 1:
        total = total * 2
    return scores / total"""


@pytest.fixture(scope="module")
def notebook(workspace: Path, lab: str, shared_page) -> NotebookPage:
    """Return a notebook with imports, an answer cell and its check, as the course has it; each test types an answer."""
    about = {"schema_version": 3, "task": False}
    answer = about | {"grade_id": "softmax", "solution": True, "grade": False, "locked": False}
    check = about | {
        "grade_id": "check-softmax",
        "solution": False,
        "grade": True,
        "locked": True,
        "points": 2,
    }
    imports = about | {"grade_id": "imports", "solution": False, "grade": False, "locked": True}
    cells = [
        # The first card of a long check comes after 3 seconds in place of 20.
        (
            "import numpy as np\nimport sys\nimport course_attention.lesson\n"
            'sys.modules["course_attention.lesson.watch"].SECONDS = 3.0',
            imports,
        ),
        (STUB, answer),
        ("", check),
    ]
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source, metadata={"nbgrader": entry}) for source, entry in cells]
    )
    path = workspace / "around.ipynb"
    nbformat.write(nbformat.from_dict(canonical(made)), path)
    return NotebookPage(shared_page, lab, path)


def card(notebook: NotebookPage) -> str:
    """Return the text of the one card under the check, which shows nothing else."""
    output = notebook.output("check-softmax")
    expect(output.locator(".ca-card")).to_have_count(1)
    text = output.locator(".ca-card").inner_text()
    below = output.inner_text().replace(text, "")
    assert "Error" not in below
    assert not any(character.isdigit() for character in below.split("]:")[-1]), below
    return text


def checked(notebook: NotebookPage, answer: str) -> str:
    """Return the card after an answer was typed, run and checked."""
    notebook.type("softmax", answer)
    notebook.run("softmax")
    notebook.run("check-softmax")
    return card(notebook)


# This test comes first: it begins with a notebook of which nothing has run.
@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.timeout(800)
def test_cells_that_fail(notebook: NotebookPage, artifacts: Path) -> None:
    """Nothing run, wrong syntax, a misspelt name, a leftover stub, and the course's own: each has its card."""
    shot = notebook.output("check-softmax")
    notebook.run("check-softmax")
    assert "There is no softmax yet: run the cells above first" in card(notebook)
    notebook.run("imports")

    said = checked(notebook, RIGHT.replace("np.exp(", "np.exp(("))
    assert "The cell of softmax stopped with a SyntaxError in line 3: '(' was never closed" in said
    shot.screenshot(path=artifacts / "around-syntax-error.png")

    said = checked(notebook, RIGHT.replace("softmax", "sofmax"))
    assert "You defined sofmax; the exercise asks for softmax" in said

    said = checked(notebook, RIGHT.replace("    return", "    raise NotImplementedError\n    return"))
    assert "Take out raise NotImplementedError: there is code above it" in said
    shot.screenshot(path=artifacts / "around-leftover.png")

    said = checked(notebook, "limit = 1 / 0\n" + RIGHT)
    assert "The cell of softmax stopped with a ZeroDivisionError in line 1" in said

    said = checked(notebook, RIGHT.replace("np.exp", "numpy.exp"))
    assert "No cell that has run defines numpy" in said
    notebook.run("check-softmax")
    assert "This is the course's own softmax, which the last check lent you" in card(notebook)

    assert "2 of 2 points" in checked(notebook, RIGHT)
    printed = shot.locator("details")
    assert "largest" not in shot.inner_text()
    printed.locator("summary").click()
    assert "largest" in printed.inner_text()
    shot.screenshot(path=artifacts / "around-prints.png")


@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.timeout(800)
def test_endless_loop(notebook: NotebookPage, artifacts: Path) -> None:
    """While a loop runs, a card says where; stopped, the check ends in a card, and the next answer is checked."""
    notebook.run("imports")
    notebook.type("softmax", ENDLESS)
    notebook.run("softmax")
    notebook.start("check-softmax")
    shown = notebook.output("check-softmax").locator(".ca-card")
    after = re.compile(r"softmax is still running at while total < 1:, after (\d+) seconds")
    expect(shown).to_contain_text(after)
    first = after.search(" ".join(shown.inner_text().split()))[0]
    expect(shown).not_to_contain_text(first)
    expect(shown).to_contain_text(after)
    notebook.output("check-softmax").screenshot(path=artifacts / "around-running.png")
    notebook.interrupt()
    expect(shown).to_contain_text("You stopped softmax at while total < 1:")
    assert "■" in card(notebook)
    notebook.output("check-softmax").screenshot(path=artifacts / "around-stopped.png")
    assert "2 of 2 points" in checked(notebook, RIGHT)


# This test comes last: it leaves a further cell.
@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.timeout(800)
def test_split_cell(notebook: NotebookPage, artifacts: Path) -> None:
    """An answer whose cell was split in two: Run All comes to the check, which says so."""
    notebook.type("softmax", RIGHT)
    keyboard = notebook.page.keyboard
    keyboard.press("ArrowUp")
    keyboard.press("End")
    notebook.split("softmax")
    notebook.run_all(seconds=240)
    assert "A cell below your softmax stopped with a SyntaxError in line 1: 'return' outside function" in card(notebook)
    notebook.output("check-softmax").screenshot(path=artifacts / "around-split.png")

"""The card of a verdict, read in JupyterLab's light and dark themes."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from tests.browser.contrast import READABLE, contrasts_in
from tests.browser.notebook_page import NotebookPage

WRONG = """\
def attention(query, key, value, allowed=None):
    scores = query @ key.mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    weights = scores.softmax(dim=-1).nan_to_num(0.0)
    return weights @ value, weights
"""


def _notebook(path: Path) -> None:
    """A notebook with one answer and its check, a hint and the progress."""
    cells = [
        nbformat.v4.new_code_cell(
            "import torch\nfrom course_attention.lesson import check, hint, points, progress"
        ),
        _cell("attention", WRONG, solution=True),
        _cell("check-attention", 'attention = check(attention)\npoints("attention")', solution=False),
        _cell("hint", 'hint("attention")\nprogress()', solution=False),
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)


def _cell(grade_id: str, source: str, solution: bool) -> nbformat.NotebookNode:
    about = {"schema_version": 3, "grade_id": grade_id, "solution": solution, "grade": not solution}
    return nbformat.v4.new_code_cell(source, metadata={"nbgrader": about})


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_contrast(
    theme: str, workspace: Path, lab: str, page: object, artifacts: Path, tmp_path: Path
) -> None:
    """Every text of the cards has a contrast of 4.5 or more in both themes, and no cell shows an error."""
    chosen = tmp_path / "jupyter/settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings"
    chosen.write_text(json.dumps({"theme": f"JupyterLab {theme}"}))
    _notebook(workspace / "card.ipynb")
    notebook = NotebookPage(page, lab, workspace / "card.ipynb")
    notebook.run_all(seconds=60)
    assert notebook.errors() == []
    assert "no-scale" in notebook.output("check-attention").inner_text()
    assert page.locator(f'body[data-jp-theme-light="{str(theme == "Light").lower()}"]').count() == 1
    for grade_id in ("check-attention", "hint"):
        notebook.output(grade_id).screenshot(path=artifacts / f"card-{theme.lower()}-{grade_id}.png")
    contrasts = contrasts_in(page, ".ca-card")
    assert len(contrasts) > 30
    assert [entry for entry in contrasts if entry[1] < READABLE] == []

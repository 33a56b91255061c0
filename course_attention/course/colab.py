"""What every notebook has: a badge that opens it without an installation, and cells at its beginning and its end.

The first cell of code installs the course where it is missing. The next says where a mistake is due that was met
before; the first notebook has none, as nothing was met before it. The last says which answers can be defended.
`python tools/notebooks.py` puts them into every notebook.
"""

from typing import Any

REPOSITORY = "YOUR-ORGANISATION/attention-course"
PICTURE = "https://colab.research.google.com/assets/colab-badge.svg"
INSTALL = """\
# On Colab and similar services this installs the course. Where it is installed, nothing happens.
import importlib.util
import subprocess
import sys

if importlib.util.find_spec("course_attention") is None:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "course-attention"], check=True)"""


REVIEW = """\
# If a mistake that a card has named before is due for review, one line says so. You may leave it for later.
from course_attention.lesson import review

review(quiet=True)"""
DEFEND = """\
# `defend` changes one line of an answer of yours that passed, and asks what breaks. Here it lists those answers.
from course_attention.lesson import defend

defend(quiet=True)"""
STANDING = ("install", "review", "defend")  # ids of the cells that every notebook has


def badge(stem: str) -> str:
    """Return the link that opens a notebook in Colab, in Markdown."""
    target = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/notebooks/{stem}.ipynb"
    return f"[![Open in Colab]({PICTURE})]({target})"


def opens_anywhere(notebook: dict[str, Any], stem: str) -> dict[str, Any]:
    """Add the badge to the end of the notebook's first cell, and the cells that every notebook has; change it in place.

    Example:
        >>> title = {"cell_type": "markdown", "id": "a", "source": "# Title", "metadata": {}}
        >>> [cell["id"] for cell in opens_anywhere({"cells": [title]}, "01_a")["cells"]]
        ['a', 'install', 'review', 'defend']
    """
    title = notebook["cells"][0]
    text = "".join(title["source"])
    kept = [line for line in text.splitlines() if PICTURE not in line]
    title["source"] = "\n".join(kept).rstrip() + f"\n\n{badge(stem)}"
    saved = {cell["id"]: cell.get("outputs", []) for cell in notebook["cells"] if cell.get("id") in STANDING}
    cells = [cell for cell in notebook["cells"] if cell.get("id") not in STANDING]
    folded = {"jupyter": {"source_hidden": True}}
    first = [_cell("install", INSTALL, saved, folded)]
    # A grader needs neither of the other two, and what the last one says depends on what has passed.
    first += [] if stem.startswith("00") else [_cell("review", REVIEW, saved, {**folded, "tags": ["demo"]})]
    last = _cell("defend", DEFEND, saved, {"tags": ["demo", "nbval-ignore-output"]})
    notebook["cells"] = [cells[0], *first, *cells[1:], last]
    return notebook


def _cell(id: str, source: str, saved: dict[str, list[Any]], metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": id,
        "source": source,
        "metadata": metadata,
        "outputs": saved.get(id, []),
        "execution_count": None,
    }

"""What lets a notebook open without an installation: a badge under its title, and a cell that installs the course.

`python tools/notebooks.py` puts both into every notebook.
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


def badge(stem: str) -> str:
    """Return the link that opens a notebook in Colab, in Markdown."""
    target = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/notebooks/{stem}.ipynb"
    return f"[![Open in Colab]({PICTURE})]({target})"


def opens_anywhere(notebook: dict[str, Any], stem: str) -> dict[str, Any]:
    """Add the badge to the end of the notebook's first cell and the installing cell after it; change it in place."""
    title = notebook["cells"][0]
    text = "".join(title["source"])
    kept = [line for line in text.splitlines() if PICTURE not in line]
    title["source"] = "\n".join(kept).rstrip() + f"\n\n{badge(stem)}"
    cells = [cell for cell in notebook["cells"] if cell.get("id") != "install"]
    install: dict[str, Any] = {
        "cell_type": "code",
        "id": "install",
        "source": INSTALL,
        "metadata": {"jupyter": {"source_hidden": True}},
        "outputs": [],
        "execution_count": None,
    }
    notebook["cells"] = [cells[0], install, *cells[1:]]
    return notebook

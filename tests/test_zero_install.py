"""Ways to start without an installation: Colab, Binder, a dev container, VS Code."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path

import pytest

from course_attention import cli
from course_attention.course.colab import DEFEND, INSTALL, REVIEW, badge, opens_anywhere

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_opens_in_colab(path):
    """Each notebook has its own badge under the title, and installs the course before anything else runs."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert "".join(notebook["cells"][0]["source"]).endswith(badge(path.stem))
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert "".join(first["source"]) == INSTALL
    assert first["metadata"]["jupyter"]["source_hidden"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_review_and_defend(path):
    """A later notebook says at its beginning what is due, and each says at its end what can be defended."""
    code = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert (code[1] == REVIEW) is not path.stem.startswith("00")
    assert code[-1] == DEFEND


def test_badge_and_cell_come_once():
    """Preparing a notebook twice is preparing it once."""
    title = {"cell_type": "markdown", "id": "a", "source": "# Title", "metadata": {}}
    once = opens_anywhere({"cells": [title]}, "00_a")
    before = json.dumps(once)
    assert json.dumps(opens_anywhere(once, "00_a")) == before


@pytest.mark.skipif(os.name == "nt", reason="the scripts are for the Linux images of Binder and dev containers")
def test_scripts_name_what_exists():
    """The scripts of Binder and the dev container call targets, files and options that are there."""
    script = (ROOT / ".binder" / "postBuild").read_text()
    assert os.access(ROOT / ".binder" / "postBuild", os.X_OK)
    makefile = (ROOT / "Makefile").read_text()
    commands = [*script.splitlines(), *CONTAINER["postCreateCommand"].split("&&")]
    started = 0
    for words in map(shlex.split, commands):
        if words[:1] == ["make"]:
            assert re.search(rf"^{re.escape(words[1].replace('.venv', '$(VENV)'))}:", makefile, re.M)
        elif words[:2] == ["python", "tools/install.py"]:
            assert (ROOT / words[1]).is_file() and words[2:] == ["lab"]
        elif words and words[0].endswith("course-attention"):
            assert cli._parser().parse_args(words[1:]).prepare_only
            started += 1
    assert started == 2
    (opened,) = CONTAINER["customizations"]["codespaces"]["openFiles"]
    assert (ROOT / "notebooks" / Path(opened).name).is_file()


def test_one_list_of_extensions():
    """VS Code recommends what the dev container installs."""
    recommended = json.loads((ROOT / ".vscode" / "extensions.json").read_text())["recommendations"]
    assert recommended == CONTAINER["customizations"]["vscode"]["extensions"]

"""The course in a terminal, on a hub and on Colab: what the guide names is there, and what it shows works."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
import yaml

from course_attention import cli
from course_attention.course.colab import INSTALL
from course_attention.lesson import checked_notebook
from course_attention.lesson.checked_notebook import CannotCheck, Checked, check_notebook

ROOT = Path(__file__).resolve().parents[1]
GUIDE = (ROOT / "docs" / "everywhere.md").read_text(encoding="utf-8")
WRONG = "def attention_scores(state, memory):\n    return -(memory @ state.unsqueeze(-1)).squeeze(-1)"
RIGHT = WRONG.replace("-(", "(")
CHECK = 'from course_attention.lesson import check, hint, points\n\n{0} = check("{0}")\npoints("{0}")'


def notebook(path: Path, answer: str) -> Path:
    """Write a notebook that asks one exercise and raises in a cell before it."""
    about = {"grade_id": "attention_scores", "solution": True, "grade": False, "locked": False, "schema_version": 3}
    checks = {**about, "grade_id": "check-attention_scores", "solution": False, "grade": True, "points": 1}
    cells = [
        nbformat.v4.new_code_cell("1 / 0"),
        nbformat.v4.new_code_cell(answer, metadata={"nbgrader": about}),
        nbformat.v4.new_code_cell(CHECK.format("attention_scores"), metadata={"nbgrader": checks}),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_check_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The card of a wrong answer is printed, with exit code 1; the files stay as they are.

    Which answers passed is not read in the outputs, in which a cell may print anything. What the kernel's process says
    of itself is not printed.
    """
    right = notebook(tmp_path / "right.ipynb", RIGHT)
    wrong = notebook(tmp_path / "wrong.ipynb", f"{WRONG}\n\nprint('✓ passed')")
    before = wrong.read_bytes()
    assert cli.main(["check", str(right), str(wrong)]) == 1
    out, err = capfd.readouterr()
    assert err == ""
    assert "right.ipynb: 1 of 1 passed\n  ✓ attention_scores" in out
    assert "not right yet" in out and "Smallest case" in out
    assert "wrong.ipynb: 0 of 1 passed\n  ○ attention_scores" in out
    assert wrong.read_bytes() == before


def test_exit_code_where_all_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each answer has passed, the exit code is 0."""
    passed = [Checked("attention_scores", True, "the card")]
    monkeypatch.setattr(checked_notebook, "check_notebook", lambda path, seconds: passed)
    assert cli.main(["check", "a.ipynb", "b.ipynb"]) == 0


@pytest.mark.parametrize("content", ["{", "[]", '{"cells": []}', '{"cells": [{"cell_type": "code"}]}'])
def test_no_notebook_to_check(tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no notebook, or asks nothing, is refused with exit code 2."""
    (tmp_path / "a.ipynb").write_text(content)
    with pytest.raises(CannotCheck):
        check_notebook(tmp_path / "a.ipynb")
    assert cli.main(["check", str(tmp_path / "a.ipynb")]) == 2
    assert "a.ipynb" in capsys.readouterr().err


def test_cell_that_does_not_end(tmp_path: Path) -> None:
    """A cell that takes too long ends the check with a message."""
    path = notebook(tmp_path / "a.ipynb", "while True:\n    pass")
    with pytest.raises(CannotCheck, match="did not run to its end"):
        check_notebook(path, seconds=1)


def test_workflow_of_the_guide() -> None:
    """The example for GitHub Actions is YAML, and its commands are commands of the course."""
    (text,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.S)
    steps = yaml.safe_load(text)["jobs"]["check"]["steps"]
    commands = [shlex.split(step["run"]) for step in steps if "run" in step]
    (checked,) = [words[1:] for words in commands if words[0] == "course-attention"]
    options = cli._parser().parse_args(checked)
    assert all((ROOT / "notebooks" / path).is_file() for path in options.notebooks)


def test_containerfile() -> None:
    """The image is made of files that there are, and starts with commands of the course."""
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    installed = next(line for line in lines if "pip install" in line)
    assert "-c requirements.lock" in installed and '".[lab]"' in installed and "nbgitpuller" in installed
    assert (ROOT / "requirements.lock").is_file()
    left_out = {*(ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()}
    needed = {"course_attention", "notebooks", "pyproject.toml", "requirements.lock", "README.md", "LICENSE"}
    assert ".venv*" in left_out and not needed & left_out
    (shell, _, script) = json.loads(next(line for line in lines if line.startswith("CMD")).removeprefix("CMD "))
    assert shell == "sh" and script.endswith("&& exec jupyterhub-singleuser")
    started = shlex.split(script.partition(" && ")[0])
    assert started[0] == "course-attention" and cli._parser().parse_args(started[1:]).prepare_only


def test_link_for_a_hub() -> None:
    """nbgitpuller's link names the repository, and a notebook that is in it."""
    (link,) = re.findall(r"https://YOUR-HUB/\S+", GUIDE)
    asked = parse_qs(urlsplit(link).query)
    assert urlsplit(link).path == "/hub/user-redirect/git-pull"
    folder = asked["repo"][0].rpartition("/")[2]
    assert asked["urlpath"][0].startswith(f"lab/tree/{folder}/")
    assert (ROOT / asked["urlpath"][0].removeprefix(f"lab/tree/{folder}/")).is_file()


def test_colab_cell_installs_from_an_index(tmp_path: Path) -> None:
    """Where the course is missing, the first cell of a notebook installs it by its name from the index that pip has."""
    index = tmp_path / "index" / "course-attention"
    index.mkdir(parents=True)
    info = "course_attention-9.9.dist-info"
    with zipfile.ZipFile(index / "course_attention-9.9-py3-none-any.whl", "w") as wheel:
        wheel.writestr("course_attention/__init__.py", "where = 'from the index'\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: course-attention\nVersion: 9.9\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    (index / "index.html").write_text(f'<a href="{next(index.glob("*.whl")).name}">wheel</a>')
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    settings = {"PIP_INDEX_URL": (tmp_path / "index").as_uri(), "PIP_CONFIG_FILE": str(tmp_path / "none"), "PATH": ""}
    script = f"{INSTALL}\nimport course_attention\nprint(course_attention.where)"
    for _ in range(2):  # the second time, nothing happens
        done = subprocess.run([python, "-c", script], env=settings, cwd=tmp_path, capture_output=True, text=True)
        assert done.stdout.strip() == "from the index", done.stderr
        settings["PIP_INDEX_URL"] = "file:///nowhere"

"""The core of each notebook needs nothing of its deeper sections: it runs from top to bottom, blank and half solved.

Solved, it runs above the deeper sections in `tests/simulated_cuda/test_notebooks.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.active_course.choice import ROUTE_VARIABLE
from course_attention.active_course.route import asked_in, in_core
from course_attention.course.helper_source import own_source
from course_attention.practice import PRACTICE
from course_attention.topics import TOPICS
from tests.notebooks.running import grade_id, points, read, run, with_short_trainings, without_demos
from tools.notebooks import FOLDER


def shorter(path: Path) -> bool:
    """Whether a notebook has a deeper section; where it has none, nbval runs its core."""
    cells = read(path)["cells"]
    return in_core(cells) != cells


pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
PATHS = [path for topic in TOPICS if shorter(path := FOLDER / f"{topic.notebook}.ipynb")]


@pytest.mark.parametrize("solved", [False, True], ids=["blank", "half solved"])
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_core(path: Path, solved: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell runs, and exactly the answers that are there earn points.

    Blank, the cells that only demonstrate are left out: nbval runs them blank. Half solved they run, but no training
    goes to its end: which names a cell needs shows before.
    """
    monkeypatch.setenv(ROUTE_VARIABLE, "core")
    notebook = read(path)
    notebook["cells"] = in_core(notebook["cells"])
    if solved:
        written, notebook = set(asked_in(notebook["cells"])[::2]), with_short_trainings(notebook)
    else:
        written, notebook = set(), without_demos(notebook)
    for cell in notebook["cells"]:
        name = grade_id(cell) or cell["metadata"].get("practice", "")
        if name in written:
            cell["source"] = own_source(name)
    earned = points(run(notebook, tmp_path))
    assert {name for name, one in earned.items() if one > 0} == written - set(PRACTICE)

"""The notebooks of a course of one's own: what is left out is given instead, and points are those of the course."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from course_attention.active_course import Course
from course_attention.course.as_taught import as_taught
from course_attention.course.workspace import course_notebooks
from course_attention.topics import TOPICS
from tests.active_course.courses import course, exercise, notebook, printed
from tools.notebooks import FOLDER

TAUGHT = """
import json
from course_attention.course.as_taught import as_taught
from course_attention.course.workspace import course_notebooks
print(json.dumps({path.stem: json.loads(as_taught(path)) for path in course_notebooks()}))
"""
# Every second exercise of each notebook, and once all of a notebook.
OUT = [name for topic in TOPICS if topic.exercises for name in topic.exercises[1::2]] + ["image_patches"]


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """Return the notebooks of a course that leaves much out, and adds one."""
    settings = f"leave_out = {json.dumps(OUT)}\n[points]\nattention = 1\nsoftmax = 2.5\nmine = 7"
    folder = course(
        tmp_path_factory.mktemp("own") / "c", settings, {"13_mine": notebook("mine")}, {"x": exercise("mine")}
    )
    return json.loads(printed(TAUGHT, of=folder))


def sources(notebook: dict, kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_own_course_as_it_is() -> None:
    """The package's own course is taught to the byte as its notebooks are."""
    assert Course().folder is None
    for path in course_notebooks():
        assert as_taught(path) == path.read_bytes()


@pytest.mark.parametrize("topic", [one for one in TOPICS if one.exercises], ids=lambda topic: topic.notebook)
def test_left_out(topic, taught: dict[str, dict]) -> None:
    """An import takes the place of an answer that is not asked, and nothing is left of its exercise."""
    cells = taught[topic.notebook]["cells"]
    code, text = (
        sources(taught[topic.notebook], "code"),
        "\n".join(sources(taught[topic.notebook], "markdown")),
    )
    graded = {cell["metadata"].get("nbgrader", {}).get("grade_id", "") for cell in cells}
    for name in topic.exercises:
        left_out = name in OUT
        assert (f"from course_attention import {name}" in code) is left_out
        assert ({name, f"check-{name}"} <= graded) is not left_out
        assert (f"**Exercise `{name}`**" in text) is not left_out
        assert not left_out or f'("{name}")' not in "\n".join([text, *code]).replace(f'mine("{name}")', "")


def test_names_are_still_imported(taught: dict[str, dict]) -> None:
    """What a check cell that is gone has imported for the cells below it is imported still."""
    for stem, one in taught.items():
        bound: set[str] = set()
        for source in sources(one, "code"):
            tree = ast.parse(re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE))
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
            bound |= {alias.asname or alias.name for node in imports for alias in node.names}
            bound |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            assert used.intersection({"check", "hint", "mine", "points", "predict", "progress"}) <= bound, stem


@pytest.mark.parametrize(
    ("stem", "name", "points", "words"),
    [
        ("00_start_here", "softmax", 2.5, "2.5 points"),
        ("02_queries_keys_values", "attention", 1, "1 point"),
        ("02_queries_keys_values", "bilinear_scores", 1, "1 point"),
        ("13_mine", "mine", 7, "7 points"),
    ],
)
def test_points(stem: str, name: str, points: float, words: str, taught: dict[str, dict]) -> None:
    """The points of the course stand in the metadata that nbgrader reads, and in the text."""
    if name in OUT:
        pytest.skip("left out")
    (check,) = [
        cell
        for cell in taught[stem]["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == f"check-{name}"
    ]
    assert check["metadata"]["nbgrader"]["points"] == points
    text = "\n".join(sources(taught[stem], "markdown"))
    assert re.search(rf"\*\*Exercise `{name}`\*\*[^\n]* {words}(?! *\w)", text)


def test_left_out_is_lent(tmp_path: Path) -> None:
    """`mine` gives the helper of what is left out, as it would where an answer did not pass."""
    own = course(tmp_path / "c", 'leave_out = ["attention"]')
    assert "function attention" in printed("from course_attention.lesson import mine; print(mine('attention'))", of=own)


def test_core_says_its_own_time(tmp_path: Path) -> None:
    """A copy that has the core alone gives the core's time, and says why a section that it names is not there."""
    taught = json.loads(printed(TAUGHT, of=course(tmp_path / "c", 'route = "core"')))
    for topic in TOPICS:
        text = "\n".join(sources(taught[topic.notebook], "markdown"))
        whole = "\n".join(sources(json.loads((FOLDER / f"{topic.notebook}.ipynb").read_text("utf-8")), "markdown"))
        assert "The core, without" in whole and "The core, without" not in text
        assert re.search(r"\*\*Time:\*\* about [^.]+\. The sections that the text calls “Deeper” are left out", text)

"""The core route: what it leaves out, who may choose it, and that what remains needs nothing of the rest."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.active_course import MARKER, VARIABLE, CourseError, active, choice
from course_attention.active_course.choice import ROUTE_VARIABLE, follow_route, remember_route
from course_attention.active_course.course import package_course, read_course
from course_attention.active_course.route import asked_in, in_core
from course_attention.course.free_names import free_names
from course_attention.topics import TOPICS
from tests.active_course.courses import course, exercise, run
from tools.notebooks import FOLDER
from tools.saved_outputs import python_of


def text(source: str) -> dict:
    return {"cell_type": "markdown", "id": source[:20], "source": source, "metadata": {}}


def task(name: str) -> dict:
    metadata = {"nbgrader": {"grade_id": name, "solution": True}}
    return {"cell_type": "code", "id": name, "source": f"{name} = None", "metadata": metadata, "outputs": []}


CELLS = [
    text("# A"),
    task("one"),
    text("## Deeper: B\n\nText."),
    task("two"),
    text("### C"),
    task("three"),
    text("End of C.\n\n## D\n\nText.\n\n```\n# code\n```\n\n### Deeper: E"),
    task("four"),
    text("End of E.\n\n### F"),
    task("five"),
]


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No course and no route is named before a test, nor remembered by this process after it."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv(ROUTE_VARIABLE, "")
    active.cache_clear()
    yield
    active.cache_clear()


def test_a_section_ends_with_the_next_of_its_level() -> None:
    """Smaller headings belong to a deeper section, and the next one of its level or above ends it."""
    kept = in_core(CELLS)
    assert [cell["source"] for cell in kept if cell["cell_type"] == "markdown"] == [
        "# A",
        "## D\n\nText.\n\n```\n# code\n```\n\n",
        "### F",
    ]
    assert asked_in(kept) == ("one", "five")
    assert asked_in(CELLS) == ("one", "two", "three", "four", "five")


def test_a_course_of_ones_own(tmp_path: Path) -> None:
    """What deeper sections ask is not asked; a later notebook finds it all the same, as with `leave_out`."""
    content = json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    names = ("one", "two", "three", "four", "five")
    files = {name: exercise(name) for name in names}
    full, core = (
        read_course(course(tmp_path / route, f'notebooks = ["a"]\nroute = "{route}"', {"a": content}, files))
        for route in ("full", "core")
    )
    assert (full.topics[0].exercises, full.left_out) == (names, ())
    assert (core.topics[0].exercises, core.left_out) == (("one", "five"), ("two", "three", "four"))


def test_points_of_what_is_not_asked(tmp_path: Path) -> None:
    """Points for an exercise of a deeper section are an error, as for one that is left out."""
    content = json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    files = {name: exercise(name) for name in ("one", "two", "three", "four", "five")}
    settings = 'notebooks = ["a"]\nroute = "core"\n[points]\ntwo = 3'
    with pytest.raises(CourseError, match=r"points must name.*two"):
        read_course(course(tmp_path / "c", settings, {"a": content}, files))


def test_a_workspace_remembers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student chooses once; the kernels of the workspace follow, and `full` brings the rest back."""
    folder = tmp_path / "ws"
    follow_route(None, folder)
    assert active().settings.route == "full" and not remember_route(folder)
    follow_route("core", folder)
    assert "Deeper" in remember_route(folder)
    monkeypatch.setenv(ROUTE_VARIABLE, "")
    monkeypatch.chdir(folder)
    active.cache_clear()
    assert active().settings.route == "core"
    follow_route("full", folder)
    assert os.environ[ROUTE_VARIABLE] == "full"
    assert "full" in remember_route(folder)
    (folder / MARKER / "route").write_text("scenic\n")
    assert choice.remembered_route(folder) == "full"


def test_the_author_of_a_course_chooses(tmp_path: Path) -> None:
    """A student of an instructor's course cannot take another route than it takes."""
    choice.choose(course(tmp_path / "c", 'title = "Mine"'))
    with pytest.raises(CourseError, match=r"course\.toml says which route"):
        follow_route("core", tmp_path / "ws")


def test_start(tmp_path: Path) -> None:
    """`start --route core` leaves the sections out, and `--route full` adds them to notebooks with answers in them."""
    command = ("-m", "course_attention.cli", "start", tmp_path / "ws", "--prepare-only")
    done = run(*command, "--route", "core", at=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "follows the core route" in done.stdout
    for topic in TOPICS:
        path = tmp_path / "ws" / f"{topic.notebook}.ipynb"
        content = path.read_text(encoding="utf-8")
        assert '"## Deeper:' not in content and '"### Deeper:' not in content
    path = tmp_path / "ws" / "00_start_here.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("raise NotImplementedError", "return scores  # mine"))
    done = run(*command, "--route", "full", at=tmp_path)
    assert "follows the full route" in done.stdout
    assert "return scores  # mine" in path.read_text(encoding="utf-8")
    for topic in TOPICS:
        here = json.loads((tmp_path / "ws" / f"{topic.notebook}.ipynb").read_text(encoding="utf-8"))["cells"]
        assert asked_in(here) == asked_in(cells_of(topic.notebook))


def cells_of(stem: str) -> list[dict]:
    """Return the cells of a notebook as the package has it."""
    cells: list[dict] = json.loads((FOLDER / f"{stem}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in cells]


EACH = pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)


@EACH
def test_nothing_below_needs_a_deeper_section(topic) -> None:
    """Each name that the core uses is set in the core; tests/notebooks/test_core.py runs it."""
    core = [python_of(cell["source"]) for cell in in_core(cells_of(topic.notebook)) if cell["cell_type"] == "code"]
    assert set(free_names("\n".join(core))) <= {"display", "get_ipython"}


@EACH
def test_ends_are_core(topic) -> None:
    """The opening, the summary, the last text and the cell `defend` at the end belong to the core of a notebook."""
    cells = cells_of(topic.notebook)
    core = in_core(cells)
    kept = {cell["id"] for cell in core}
    texts = [cell for cell in cells if cell["cell_type"] == "markdown"]
    assert cells[-1]["id"] == "defend"
    assert {texts[0]["id"], texts[-1]["id"], "defend"} <= kept
    headings = [line for cell in core if cell["cell_type"] == "markdown" for line in cell["source"].splitlines()]
    assert {"## What you learned", "## Where to read on"} <= set(headings)


def test_every_name_is_there() -> None:
    """The package's course along its core asks a part of what it asks along its full route, in the same order."""
    core = package_course("core")
    for short, whole in zip(core.topics, TOPICS, strict=True):
        assert [name for name in whole.exercises if name in short.exercises] == list(short.exercises)
        assert set(whole.exercises) == {*short.exercises, *(name for name in core.left_out if name in whole.exercises)}

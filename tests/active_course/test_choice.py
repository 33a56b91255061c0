"""Which course is active: what the environment names, else what the workspace remembers, else the package's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.active_course import MARKER, VARIABLE, CourseError, active, choice
from tests.active_course.courses import course, exercise, notebook, printed, run

OWN = ("-m", "course_attention.cli")


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No course is named before a test, nor remembered by this process after it."""
    monkeypatch.setenv(VARIABLE, "")
    active.cache_clear()
    yield
    active.cache_clear()


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a course of one exercise, built on nothing."""
    settings = 'title = "Averages"\ncontact = "Ada"\nnotebooks = ["01_averages"]'
    return course(tmp_path / "own", settings, {"01_averages": notebook("averaged")}, {"x": exercise("averaged")})


def test_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where nothing is named, and in a workspace that remembers nothing, the package's own course is active."""
    assert active().folder is None
    (tmp_path / MARKER).mkdir()
    monkeypatch.chdir(tmp_path)
    active.cache_clear()
    assert active().folder is None


def test_environment_before_workspace(own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A workspace remembers its course, also below it; the environment comes first."""
    deep = tmp_path / "ws" / MARKER / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    (tmp_path / "ws" / MARKER / "course").write_text(f"{own}\n", encoding="utf-8")
    assert active().folder == own
    active.cache_clear()
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with pytest.raises(CourseError, match="none has none"):
        active()


def test_choose(own: Path) -> None:
    """What is chosen holds for this process and those that it starts."""
    assert choice.choose(own).settings.title == active().settings.title == "Averages"
    assert os.environ[VARIABLE] == str(own)


def test_workspace_remembers(own: Path, tmp_path: Path) -> None:
    """`start --course` is needed once: later `start` and the notebooks know the course, `check` and `progress` too."""
    workspace = tmp_path / "ws"
    first = run(*OWN, "start", "--prepare-only", "--course", own, workspace)
    assert "added 01_averages.ipynb" in first.stdout and f"follows the course in {own}" in first.stdout
    assert [path.name for path in workspace.glob("*.ipynb")] == ["01_averages.ipynb"]
    again = run(*OWN, "start", "--prepare-only", workspace)
    assert again.returncode == 0
    assert "added 01_averages" not in again.stdout and "follows the course" not in again.stdout
    said = printed(
        "from course_attention.lesson import check, progress\n"
        "def averaged(x, width):\n    raise NotImplementedError\n"
        "averaged = check('averaged')\nprint(averaged([2.0, 4.0], 2))\nprogress()",
        at=workspace,
    )
    assert "not attempted   averaged" in said and "[3.]" in said
    assert "0 of 2 points" in said and "Averages" in said and "Ada" in said and "softmax" not in said


def test_another_course(own: Path, tmp_path: Path) -> None:
    """A workspace that is given another course says so."""
    other = course(tmp_path / "other", 'title = "Other"\nnotebooks = ["00_start_here"]')
    run(*OWN, "start", "--prepare-only", "--course", own, tmp_path / "ws")
    done = run(*OWN, "start", "--prepare-only", "--course", other, tmp_path / "ws")
    assert f"follows the course in {other}, no longer the one in {own}" in done.stdout


def test_error_in_a_line(tmp_path: Path) -> None:
    """A command that cannot use a course ends with a line, and no traceback."""
    done = run(*OWN, "start", "--prepare-only", "--course", tmp_path, tmp_path / "ws")
    assert done.returncode == 2 and done.stderr.startswith("course-attention start: a course's folder holds")
    assert "Traceback" not in done.stderr

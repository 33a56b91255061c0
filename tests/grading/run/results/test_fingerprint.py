"""A fingerprint changes with what decides a mark, and with nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import course_attention
from course_attention.grading.run.machine.self_check import WRITTEN
from course_attention.grading.run.results import fingerprint

Fingerprints = Callable[[], dict[str, str]]
EXERCISES = ("softmax", "attention", "cross_attention", "multi_head_attention")
NOTEBOOKS = ("00_start_here", "02_queries_keys_values")


def _forget() -> None:
    for name in (
        "of_exercise",
        "of_notebook",
        "parts_of_exercise",
        "parts_of_notebook",
        "_of_every_exercise",
    ):
        getattr(fingerprint, name).cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Copy the package, and have the copy's fingerprints made."""
    own = Path(course_attention.__file__).parent
    copy = tmp_path / "elsewhere" / "course_attention"
    # Beside this test, one of the self-check may write a file into the package, and delete it again.
    left_out = shutil.ignore_patterns("__pycache__", "*.ipynb", "notebooks", WRITTEN[0].name)
    shutil.copytree(own, copy, ignore=left_out)
    monkeypatch.setattr(fingerprint, "_PACKAGE", copy)
    yield copy
    _forget()


def fingerprints() -> dict[str, str]:
    _forget()
    found = {name: fingerprint.of_exercise(name) for name in EXERCISES}
    return found | {stem: fingerprint.of_notebook(stem) for stem in NOTEBOOKS}


def seldom(*case: object) -> object:
    """Mark a case that an exhaustive run alone tries: another of its kind is tried every day."""
    return pytest.param(*case, marks=pytest.mark.exhaustive)


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("judging/comparison.py", {*EXERCISES, *NOTEBOOKS}),
        seldom("execution/local.py", {*EXERCISES, *NOTEBOOKS}),
        seldom("exercises/of_author.py", {*EXERCISES, *NOTEBOOKS}),
        seldom("grading/sandbox/messages.py", {*EXERCISES, *NOTEBOOKS}),
        seldom("grading/policy/forbidden.py", {*EXERCISES, *NOTEBOOKS}),
        ("exercises/softmax/softmax.py", {"softmax", "00_start_here"}),
        seldom("exercises/attention/attention.py", {"attention", "02_queries_keys_values"}),
        seldom("exercises/attention/inputs.py", {"attention", "cross_attention", "02_queries_keys_values"}),
        seldom("exercises/common/attention.py", {*EXERCISES[1:], "02_queries_keys_values"}),
        ("mechanisms/attention.py", {*EXERCISES[1:], "02_queries_keys_values"}),
        ("grading/reading/answers.py", {*NOTEBOOKS}),
        seldom("grading/run/results/submission_record.py", {*NOTEBOOKS}),
        ("figures/scaling.py", set()),
        seldom("grading/views/pages/report.py", set()),
    ],
)
def test_changes_with_the_sources(package: Path, file: str, changed: set[str]) -> None:
    """A changed source changes the fingerprints of the marks that it decides, and no others."""
    before = fingerprints()
    path = package / file
    path.write_text(path.read_text(encoding="utf-8") + "CHANGED = True\n", encoding="utf-8")
    after = fingerprints()
    assert {name for name in before if before[name] != after[name]} == changed


def test_same_on_another_machine(package: Path) -> None:
    """Neither the place of the package nor its line ends count."""
    there = fingerprints()
    for path in package.rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert fingerprints() == there


def test_points_and_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other points, or another cell of the course's notebook, give another fingerprint."""
    from dataclasses import replace

    before = fingerprints()
    notebook = fingerprint.course_notebook("00_start_here")
    cells = tuple(
        replace(cell, source=f"{cell.source}\n1") if cell.role == "provided" else cell for cell in notebook.cells
    )
    with monkeypatch.context() as patch:
        patch.setattr(fingerprint, "course_notebook", lambda stem: replace(notebook, cells=cells))
        assert fingerprints()["00_start_here"] != before["00_start_here"]
    entry = fingerprint.CATALOGUE["softmax"]
    more = replace(entry, exercise=replace(entry.exercise, points=entry.points + 1))
    monkeypatch.setattr(fingerprint, "CATALOGUE", {**fingerprint.CATALOGUE, "softmax": more})
    after = fingerprints()
    assert {name for name in before if before[name] != after[name]} == {"softmax", "00_start_here"}
    monkeypatch.undo()
    _forget()


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("judging/comparison.py", "judge"),
        ("grading/policy/forbidden.py", "policy"),
        ("execution/local.py", "sandbox"),
        ("exercises/attention/inputs.py", "exercise"),
        ("mechanisms/attention.py", "helpers"),
    ],
)
def test_parts(package: Path, file: str, part: str) -> None:
    """A changed source changes the part that is named for it, and no other: the part says later why a mark changed."""
    _forget()
    before = fingerprint.parts_of_exercise("attention")
    path = package / file
    path.write_text(path.read_text(encoding="utf-8") + "CHANGED = True\n", encoding="utf-8")
    _forget()
    after = fingerprint.parts_of_exercise("attention")
    assert {name for name in before if before[name] != after[name]} == {part}

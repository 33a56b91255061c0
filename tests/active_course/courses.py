"""Courses of one's own, made on the spot, and programs that run in them: a process has one active course."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from course_attention.active_course import VARIABLE
from course_attention.own_course.new_course import exercise_cells

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = (ROOT / "course_attention" / "own_course" / "template" / "exercise.py").read_text(encoding="utf-8")
STUB = "def {name}(x, width):\n    raise NotImplementedError"


def notebook(*names: str) -> str:
    """Return a notebook that asks these exercises, each for 2 points."""
    imports = {"cell_type": "code", "id": "imports", "metadata": {}, "source": "import numpy as np"}
    asked = [cell for name in names for cell in exercise_cells(name, STUB.format(name=name), 2)]
    cells = [{**imports, "outputs": [], "execution_count": None}, *asked]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def exercise(name: str) -> str:
    """Return the file of an exercise, which asks for a moving average whatever its name is."""
    return TEMPLATE.replace("moving_average", name)


def course(
    folder: Path,
    settings: str,
    notebooks: Mapping[str, str] | None = None,
    exercises: Mapping[str, str] | None = None,
) -> Path:
    """Write a course: its settings, and the texts of its notebooks and files of exercises by their stems."""
    for room in ("notebooks", "exercises"):
        (folder / room).mkdir(parents=True)
    (folder / "course.toml").write_text(settings, encoding="utf-8")
    for stem, text in (notebooks or {}).items():
        (folder / "notebooks" / f"{stem}.ipynb").write_text(text, encoding="utf-8")
    for stem, text in (exercises or {}).items():
        (folder / "exercises" / f"{stem}.py").write_text(text, encoding="utf-8")
    return folder


def run(*command: str | Path, of: Path | None = None, at: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments while a course is active, in some folder."""
    active = {} if of is None else {VARIABLE: str(of)}
    paths = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        env={**os.environ, **paths, **active},
        cwd=at,
        timeout=300,
        check=False,
    )


def printed(program: str, of: Path | None = None, at: Path = ROOT) -> str:
    """Return what a program prints while a course is active."""
    done = run("-c", program, of=of, at=at)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()

"""Small submissions in text files, hostile and honest, each with what is to come of it.

A file begins with a header, one `# name: value` in a line, and goes on with cells, each under a marker line:
`# %% added` for a cell of the student's own, `# %% answer` for the answer to the header's exercise, `# %% answer NAME`
for that to another, `# %% behind answer` for a cell of the student's own between the exercise's answer and its check,
`# %% behind check` for one below the check. Answers that a file does not give are the course's own. They are no .py
files, so that nobody runs one by accident.

Header: `exercise`; `status` of it; `submission`, the status of the whole ("graded" unless given); `score` of the
exercise (1 where it passed, else 0, unless given); `seconds` and `memory` (GB), the limits; `budget`, the seconds for
the whole submission; `note`, the start of a note that is to be found (as often as needed), and `notes`, that of one or
more; `says` and `hides`, what the message must and must not contain; `others`, the statuses of all other exercises
("passed" unless given).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from course_attention.exercises import CATALOGUE
from course_attention.grading.sandbox.limits import Limits
from tests.grading.conftest import filled

FOLDER = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Program:
    """One submission, and what is expected of it.

    Attributes:
        name: of its file.
        header: name → values, in the order of the file.
        cells: (exercise that it answers, or "" for an added cell; source), in the order of the file.
        behind: (grade_id of the exercise's answer or check, source of a cell that stands behind it).
    """

    name: str
    header: dict[str, list[str]]
    cells: tuple[tuple[str, str], ...]
    behind: tuple[tuple[str, str], ...] = ()

    def one(self, name: str, default: str = "") -> str:
        return self.header.get(name, [default])[0]

    @property
    def exercise(self) -> str:
        return self.one("exercise")

    @property
    def stem(self) -> str:
        return CATALOGUE[self.exercise].notebook

    @property
    def limits(self) -> Limits:
        memory = int(float(self.one("memory", "4")) * 2**30)
        budget = float(self.one("budget")) if "budget" in self.header else None
        return Limits(seconds=float(self.one("seconds", "20")), memory=memory, whole_seconds=budget)

    @property
    def score(self) -> float:
        return float(self.one("score", "1" if self.one("status") == "passed" else "0"))

    def content(self) -> bytes:
        """Make the notebook: the course's, with the program's cells; an added one stands before the answer after it."""
        answers = {name: source for name, source in self.cells if name}
        notebook = json.loads(filled(self.stem, answers))
        waiting: list[dict] = []
        places: dict[str, list[dict]] = {}
        for name, source in self.cells:
            if name:
                places[name], waiting = waiting, []
            else:
                waiting.append(json.loads(json.dumps(nbformat.v4.new_code_cell(source))))
        places.setdefault(self.exercise, []).extend(waiting)
        cells = []
        for cell in notebook["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            cells += places.pop(name, [])
            cells.append(cell)
            behind = [source for place, source in self.behind if place == name]
            cells += [json.loads(json.dumps(nbformat.v4.new_code_cell(source))) for source in behind]
        return json.dumps({**notebook, "cells": cells}).encode()


def programs(kind: str) -> list[Program]:
    """All programs of a folder, "hostile" or "honest"."""
    return [_read(path) for path in sorted((FOLDER / kind).glob("*.txt"))]


def programs_of_a_day(kind: str) -> list[Any]:
    """Return them as parameters of a test: of those whose names begin with the same word, one is run every day.

    They try the same thing in other ways, which an exhaustive run tries, too.
    """
    chosen, words = [], set()
    for program in programs(kind):
        word = program.name.partition("_")[0]
        chosen.append(pytest.param(program, id=program.name, marks=[pytest.mark.exhaustive] if word in words else []))
        words.add(word)
    return chosen


def _read(path: Path) -> Program:
    start, *parts = re.split(r"^# %% ", path.read_bytes().decode(), flags=re.MULTILINE)
    header: dict[str, list[str]] = {}
    for name, value in re.findall(r"^# (\w+): (.*)$", start, flags=re.MULTILINE):
        header.setdefault(name, []).append(value.strip())
    cells, behind = [], []
    for part in parts:
        marker, _, source = part.partition("\n")
        kind, _, name = marker.strip().partition(" ")
        if kind == "behind":
            place = header["exercise"][0] if name == "answer" else f"check-{header['exercise'][0]}"
            behind.append((place, source.strip("\n")))
        else:
            cells.append(((name or header["exercise"][0]) if kind == "answer" else "", source.strip("\n")))
    return Program(path.stem, header, tuple(cells), tuple(behind))

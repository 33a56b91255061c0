"""Result files made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from course_attention.grading.run.results import result_files
from course_attention.grading.views.results import StoredResult, by_student

NOTEBOOK = "02_queries_keys_values"


def exercise(name: str = "attention", status: str = "passed", score: float | None = None, **fields: Any) -> dict:
    """Make an exercise's entry, worth 4 points."""
    score = float(status == "passed") if score is None else score
    entry = {"name": name, "points": 4.0, "status": status, "score": score, "misconception": None}
    return {**entry, "message": f"{name}: {status}.", "details": None, **fields}


def not_judged(name: str = "attention") -> dict:
    """Make the entry of an exercise at which the grader itself failed."""
    message = f"{name}: not judged. The grader itself failed at it, which is no fault of the answer."
    return exercise(name, "not_judged", None, message=message) | {"score": None}


def details(**fields: Any) -> dict:
    """Say what the judge says of a wrong answer, with a failing case of one matrix."""
    example = {
        "title": "2 queries, 3 keys",
        "inputs": {"query": [[1.0, 2.0]], "allowed": None, "axis": -1},
        "part": "weights",
        "expected": [[0.25, 0.75], [0.5, 0.5]],
        "received": [[0.25, 0.75], ["nan", "-inf"]],
        "where": [1, 0],
        "note": "a note",
    }
    said = {
        "idea": "An idea",
        "explanation": "Why it is wrong.",
        "properties": [["values", True], ["mask", None]],
    }
    return {**said, "example": {**example, **fields}}


def record(student: str, exercises: Sequence[dict] = (), **fields: Any) -> dict:
    """Make a result, with the score that its exercises add up to; malformed where there are none."""
    score = sum(entry["points"] * (entry["score"] or 0.0) for entry in exercises)
    return {
        "schema": 1,
        "student": student,
        "notebook": NOTEBOOK,
        "assignment": "",
        "submitted": "",
        "status": "graded" if exercises else "malformed",
        "score": score if exercises else None,
        "max_score": 8.0,
        "seed": 31_415,
        "source_sha256": "ab" * 32,
        "package_version": "0.1",
        "seconds": 0.5,
        "notes": [],
        "exercises": list(exercises),
        **fields,
    }


def write(results: Path, *several: dict) -> list[list[StoredResult]]:
    """Write results to their files, and read them back as the views do."""
    for one in several:
        name = f"{one['assignment']}.{one['notebook']}" if one["assignment"] else one["notebook"]
        folder = one["student"].replace("/", "∕")
        result_files.write(results / "results" / folder / f"{name}.json", one)
    return list(by_student(results))


class Outline(HTMLParser):
    """The elements of a page with their attributes' names, and its text, without styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._inside = ""
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.elements.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        """All text, with its white space as one space each."""
        return " ".join(" ".join(self.texts).split())

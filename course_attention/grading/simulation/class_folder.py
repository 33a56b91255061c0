"""Writes a made-up class as it would be handed in, and the truth beside it."""

import codecs
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from course_attention.course.cells import asking_stems, own_notebook
from course_attention.course.filling import answered, as_bytes, blank
from course_attention.grading.simulation.attempts import Attempt, attempt
from course_attention.grading.simulation.known_answers import known_answers
from course_attention.grading.simulation.oddities import ODDITIES
from course_attention.grading.simulation.students import Student, draw_students

TRUTH = "truth.json"
_PAGE = b"<!DOCTYPE html>\n<html><head><title>JupyterLab</title></head><body></body></html>\n"


def write_class(folder: Path, students: int, seed: int) -> str:
    """Write `{student}/{notebook}.ipynb` for a class that does not exist, and `truth.json` beside the students.

    The same seed gives the same bytes. The truth holds, under "answers", a row for each exercise of each notebook that
    can be read: student, notebook, exercise, status, misconception, score (null where it depends on how many of an
    exercise's properties hold); under "malformed" the files that are no notebooks.

    Args:
        folder: where it goes; made when it is not there.
        students: how many.
        seed: draws them.

    Returns:
        A line that says what was written.
    """
    answers: list[dict[str, Any]] = []
    malformed: list[dict[str, str]] = []
    everybody = draw_students(students, asking_stems(), seed)
    for student in everybody:
        (folder / student.name).mkdir(parents=True)
        for stem in student.notebooks:
            random = Random(f"{seed}/{student.name}/{stem}")
            handed_in = {"student": student.name, "notebook": stem}
            name = f"{stem} (1).ipynb" if random.random() < 0.03 else f"{stem}.ipynb"  # downloaded twice
            if random.random() < 0.01:  # the page was saved, not the notebook
                content = _PAGE
                malformed.append(handed_in)
            else:
                attempts = _attempts(student, stem, random)
                content = _content(stem, attempts, random)
                answers += [{**handed_in, **_truth(one)} for one in attempts]
            (folder / student.name / name).write_bytes(content)
    truth = {"seed": seed, "answers": answers, "malformed": malformed}
    (folder / TRUTH).write_text(json.dumps(truth, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    notebooks = sum(len(student.notebooks) for student in everybody)
    counts = Counter(row["status"] for row in answers)
    told = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
    return f"{students} students, {notebooks} notebooks, {len(answers)} answers: {told}; truth in {folder / TRUTH}"


def _attempts(student: Student, stem: str, random: Random) -> list[Attempt]:
    cells, known = [cell for cell in own_notebook(stem).cells if cell.role == "answer"], known_answers(stem)
    return [attempt(student, cell.name, known[cell.name], cell.source, random) for cell in cells]


def _truth(one: Attempt) -> dict[str, Any]:
    return {
        "exercise": one.exercise,
        "status": one.status,
        "misconception": one.misconception,
        "score": one.score,
    }


def _content(stem: str, attempts: Sequence[Attempt], random: Random) -> bytes:
    """Return the file, after all that happened to it."""
    notebook = blank(stem)
    sources = {one.exercise: one.source for one in attempts}
    kept = []
    for cell in notebook["cells"]:
        if name := answered(cell):
            source = sources[name]
            if source is None:  # deleted
                continue
            cell["source"] = source.splitlines(keepends=True)
        kept.append(cell)
    notebook["cells"] = kept
    happened = random.sample(ODDITIES, random.choice([0, 0, 0, 1, 1, 2, 4]))
    for oddity in sorted(happened, key=ODDITIES.index):
        oddity(notebook, random)
    content = as_bytes(notebook)
    return codecs.BOM_UTF8 + content if random.random() < 0.03 else content

"""`verify` finds what is wrong with a course, and says what to do; the template and the example are green."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course_attention.own_course.new_course import new_course
from tests.active_course.courses import ROOT, course, exercise, notebook, printed, run

EXAMPLE = ROOT / "examples" / "convolution"
LOOK = """
import json, sys
from course_attention.active_course import active
from course_attention.exercises import CATALOGUE
from course_attention.own_course.verify_exercise import verify_exercise
(path,) = active().files
right = getattr(active().module(path), "RIGHT_ANSWERS", {}).get("mine", ())
print(json.dumps([[one.looked_at, one.state, one.said] for one in verify_exercise(CATALOGUE["mine"], right)]))
"""
METADATA = """
import json
from course_attention.course.as_taught import as_taught
from course_attention.course.workspace import course_notebooks
from course_attention.own_course.verify_notebook import metadata_faults
(path,) = course_notebooks()
print("\\n".join(metadata_faults("mine", json.loads(as_taught(path))["cells"])))
"""
# With a square of ones, a sum along the wrong axis is the same.
ROW_SUM = """
import numpy as np
from course_attention.authoring import Array, Case, FunctionExercise

def mine(x):
    return x.sum(axis=-1)

EXERCISES = [FunctionExercise(
    name="mine", prompt="Sum.", points=1, difficulty=1, minutes=1, hints=("Sum.",), library="numpy",
    oracle=lambda x: np.einsum("ij->i", x), noise=lambda x: (9.0,),
    cases=lambda draw: [Case("ones", "values", {"x": Array(np.ones((3, 3)), "float64")})],
)]
"""


def one(folder: Path, *changes: tuple[str, str]) -> Path:
    """A course of the template's exercise, changed."""
    text = exercise("mine")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return course(folder / "c", 'notebooks = ["01_a"]', {"01_a": notebook("mine")}, {"mine": text})


def test_good(tmp_path: Path) -> None:
    """Nothing is found in what is right."""
    found = json.loads(printed(LOOK, of=one(tmp_path)))
    assert {state for _, state, _ in found} == {"good"}
    assert len(found) == 5, found


@pytest.mark.parametrize(
    ("changes", "looked_at", "said"),
    [
        ([(") / width\n", ")\n")], "reference solution", "expected to pass; at seed 0: mine: not right yet"),
        ([("def mine(", "def mien(")], "reference solution", "expected a function, class or number `mine`"),
        (
            [("width * oracle(x, width)", "oracle(x, width)")],
            "misconceptions",
            "average-not-divided, variant 1 passes",
        ),
        (
            [("oracle(x, width)[..., 1:]", "width * oracle(x, width)")],
            "misconceptions",
            "is named average-not-divided",
        ),
        ([("not averaged", "not averaged.")], "words", "a line without a full stop"),
        ([("begins with the first number.", "begins")], "words", "must be sentences"),
        ([('"leading dimensions"', '"leading axes"')], "cases", "must be one of"),
        ([('"values"', '"edges"')], "cases", 'must have the property "values"'),
        (
            [("MISCONCEPTIONS =", 'RIGHT_ANSWERS = {"mine": [lambda x, width: x]}\nMISCONCEPTIONS =')],
            "right answers",
            "answer 1",
        ),
    ],
)
def test_bad(changes: list[tuple[str, str]], looked_at: str, said: str, tmp_path: Path) -> None:
    """Each fault is found where it is, in words that say what to do."""
    found = json.loads(printed(LOOK, of=one(tmp_path, *changes)))
    (line,) = [one for one in found if one[0] == looked_at]
    assert line[1] == "bad" and said in line[2], found


def test_surviving_mutant(tmp_path: Path) -> None:
    """Cases that cannot tell a wrong axis from the right one let mutants pass, and these are shown with an input."""
    own = course(tmp_path / "c", 'notebooks = ["01_a"]', {"01_a": notebook("mine")}, {"mine": ROW_SUM})
    *_, (looked_at, state, said) = json.loads(printed(LOOK, of=own))
    assert (looked_at, state) == ("mutants", "bad")
    assert "`return x.sum(axis=-2)` differs for x = [[" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"grade_id": "check-mine"', '"grade_id": "check-mein"', "got 1 and 0"),
        ('"locked": true', '"locked": false', "must be locked"),
        ("check(", "chekc(", "the check cell of mine must hold"),
        ("    raise NotImplementedError", "    return x", "must hold no answer"),
        ("**Exercise `mine`**", "An exercise", "a text must say"),
    ],
)
def test_metadata(old: str, new: str, said: str, tmp_path: Path) -> None:
    """What is missing among the cells of an exercise is named."""
    text = json.dumps(json.loads(notebook("mine")), ensure_ascii=False)
    assert old in text
    own = course(tmp_path / "c", "", {"01_a": text.replace(old, new)}, {"mine": exercise("mine")})
    (own / "course.toml").write_text('notebooks = ["01_a"]', encoding="utf-8")
    assert said in printed(METADATA, of=own)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("own", ["template", "example"])
def test_green(own: str, tmp_path: Path) -> None:
    """A new course and the example are verified in every respect, and nothing is to be mended."""
    folder = EXAMPLE if own == "example" else tmp_path / "c"
    if own == "template":
        new_course(folder)
    done = run("-m", "course_attention.cli", "verify", folder)
    assert done.returncode == 0 and "✗" not in done.stdout, done.stdout + done.stderr
    for looked_at in ("mutants", "misconceptions", "runs blank", "runs solved", "graded"):
        assert looked_at in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_not_green(tmp_path: Path) -> None:
    """Where something is to be mended, the command says so with its exit code, and names what no notebook asks."""
    own = one(tmp_path, (") / width\n", ")\n"))
    (own / "exercises" / "stray.py").write_text(exercise("stray"), encoding="utf-8")
    done = run("-m", "course_attention.cli", "verify", own)
    assert done.returncode == 1 and "no notebook asks it" in done.stdout and "to mend" in done.stdout

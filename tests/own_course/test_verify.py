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
SQUARES_OF_ONES = """
def cases(draw: Draw):
    return [Case("ones", "values", {"x": Array(np.ones((3, 3)), "float64"), "width": 1})]


def noise(x, width):
    return (9.0,)
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
    text = exercise("mine")
    begin, end = text.index("def cases("), text.index("EXERCISES =")
    body = text[text.index("    sums = ") : text.index("# What is right")]
    text = text[:begin] + SQUARES_OF_ONES.lstrip() + "\n\n" + text[end:]
    text = text.replace(body, "    return x.sum(axis=-1)\n\n\n").replace("Case, Draw", "Array, Case, Draw")
    old = text[text.index("def oracle") : text.index("def cases")]
    text = text.replace(old, "def oracle(x, width):\n    return np.einsum('ij->i', x)\n\n\n")
    text = text[: text.index("MISCONCEPTIONS =")].replace(
        "noise=lambda x, width: (float(np.abs(x).sum()),),", "noise=noise,"
    )
    own = course(tmp_path / "c", 'notebooks = ["01_a"]', {"01_a": notebook("mine")}, {"mine": text})
    *_, mutants = json.loads(printed(LOOK, of=own))
    assert (
        mutants[:2] == ["mutants", "bad"]
        and "x = [[" in mutants[2]
        and "`return x.sum(axis=-2)`" in mutants[2]
    ), mutants


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

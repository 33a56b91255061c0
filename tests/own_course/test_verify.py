"""`verify` finds what is wrong with a course, and says what to do; the template and the example are green."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from course_attention.active_course.course import read_course
from course_attention.own_course.new_course import new_course
from tests.active_course.courses import ROOT, course, exercise, notebook, run

EXAMPLE = ROOT / "examples" / "convolution"
STEM = "01_faults"  # of the notebook that asks all exercises with a fault
# With a square of ones, a sum along the wrong axis is the same.
ROW_SUM = """
import numpy as np
from course_attention.authoring import Array, Case, FunctionExercise, properties

def row_sum(x):
    return x.sum(axis=-1)

EXERCISES = [FunctionExercise(
    name="row_sum", prompt="Sum.", points=1, difficulty=1, minutes=1, hints=("Sum.",), library="numpy",
    oracle=lambda x: np.einsum("ij->i", x), noise=lambda x: (9.0,),
    cases=lambda draw: [Case("ones", properties.VALUES, {"x": Array(np.ones((3, 3)), "float64")})],
)]
"""
# exercise → what is changed in the template's file for it, where that is found, and what is said of it
FAULTS = {
    "undivided": (
        (") / width\n", ")\n"),
        "reference solution",
        "expected to pass; at seed 0: undivided: not right yet",
    ),
    "misspelt": (
        ("def misspelt(", "def mispelt("),
        "reference solution",
        "expected a function, class or number `misspelt`",
    ),
    "right_idea": (
        ("width * oracle(x, width)", "oracle(x, width)"),
        "misconceptions",
        "average-not-divided, variant 1 passes",
    ),
    "twice_one_idea": (
        ("oracle(x, width)[..., 1:]", "width * oracle(x, width)"),
        "misconceptions",
        "is named average-not-divided",
    ),
    "long_title": (("not averaged", "not averaged."), "words", "a line without a full stop"),
    "half_a_sentence": (("begins with the first number.", "begins"), "words", "must be sentences"),
    "no_values": (
        ("properties.VALUES", "properties.EDGES"),
        "cases",
        "must have the property properties.VALUES",
    ),
    "wrong_answer": (
        ("EXERCISES =", 'RIGHT_ANSWERS = {"wrong_answer": [lambda x, width: x]}\nEXERCISES ='),
        "right answers",
        "answer 1",
    ),
}
# exercise → what is changed in its cells, and what is said of it
METADATA = {
    "unchecked": ('"grade_id": "check-unchecked"', '"grade_id": "check-uncheckde"', "got 1 and 0"),
    "unlocked": ('"locked": true', '"locked": false', "must be locked"),
    "misspelt_check": ("check(", "chekc(", "the check cell of misspelt_check must hold"),
    "answered": ("    raise NotImplementedError", "    return x", "must hold no answer"),
    "unnamed": ("**Exercise `unnamed`**", "An exercise", "a text must say"),
}


# What `verify` finds, until the first thing that takes long.
QUICKLY = """
from course_attention.active_course import active
from course_attention.course.workspace import course_notebooks
from course_attention.exercises import CATALOGUE
from course_attention.own_course.verify_exercise import verify_exercise
from course_attention.own_course.verify_notebook import verify_notebook

for name in active().homes:
    for found in verify_exercise(CATALOGUE[name], ()):
        print(found.state, found.about, found.looked_at)
        if found.looked_at == "misconceptions":
            break
for path in course_notebooks():
    found = next(verify_notebook(path, None))
    print(found.state, found.about, found.looked_at)
"""


@dataclass(frozen=True)
class Printed:
    """What the command printed: (exercise or notebook, what was looked at) → (mark, what is said), and a last line."""

    code: int
    last: str
    found: dict[tuple[str, str], tuple[str, str]]

    def bad(self, about: str) -> dict[str, str]:
        """Return what is to be mended in an exercise or a notebook."""
        return {at: said for (one, at), (mark, said) in self.found.items() if one == about and mark == "✗"}


def verified(own: Path) -> Printed:
    """Return what the command says of a course."""
    done = run("-m", "course_attention.cli", "verify", own)
    assert done.stderr == ""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    *lines, last = done.stdout.splitlines()
    about, looked_at = "", ""
    for line in lines:
        if begins := re.fullmatch(r"  ([✓✗·]) (.{20})  (.*)", line):
            looked_at = begins[2].strip()
            assert (about, looked_at) not in found, "found twice"
            found[about, looked_at] = (begins[1], begins[3])
        elif line.startswith(" "):
            mark, said = found[about, looked_at]
            found[about, looked_at] = (mark, f"{said}\n{line.strip()}")
        else:
            about = line or about
    return Printed(done.returncode, last, found)


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """Return what is said of a course with every fault. A notebook with wrong metadata is not run: that takes long."""
    cells = json.loads(notebook("right", "row_sum", *FAULTS))["cells"]
    for name, (old, new, _) in METADATA.items():
        text = json.dumps(json.loads(notebook(name))["cells"][1:], ensure_ascii=False)
        cells += json.loads(changed(text, old, new))
    asked = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    files = {name: exercise(name) for name in ("right", "stray", *METADATA)} | {"row_sum": ROW_SUM}
    files |= {name: changed(exercise(name), *change) for name, (change, _, _) in FAULTS.items()}
    folder = tmp_path_factory.mktemp("faults") / "c"
    return verified(course(folder, f'notebooks = ["{STEM}"]', {STEM: json.dumps(asked)}, files))


def test_good(printed: Printed) -> None:
    """Nothing is found in what is right."""
    found = {at: mark for (about, at), (mark, _) in printed.found.items() if about == "right"}
    assert set(found.values()) == {"✓"}
    assert len(found) == 5, found


@pytest.mark.parametrize("name", FAULTS)
def test_bad(name: str, printed: Printed) -> None:
    """Each fault is found where it is and nowhere else, in words that say what to do."""
    _, looked_at, said = FAULTS[name]
    bad = printed.bad(name)
    assert set(bad) == {looked_at} and said in bad[looked_at], bad


def test_surviving_mutant(printed: Printed) -> None:
    """Cases that cannot tell a wrong axis from the right one let mutants pass, and these are shown with an input."""
    bad = printed.bad("row_sum")
    assert set(bad) == {"mutants"}
    assert "`return x.sum(axis=-2)` differs for x = [[" in bad["mutants"]


def test_cases_that_cannot_be_drawn(tmp_path: Path) -> None:
    """A property that is misspelt, or is its name alone, is told, and the notebook waits until that is mended."""
    faults = {
        "unknown": (("LEADING_DIMENSIONS", "LEADING_AXES"), "no attribute 'LEADING_AXES'"),
        "named": (("properties.EDGES", '"edges"'), "such as properties.VALUES; got 'edges'"),
    }
    files = {name: changed(exercise(name), *change) for name, (change, _) in faults.items()}
    printed = verified(course(tmp_path / "c", f'notebooks = ["{STEM}"]', {STEM: notebook(*faults)}, files))
    for name, (_, said) in faults.items():
        assert said in printed.bad(name)["cases"]
    assert not printed.bad(STEM)


@pytest.mark.parametrize("name", METADATA)
def test_metadata(name: str, printed: Printed) -> None:
    """What is missing among the cells of an exercise is named."""
    faults = printed.bad(STEM)["metadata"].splitlines()
    assert any(name in fault and METADATA[name][-1] in fault for fault in faults), faults
    assert len(faults) == len(METADATA)


def test_not_green(printed: Printed) -> None:
    """Where something is to be mended, the command says so with its exit code, and names what no notebook asks."""
    assert printed.code == 1 and "to mend" in printed.last
    assert "no notebook asks it" in printed.bad("stray")["place"]


@pytest.mark.parametrize("own", ["a new course", EXAMPLE], ids=["new", "example"])
def test_exercises_are_green(own: Path | str, tmp_path: Path) -> None:
    """Of a new course and of the example, all is verified but what runs notebooks or makes mutants."""
    if own != EXAMPLE:
        new_course(own := tmp_path / "c")
    done = run("-c", QUICKLY, of=own)
    assert done.returncode == 0, done.stderr
    states = [line.split()[0] for line in done.stdout.splitlines()]
    topics = read_course(own).topics[-2:]
    assert states == ["good"] * len(states) and len(states) > 3 * sum(len(topic.exercises) for topic in topics)


@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_green(tmp_path: Path) -> None:
    """A new course and the example are verified in every respect, and nothing is to be mended.

    The files of the example are put into the new course, so that one process verifies both.
    """
    own = tmp_path / "c"
    new_course(own)
    shutil.copytree(EXAMPLE, own, ignore=shutil.ignore_patterns("course.toml"), dirs_exist_ok=True)
    both = ["01_moving_average", *(path.stem for path in sorted((EXAMPLE / "notebooks").glob("*.ipynb")))]
    settings = own / "course.toml"
    text = changed(settings.read_text(encoding="utf-8"), '["01_moving_average"]', json.dumps(both))
    settings.write_text(text, encoding="utf-8")
    assert read_course(own).topics[1:] == read_course(EXAMPLE).topics
    said = verified(own)
    assert said.code == 0 and "✗" not in {mark for mark, _ in said.found.values()}, said
    looked_at = {at for _, at in said.found}
    assert {"mutants", "misconceptions"} <= looked_at
    for stem in both:
        assert {"metadata", "runs blank", "runs solved", "graded"} == {at for one, at in said.found if one == stem}

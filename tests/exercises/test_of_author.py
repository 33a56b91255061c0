"""What the author of a course adds to the catalogue, and what is no exercise or misconception."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.active_course.courses import course, exercise, notebook, printed, run

BASE_TWO = """
from course_attention.authoring import Misconception

def powers_of_two(scores, axis=-1):
    return 2.0**scores / (2.0**scores).sum(axis=axis, keepdims=True)

MISCONCEPTIONS = {
    "softmax": {"base-two": Misconception("Powers of 2", "Softmax takes powers of e.", (powers_of_two,))},
    "score_variance": {"twice": Misconception("Twice", "It is counted once.", (513,))},
}
"""
JUDGED = """
from course_attention.exercises import CATALOGUE
import numpy as np
wrong = lambda scores, axis=-1: 2.0**scores / (2.0**scores).sum(axis=axis, keepdims=True)
verdict = CATALOGUE["softmax"].judge(wrong)
print(verdict.misconception, verdict.score, verdict.points, verdict.idea)
print(CATALOGUE["score_variance"].judge(513).misconception)
print(CATALOGUE["attention"].judge(lambda query, key, value, allowed=None: (value, value)).message.splitlines()[0])
"""


def test_added_misconceptions(tmp_path: Path) -> None:
    """A misconception that the author adds is named, and points are those of the course."""
    own = course(tmp_path / "c", "[points]\nsoftmax = 8", {}, {"ideas": BASE_TWO})
    softmax, number, _ = printed(JUDGED, of=own).splitlines()
    name, score, points, idea = softmax.split(maxsplit=3)
    assert (name, points, idea, number) == ("base-two", "8", "Powers of 2", "twice")
    assert 0.0 <= float(score) < 1.0


def test_no_partial_credit(tmp_path: Path) -> None:
    """Where the course gives no partial credit, an answer that does not pass earns nothing, and is told so."""
    softened = "from course_attention.exercises import CATALOGUE\nimport numpy as np\n" + (
        "def last(scores, axis=-1):\n    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
        "    return e / e.sum(axis=-1, keepdims=True)\n"
        'verdict = CATALOGUE["softmax"].judge(last)\nprint(verdict.score, verdict.message.splitlines()[0])'
    )
    partly = printed(softened, of=course(tmp_path / "a", ""))
    nothing = printed(softened, of=course(tmp_path / "b", "partial_credit = false"))
    assert float(partly.split()[0]) > 0 and nothing == "0.0 softmax: not right yet, 0 of 2 points."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EXERCISES = [1]", "EXERCISES must be a list of exercises; got [1]"),
        ('MISCONCEPTIONS = {"softmax": 1}', "MISCONCEPTIONS must be like"),
        ('MISCONCEPTIONS = {"softmax": {"a": 1}}', "MISCONCEPTIONS must be like"),
        (BASE_TWO.replace('"softmax"', '"sotfmax"'), "must name exercises that the course asks"),
        (BASE_TWO.replace("base-two", "softmax-overflows"), "a misconception's id is new"),
        ("import nothing_of_that_name", "cannot be imported: ModuleNotFoundError"),
        (exercise("mine").replace("EXERCISES = [", "OTHERS = ["), "EXERCISES must have it"),
    ],
)
def test_refused(text: str, expected: str, tmp_path: Path) -> None:
    """What cannot be meant is refused in a line that says so."""
    own = course(tmp_path / "c", "", {}, {"x": text})
    done = run("-c", "import course_attention.exercises", of=own)
    assert done.returncode == 1 and expected in done.stderr.splitlines()[-1]


def test_parts(tmp_path: Path) -> None:
    """Files that begin with _ are parts that others import."""
    text = exercise("mine").replace("import numpy as np\n", "import numpy as np\n\nfrom ._parts import nothing\n", 1)
    own = course(tmp_path / "c", "", {"13_x": notebook("mine")}, {"x": text, "_parts": "nothing = None\n"})
    assert (
        printed("from course_attention.exercises import CATALOGUE; print(CATALOGUE['mine'].notebook)", of=own) == "13_x"
    )

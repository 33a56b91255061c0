"""The answer key stays outside: no helper's source, no input to come and no seed is in a student's process.

Every notebook is searched: before its first answer for everything, and before each later one for what is judged next.
"""

from __future__ import annotations

import ast
import json
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import course_attention
from course_attention.course import helper_source
from course_attention.course.cells import asking_stems, course_notebook
from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Array
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.exercise import FunctionExercise
from tests.grading.conftest import SECOND, course_path, filled, needs_bubblewrap
from tests.grading.sandbox.memory_search import searching_cell

pytestmark = needs_bubblewrap

SEED = 7_300_411_902_137_551  # long enough to be told from every other number in memory
PACKAGE = Path(course_attention.__file__).parent
EVERY = 8  # so manyth notebook is searched every day
SHORTEST = 24  # letters of source; less may stand anywhere, but for a number's own line


@pytest.fixture(scope="module")
def grade() -> Iterator[Callable[..., dict]]:
    """Grades at the long seed, with enough time for a search, in a sandbox that has graded the course's own before."""
    with Sandbox(limits=Limits(seconds=120.0)) as sandbox:

        def grade(stem: str, content: bytes) -> dict:
            submission = Submission.made_here("mallory", stem)
            return Grader(sandbox, SEED).grade(submission, content)

        yield grade


SEARCHED = [
    pytest.param(stem, marks=pytest.mark.exhaustive if number % EVERY else [])
    for number, stem in enumerate(asking_stems())
]


@pytest.mark.parametrize("stem", SEARCHED)
def test_nothing_to_find(stem: str, grade: Callable[..., dict]) -> None:
    """The second submission, all stubs, finds nothing at its first answer, for all that are to come."""
    exercises = course_notebook(stem).exercises
    searched(stem, {exercises[0]: exercises}, grade)


@pytest.mark.exhaustive
@pytest.mark.parametrize("stem", [stem for stem in asking_stems() if len(course_notebook(stem).exercises) > 1])
def test_nothing_to_find_later(stem: str, grade: Callable[..., dict]) -> None:
    """Nor at the later answers, each of which is searched for what is judged next."""
    searched(stem, {name: (name,) for name in course_notebook(stem).exercises[1:]}, grade)


def searched(stem: str, to_come: Mapping[str, Sequence[str]], grade: Callable[..., dict]) -> None:
    """Grade the course's own answers and then stubs, with cells that search before some answers for what is to come."""
    grade(stem, filled(stem))
    exercises = course_notebook(stem).exercises
    cells = {}
    for place, names in to_come.items():
        judged = exercises[: exercises.index(place)]
        pieces = [secrets(name, judged) for name in names]
        cells[place] = searching_cell(dict(ChainMap(seed_pieces(), *pieces)), names)
    result = grade(stem, filled(stem, dict.fromkeys(exercises), cells))
    searches = [note for note in result["notes"] if ": it raised saw " in note]
    assert len(searches) == len(cells), result["notes"]
    assert all(": it raised saw nothing of " in note for note in searches), searches


@pytest.mark.parametrize("stem", SEARCHED)
def test_there_is_something_to_look_for(stem: str) -> None:
    """Each exercise has source that is nowhere else, and each function of numbers an input."""
    for name in course_notebook(stem).exercises:
        labels = [label.split(" ")[0] for label in secrets(name, ())]
        assert "source" in labels, name
        if isinstance(CATALOGUE[name].exercise, FunctionExercise) and _drawn(name):
            assert "input" in labels, name


@pytest.mark.parametrize("planted", ["source", "input", "seed", "code"])
def test_what_is_planted_is_found(planted: str, grade: Callable[..., dict]) -> None:
    """The same search finds each of them where an earlier cell has left it."""
    name = "attention_output"
    pieces = {**seed_pieces(), **secrets(name, ())}
    found = next((label, piece) for label, piece in [*pieces.items(), ("code", b"")] if label.startswith(planted))
    left = f"_kept = bytearray({found[1]!r})" if found[1] else f"def {name}(a, b):\n    return a"
    if planted == "code":
        left = f"import types\n_kept = compile({left!r}, '<planted>', 'exec').co_consts"
    search = searching_cell(pieces, [name])
    result = grade(SECOND, filled(SECOND, None, {"attention_scores": left, name: search}))
    assert any(f": it raised saw {found[0]}" in note for note in result["notes"]), result["notes"]


def seed_pieces() -> dict[str, bytes]:
    """Give the seed as text, as C's number, and as the digits of Python's."""
    digits = b"".join(((SEED >> shift) & (2**30 - 1)).to_bytes(4, "little") for shift in (0, 30))
    return {
        "seed in text": str(SEED).encode(),
        "seed in C": SEED.to_bytes(8, "little"),
        "seed in Python": digits,
    }


@cache
def secrets(name: str, judged: tuple[str, ...]) -> dict[str, bytes]:
    """Pieces of an exercise's helper that stand nowhere else, and of inputs that its judge draws.

    Args:
        name: the exercise.
        judged: those before it, whose helpers may have been handed over, with what they use.
    """
    known = _told(name) + "".join(_source(one) for one in judged)
    lines = {line.strip() for text in (_source(name), helper_source.own_source(name)) for line in text.splitlines()}
    lines = {line for line in lines if not line.startswith(("from ", "import ")) and line not in known}
    own = [line for line in lines if len(line) >= SHORTEST or line.startswith(f"{name} =")]
    own = sorted(own, key=lambda line: (not line.startswith(f"{name} ="), -len(line)))
    seen = _in_memory([array for one in judged for array in _drawn(one)])
    inputs = [array.tobytes()[:64] for array in _drawn(name)]
    inputs = [piece for piece in inputs if piece not in seen]  # the same seed may draw the same for two exercises
    return {
        **{f"source {number} of {name}": line.encode() for number, line in enumerate(own[:3])},
        **{f"input {number} of {name}": piece for number, piece in enumerate(inputs[:2])},
    }


def _in_memory(arrays: list[np.ndarray]) -> bytes:
    """Give the bytes of arrays as they travel, in double precision, and as an answer may have turned them."""
    return b"".join(array.astype(dtype).tobytes() for array in arrays for dtype in ("float64", "float32"))


def _source(name: str) -> str:
    return helper_source.source_of(helper_source.home_of(name), [name])


@cache
def _told(name: str) -> str:
    """Gather what students may read: the notebook, the topics taught before, and what the notebook imports."""
    homes = helper_source.homes()
    later = homes[homes.index(helper_source.home_of(name)) :]
    files = [path for path in (PACKAGE / "mechanisms").glob("*.py") if path.stem not in later]
    files += [*(PACKAGE / "experiments").rglob("*.py"), *(PACKAGE / "figures").rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    texts += [ast.unparse(ast.parse(text)) for text in texts]
    notebook = json.loads(course_path(CATALOGUE[name].notebook).read_text(encoding="utf-8"))
    return "\n".join([*("".join(cell["source"]) for cell in notebook["cells"]), *texts])


def _drawn(name: str) -> list[np.ndarray]:
    """Give inputs that the judge draws, each of several different numbers that are not whole, of every dtype."""
    exercise = CATALOGUE[name].exercise
    if not isinstance(exercise, FunctionExercise):
        return []
    found = []
    for prepared in drawn_cases(exercise, SEED):
        for value in labelled(dict(prepared.case.call("cpu").arguments)).values():
            if not isinstance(value, Array) or value.dtype not in ("float64", "float32"):
                continue
            numbers = value.values.astype(value.dtype).ravel()
            if len(set(numbers[:4].tolist())) == 4 and not np.any(numbers[:4] == np.round(numbers[:4])):
                found.append(numbers)
    return found

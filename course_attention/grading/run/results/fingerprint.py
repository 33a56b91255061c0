"""Makes the fingerprint of a mark: a digest of what decided it, so that a mark from before a repair is known for old.

A fingerprint is made of parts, which a result keeps as well. They say which exercises a change concerns, and later why
a mark has changed. Sources are read as text with Unix line ends, and are named by their place in the package. So a
fingerprint is the same on every machine that has the same sources. Each is made once in a process.
"""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from course_attention.active_course import active
from course_attention.course.as_taught import as_taught
from course_attention.course.cell_source import facts
from course_attention.course.cells import course_notebook
from course_attention.course.helper_source import home_of
from course_attention.course.workspace import course_notebooks
from course_attention.exercises import CATALOGUE

_PACKAGE = Path(__file__).resolve().parents[3]
# What runs and judges an answer, whatever the exercise. A folder stands for all modules in it.
JUDGE = (
    "judging",
    "exercises/__init__.py",
    "exercises/of_author.py",
    "grading/run/results/verdict_record.py",
)
POLICY = ("grading/policy",)
SANDBOX = (
    "execution",
    "grading/sandbox",
    "grading/run/submission/budget.py",
    "grading/run/submission/execution_plan.py",
    "grading/run/submission/submission_run.py",
    "course/helper_source.py",
)
# What finds the answers in a file, and adds up their points.
READER = (
    "grading/reading",
    "grading/run/submission/grader.py",
    "grading/run/results/submission_record.py",
    "course/cell_matching.py",
    "course/cell_source.py",
    "course/cells.py",
)
# What two machines that grade one class must have in common.
COURSE = (
    "topics.py",
    "active_course",
    "mechanisms",
    "execution",
    "judging",
    "presentation",
    "exercises",
    "course",
    "grading",
)


@cache
def parts_of_exercise(name: str) -> dict[str, str]:
    """Return a digest of each part of what decides an exercise's mark.

    The parts are the judge, what an answer may not use, the sandbox, the exercise's own file with those that it
    imports, its points, and the helpers of its topic, which take the place of an answer that did not pass.

    Example:
        >>> [*parts_of_exercise("softmax")]
        ['judge', 'policy', 'sandbox', 'exercise', 'points', 'helpers']
    """
    home, exercise, course = home_of(name), CATALOGUE[name].exercise, active()
    own = name in course.homes
    of_author = [one for one in course.sources if one[0].startswith("_") or name in one[1]]
    ours = set() if own else _imported(f"exercises/{home}/{name}.py")
    return {
        **_of_every_exercise(),
        "exercise": _part([_sources(ours), of_author, exercise.partial_credit]),
        "points": _part(exercise.points),
        "helpers": _part(_sources(set() if own else _imported(f"mechanisms/{home}.py"))),
    }


@cache
def parts_of_notebook(stem: str) -> dict[str, str]:
    """Return a digest of what finds the answers in a file and adds up points, and one of the course's own notebook.

    Example:
        >>> [*parts_of_notebook("00_start_here")]
        ['reading', 'notebook']
    """
    notebook = course_notebook(stem)
    cells = [] if notebook is None else notebook.cells
    run = ("provided", "answer", "check")
    plan = [[cell.id, cell.role, cell.name, cell.source if cell.role in run else ""] for cell in cells]
    return {"reading": _part(_sources(_files(READER))), "notebook": _part(plan)}


@cache
def of_exercise(name: str) -> str:
    """Return the fingerprint of an exercise's mark, which is that of its parts.

    Example:
        >>> of_exercise("softmax") == of_exercise("softmax") != of_exercise("attention")
        True
    """
    return _digest(parts_of_exercise(name))


def of_result(stem: str, exercises: Iterable[str]) -> str:
    """Return the fingerprint of a submission's result.

    Args:
        stem: the course's notebook that it is.
        exercises: the fingerprints of the verdicts in it, in order.
    """
    return _digest([parts_of_notebook(stem), list(exercises)])


@cache
def of_notebook(stem: str) -> str:
    """Return the fingerprint of a result in which every verdict is of today.

    Example:
        >>> of_notebook("00_start_here") == of_notebook("no notebook of the course")
        False
    """
    notebook = course_notebook(stem)
    return of_result(stem, map(of_exercise, notebook.exercises if notebook else ()))


@cache
def of_course() -> str:
    """Return the fingerprint of all that decides a mark: two machines with the same one give the same marks."""
    notebooks = [as_taught(path).decode() for path in course_notebooks()]
    return _digest([_sources(_files(COURSE)), notebooks, active().sources])


@cache
def _of_every_exercise() -> dict[str, str]:
    rooms = {"judge": JUDGE, "policy": POLICY, "sandbox": SANDBOX}
    return {name: _part(_sources(_files(places))) for name, places in rooms.items()}


def _files(places: Iterable[str]) -> set[str]:
    paths = [_PACKAGE / place for place in places]
    files = [file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path])]
    return {file.relative_to(_PACKAGE).as_posix() for file in files}


def _imported(file: str) -> set[str]:
    """Return a module's file, and those of the modules in its room that it imports, over however many others."""
    room = file.partition("/")[0]
    found: set[str] = set()
    waiting = [file]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        for imported in facts(_text(one)).imports:
            for name in (imported.module, imported.full):
                other = name.removeprefix("course_attention.").replace(".", "/") + ".py"
                if other.startswith(f"{room}/") and (_PACKAGE / other).is_file():
                    waiting.append(other)
    return found


def _sources(files: Iterable[str]) -> str:
    return _digest([[file, _text(file)] for file in sorted(files)])


def _text(file: str) -> str:
    return (_PACKAGE / file).read_text(encoding="utf-8")  # with Unix line ends, however they are stored


def _part(what: object) -> str:
    return _digest(what)[:12]  # many stand in each result file


def _digest(what: object) -> str:
    return sha256(json.dumps(what).encode()).hexdigest()[:32]

"""Starts a new exercise: writes the skeletons of its file, its helper, its answers and its cells, and registers it.

    python tools/new_exercise.py NAME TOPIC        (make new-exercise NAME=… TOPIC=…)

NAME is the function that will answer the exercise, TOPIC one of course_attention/topics.py. Five files change; what is
to be filled in is marked TODO in each. Nothing is overwritten. A sixth, from which editors know the helper, is written
anew. CONTRIBUTING.md goes through a whole example.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to work on this copy, also where another is installed

from course_attention.topics import TOPICS, Topic
from tools.notebooks import canonical, written
from tools.public_names import stub

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "course_attention"

EXERCISE = '''\
import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties


def oracle(x: np.ndarray) -> np.ndarray:
    """TODO: the formula. Write it from the definition, without a look at the helper."""
    raise NotImplementedError


def noise(x: np.ndarray) -> tuple[float]:
    return (float(np.abs(x).max()),)  # TODO: what one rounding at each step may leave


def cases(draw: Draw) -> list[Case]:
    # TODO: small cases to check by hand first, then other sizes, leading dimensions and dtypes.
    return [Case("two rows of three", properties.VALUES, {"x": draw.halves(2, 3)}, gradient=True)]


EXERCISE = FunctionExercise(
    name="NAME",
    prompt="TODO: what is asked, in a line.",
    points=1,
    difficulty=1,
    minutes=10,
    hints=("TODO: a nudge.", "TODO: nearly all of it."),
    # TODO: axes=(…,), as the docstring writes them: "..., n_tokens, d_value"
    returns=Returns(names=("output",)),
    oracle=oracle,
    cases=cases,
    noise=noise,
    # TODO: id → the mistaken idea. `words=WORDS` with the variants alone serves where other exercises know it too.
    misconceptions={
        "TODO-an-id": Misconception("TODO: the idea", "TODO: why it is wrong, with no code given away.", ()),
    },
)
'''

ANSWERS = '''\
"""Answers to `NAME(x)` of notebook NUMBER."""

import torch

from tests.corpus import change

# TODO: right answers in five styles, and a wrong one for each misconception: wrong__its_id__1.


def right__TODO(x):
    raise NotImplementedError
'''

HELPER = '''

def NAME(x: Float[Tensor, "... n"]) -> Float[Tensor, "... n"]:
    """TODO: what it gives, in a line.

    Args:
        x: (..., n).

    Returns:
        TODO: the shape, (..., n).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        TODO: paper and equation.

    Example:
        TODO: 2 × 2 numbers that a reader can check by hand.
    """
    raise NotImplementedError
'''

HEADING = """\
## Build: NAME

TODO: why the reader should care, then what is asked.

**Exercise `NAME`** · difficulty ●○○ · about 10 minutes · 1 point

Stuck? Run `hint("NAME")` in a cell of your own."""

STUB = '''\
def NAME(x):
    """TODO: what it gives.

    x: (..., n)

    Returns (..., n).
    """
    raise NotImplementedError'''


class Refused(ValueError):
    """The exercise cannot be started; the message says why."""


def start(name: str, topic_name: str) -> list[str]:
    """Write all skeletons.

    Args:
        name: of the exercise.
        topic_name: of one of the registry's topics.

    Returns:
        A line for each file: its path, and what is to be done there.

    Raises:
        Refused: the name is taken or is no name of a function, or there is no such topic.
    """
    asking = {topic.name: topic for topic in TOPICS if topic.exercises}
    topic = asking.get(topic_name)
    if topic is None:
        raise Refused(f"TOPIC is one of {', '.join(asking)}; got {topic_name!r}")
    if not name.isidentifier() or name.startswith("_") or "__" in name:
        raise Refused(f"NAME is the name of a function, without double underscores; got {name!r}")
    if any(name in (*one.exercises, *one.helpers) for one in TOPICS):
        raise Refused(f"NAME is new; there is a {name!r} already")

    exercise = PACKAGE / "exercises" / topic.name / f"{name}.py"
    answers = ROOT / "tests" / "corpus" / topic.name / f"{name}.py"
    helper = PACKAGE / "mechanisms" / f"{topic.name}.py"
    registry = PACKAGE / "topics.py"
    notebook = ROOT / "notebooks" / f"{topic.notebook}.ipynb"

    _create(exercise, EXERCISE.replace("NAME", name))
    _create(answers, ANSWERS.replace("NUMBER", topic.notebook[:2]).replace("NAME", name))
    _write(helper, helper.read_text(encoding="utf-8") + HELPER.replace("NAME", name))
    _write(registry, registered(registry.read_text(encoding="utf-8"), name, topic))
    _write(notebook, _with_cells(json.loads(notebook.read_text(encoding="utf-8")), name, topic))
    grown = topic._replace(exercises=(*topic.exercises, name))
    _write(PACKAGE / "__init__.pyi", stub(grown if one == topic else one for one in TOPICS))
    todo = {
        exercise: "the oracle, the cases and the misconceptions",
        helper: "the helper, at the end of the file",
        answers: "right answers in five styles, and a wrong one for each misconception",
        notebook: f'the text, the stub and the place of the cells under "Build: {name}"',
        registry: "nothing: the exercise is registered",
    }
    return [f"{path.relative_to(ROOT)}: {what}" for path, what in todo.items()]


def _create(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def registered(source: str, name: str, topic: Topic) -> str:
    """Return the registry's source with the exercise as the last of its topic."""
    at = source.index(f'"{topic.name}",', source.index(f'"{topic.notebook}"')) + len(topic.name)
    last = f'"{topic.exercises[-1]}",'
    end = source.index(last, at) + len(last)
    own_line = source[source.rindex("\n", 0, end) + 1 : end].strip() == last
    return source[:end] + (f'\n            "{name}",' if own_line else f' "{name}"') + source[end:]


def _with_cells(notebook: dict, name: str, topic: Topic) -> str:
    """Return the notebook with text, answer and check cell after the last check of an exercise."""
    after = f"check-{topic.exercises[-1]}"
    grade_ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in notebook["cells"]]
    place = grade_ids.index(after) + 1
    about = {"schema_version": 3, "task": False}
    solution = about | {"grade_id": name, "solution": True, "grade": False, "locked": False}
    grade = about | {
        "grade_id": f"check-{name}",
        "solution": False,
        "grade": True,
        "locked": True,
        "points": 1,
    }
    code = {"cell_type": "code", "execution_count": None, "outputs": []}
    notebook["cells"][place:place] = [
        {"cell_type": "markdown", "metadata": {}, "source": HEADING.replace("NAME", name)},
        code | {"metadata": {"nbgrader": solution}, "source": STUB.replace("NAME", name)},
        code | {"metadata": {"nbgrader": grade}, "source": ""},
    ]
    return written(canonical(notebook))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("topic", metavar="TOPIC")
    options = parser.parse_args()
    try:
        lines = start(options.name, options.topic)
    except Refused as refused:
        parser.error(str(refused))
    print("Fill in what is marked TODO:", *lines, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())

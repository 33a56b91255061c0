"""What the cells that ran say of an answer, and the card that `check` makes of it."""

from __future__ import annotations

import linecache
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest
from IPython.core.inputtransformer2 import TransformerManager

import course_attention
from course_attention.lesson import check, points
from course_attention.lesson.answer_cell import AnswerCell
from tests.lesson.conftest import CHECK

STUB = '''\
def softmax(scores, axis=-1):
    """Softmax along an axis."""
    raise NotImplementedError'''
RIGHT = """\
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)"""
UNCLOSED = RIGHT.replace("np.exp(", "np.exp((")
HALF, REST = RIGHT.rsplit("\n", 1)
OWN = "from course_attention import softmax"


class Session:
    """A notebook's session: runs cells one after another, and goes on where one stops."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cells: list[str] = []
        self.namespace: dict = {"np": np, "check": check, "get_ipython": MagicMock()}
        self.error = SimpleNamespace(last_value=None)
        monkeypatch.setattr(CHECK, "cells_run", lambda: self.cells)
        monkeypatch.setattr("course_attention.lesson.answer_cell.sys", self.error)

    def run(self, *cells: str) -> None:
        for source in cells:
            self.cells.append(source)
            filename, python = f"<cell {len(self.cells)}>", TransformerManager().transform_cell(source)
            linecache.cache[filename] = (len(python), None, python.splitlines(keepends=True), filename)
            try:
                exec(compile(python, filename, "exec"), self.namespace)
            except Exception as error:  # noqa: BLE001 - as IPython, which goes on whatever a cell raises
                self.error.last_value = error


@pytest.fixture
def session(session, monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session(monkeypatch)


CHECKED = 'softmax = check("softmax")'


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([], "There is no `softmax` yet: run the cells above first"),
        ([OWN], "This is the course's own `softmax`, not your answer"),
        ([UNCLOSED], "stopped with a SyntaxError in line 2: '(' was never closed"),
        ([RIGHT, UNCLOSED], "stopped with a SyntaxError in line 2"),
        ([STUB, CHECKED, UNCLOSED], "stopped with a SyntaxError in line 2"),
        ([RIGHT.replace("def ", "dfe ")], "stopped with a SyntaxError in line 1: invalid syntax"),
        ([STUB, RIGHT.replace("def ", "dfe ")], "stopped with a SyntaxError in line 1: invalid syntax"),
        (["x = 1 / 0\n" + RIGHT], "stopped with a ZeroDivisionError in line 1: division by zero"),
        ([STUB, CHECKED, "x = nn.Linear\n" + RIGHT], "stopped with a NameError in line 1: name 'nn' is not defined"),
        ([RIGHT.replace("softmax", "sofmax")], "You defined `sofmax`; the exercise asks for `softmax`"),
        ([STUB, RIGHT.replace("softmax", "SoftMax")], "You defined `SoftMax`; the exercise asks for `softmax`"),
        ([UNCLOSED, RIGHT.replace("softmax", "softmx")], "You defined `softmx`; the exercise asks for `softmax`"),
        ([HALF, REST], "A cell below your `softmax` stopped with a SyntaxError in line 1"),
        ([STUB], "Write your answer into the cell above"),
        ([HALF + "\n    raise NotImplementedError"], "Take out `raise NotImplementedError`: there is code above it"),
        ([STUB + "\n    return np.exp(scores)"], "Take out `raise NotImplementedError`: Python stops here"),
        ([RIGHT.replace("np.", "numpy.")], "No cell that has run defines `numpy`"),
        ([STUB, CHECKED], "This is the course's own `softmax`, which the last check lent you"),
    ],
)  # fmt: skip
def test_no_verdict(cells: list[str], said: str, session: Session, shown) -> None:
    """Whatever is in the way, the check says it, earns nothing, and lends the course's own."""
    session.run(*cells, CHECKED)
    assert said in " ".join(shown[-1].text.split())
    assert points("softmax") < 2.0
    assert session.namespace["softmax"] is course_attention.softmax


@pytest.mark.parametrize(
    "cells",
    [
        [UNCLOSED, RIGHT],
        [HALF, REST, RIGHT],
        [RIGHT.replace("softmax", "sofmax"), RIGHT],
        [STUB, CHECKED, RIGHT],
        ["x = 1 / 0\n" + RIGHT, "x = 1\n" + RIGHT],
        [RIGHT + "\nsoftmax(0, 0, 0)"],  # a test of the student's own: what it tests is defined
        [RIGHT, "print(softmax(np.zeros(3))"],  # a trial in a cell of its own
        [RIGHT, "    return 1 +"],
        [RIGHT, "def softmax_of_rows(x):\n    return softmax(x)"],
        ["%%time\nx = 1", RIGHT],
    ],
)  # fmt: skip
def test_mended(cells: list[str], session: Session, shown) -> None:
    """A right answer passes, whatever went wrong before it, and whatever other cells do."""
    session.run(*cells, CHECKED)
    if cells[-1].startswith("    return"):
        assert "A cell below your `softmax`" in shown[-1].text  # nobody can tell it from a half
    else:
        assert "✓ passed" in shown[-1].text


def test_number(session: Session, shown) -> None:
    """A number under a misspelt name is told as well; other numbers are none of its business."""
    session.run("scores = 3\nscore_varience = 256", 'score_variance = check("score_variance")')
    assert "You defined `score_varience`" in shown[-1].text
    session.run("score_variance = 256", 'score_variance = check("score_variance")')
    assert "✓ passed" in shown[-1].text


def test_module(session: Session, shown) -> None:
    """A class that could not be made, because torch was not imported, is told by its error."""
    answer = "class SelfAttention(nn.Module):\n    pass"
    session.run(answer, 'SelfAttention = check("SelfAttention")')
    assert "stopped with a NameError in line 1: name 'nn' is not defined" in " ".join(shown[-1].text.split())


def test_names_of_the_course() -> None:
    """A name that the course itself has is no misspelling of another."""
    cell = AnswerCell("attention_scores", False, ["def attention_output(a):\n    pass\nadditive_scores = 1"])
    assert cell.meant() is None


def test_course_folder(session: Session, shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder of the course's own notebooks, an attempt is told that this is not the workspace; a stub is not."""
    from course_attention.course.workspace import course_notebooks

    monkeypatch.chdir(course_notebooks()[0].parent)
    session.run(STUB, CHECKED, RIGHT, CHECKED)
    assert ["not the one in your workspace" in bundle.text.replace("\n", " ") for bundle in shown] == [
        False,
        True,
    ]


def test_outside_ipython(shown) -> None:
    """Where there is no history, `check` finds an answer by its name all the same."""
    softmax = course_attention.softmax
    namespace = {"np": np, "check": check}
    exec(f"{RIGHT}\nanswer = softmax\n{CHECKED}", namespace)
    assert namespace["softmax"] is namespace["answer"] is not softmax


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("super().__init__()\n        raise NotImplementedError", False),
        ("super().__init__()\n        self.w = 1\n        raise NotImplementedError", True),
        ("super().__init__()\n        raise NotImplementedError\n        self.w = 1", True),
    ],
)
def test_stub_of_a_module(body: str, left: bool):
    """A module's stub calls `super().__init__()`, which is no code of the student's."""
    source = f"class SelfAttention(nn.Module):\n    def __init__(self, d_model):\n        {body}"
    assert bool(AnswerCell("SelfAttention", False, [source]).leftover_stub()) is left

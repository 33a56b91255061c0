"""The student's own module: what passed stands in it, can be imported, and nothing of the student's is lost."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

import course_attention
from course_attention.course.helper_source import own_source
from course_attention.course.student_module import FILE, passed_parts, with_part
from course_attention.course.workspace import MARKER
from course_attention.exercises import CATALOGUE
from course_attention.lesson import check, library, signed
from course_attention.presentation.display import Bundle
from course_attention.topics import TOPICS

MECHANISMS = Path(course_attention.__file__).parent / "mechanisms"
SOFTMAX = """import numpy as np

def softmax(scores, axis=-1):
    # no exponential above 1
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
"""
SECOND_SOFTMAX = SOFTMAX.replace("powers", "exponentials")
SCORES = """import torch

def attention_scores(state, memory):
    return torch.einsum("bh,bnh->bn", state, memory)
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace, which is the current folder."""
    (tmp_path / MARKER).mkdir()
    return tmp_path


@pytest.fixture
def remarks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what was said about the module, on a card of its own or on that of the check."""
    said: list[Bundle | str] = []
    monkeypatch.setattr(library, "show", said.append)
    keep = library.keep

    def keep_and_listen(*arguments: Any) -> None:
        if text := keep(*arguments):
            said.append(text)

    monkeypatch.setattr(library, "keep", keep_and_listen)
    return said


class Notebook:
    """A notebook's kernel: cells run in it, and an answer of it may pass."""

    def __init__(self) -> None:
        self.shell = InteractiveShell()
        self.shell.user_module.__name__ = "__main__"
        self.shell.user_ns["__name__"] = "__main__"

    def run(self, *cells: str) -> Notebook:
        for cell in cells:
            self.shell.run_cell(cell, store_history=True).raise_error()
        return self

    def keep(self, name: str) -> None:
        library.keep(name, self.shell.user_ns[name], self.shell.user_ns)


def module(workspace: Path) -> dict:
    found: dict = {"__name__": "my_attention"}
    exec((workspace / FILE).read_text(encoding="utf-8"), found)
    return found


def test_outside_a_workspace(tmp_path: Path, remarks: list) -> None:
    """Where there is no workspace nothing is written or said, and `mine` is the course's helper."""
    Notebook().run(SOFTMAX).keep("softmax")
    assert list(tmp_path.iterdir()) == []
    assert remarks == []
    assert library.mine("softmax") is course_attention.softmax


def test_the_answer_comes_with_its_import_and_comments(workspace: Path, remarks: list) -> None:
    """The part imports what the answer uses, keeps its comments, and works where it stands."""
    Notebook().run("import numpy as np\nimport math\nprint('shown')", SOFTMAX.split("\n\n")[1]).keep("softmax")
    (part,) = passed_parts((workspace / FILE).read_text()).values()
    assert part.startswith("import numpy as np\n\n\ndef softmax")
    assert "# no exponential above 1" in part
    assert "math" not in part
    assert "shown" not in part
    assert module(workspace)["softmax"]([0.0, 0.0]).tolist() == [0.5, 0.5]
    assert library.mine("softmax")([0.0, 0.0]).tolist() == [0.5, 0.5]
    assert str(remarks[-1]) == f"`softmax` now stands in {FILE}."


def test_signed(workspace: Path, remarks: list) -> None:
    """It says which functions are the student's own, in the order in which they are named."""
    course = "0 of 2 functions are yours. The course's: softmax, attention_scores."
    assert signed("softmax", "attention_scores") == course
    Notebook().run(SCORES).keep("attention_scores")
    mixed = "1 of 2 functions are yours: attention_scores. The course's: softmax."
    assert signed("softmax", "attention_scores") == mixed
    assert signed("attention_scores") == "1 of 1 functions are yours: attention_scores."
    with pytest.raises(ValueError, match="sofmax"):
        signed("sofmax")


def test_signed_inside(workspace: Path, remarks: list) -> None:
    """What the course's own function calls is the course's, whatever has passed; practice counts once it has passed."""
    Notebook().run(SCORES).keep("attention_scores")
    assert signed("softmax", entropy=["attention_scores"]) == (
        "0 of 3 functions are yours. The course's: softmax, entropy, attention_scores."
    )
    check(lambda weights: torch.special.entr(weights).sum(-1) / torch.tensor(2.0).log(), "entropy")
    assert signed(entropy=["softmax", "attention_scores"]) == (
        "2 of 3 functions are yours: entropy, attention_scores. The course's: softmax."
    )


def test_signed_after_a_change(workspace: Path, remarks: list) -> None:
    """An answer that passed earlier and fails now is not what runs: the check has lent the course's own."""
    Notebook().run(SCORES).keep("attention_scores")
    check(lambda state, memory: state, "attention_scores")
    assert signed("attention_scores") == "0 of 1 functions are yours. The course's: attention_scores."


def test_a_changed_answer_replaces_the_old_one(workspace: Path, remarks: list) -> None:
    """The newest answer that passed stands there, once; what is written by hand around it stays."""
    notebook = Notebook().run(SOFTMAX)
    notebook.keep("softmax")
    file = workspace / FILE
    by_hand = file.read_text() + "\n\n# mine\ndef double(x):\n    return 2 * x"
    file.write_text(by_hand)
    notebook.run(SECOND_SOFTMAX).keep("softmax")
    text = file.read_text()
    assert "exponentials" in text
    assert "powers" not in text
    assert text.count("def softmax") == 1
    assert text.rstrip().endswith("# mine\ndef double(x):\n    return 2 * x")


def test_parts_stand_in_course_order(workspace: Path, remarks: list) -> None:
    """An answer of an earlier notebook stands above the later ones, whenever it passed."""
    Notebook().run(SCORES).keep("attention_scores")
    Notebook().run("score_variance = 256").keep("score_variance")
    Notebook().run(SOFTMAX).keep("softmax")
    assert library.passed() == ("softmax", "attention_scores", "score_variance")
    assert module(workspace)["score_variance"] == 256


def test_helpers_go_along(workspace: Path, remarks: list) -> None:
    """Functions and plain numbers of other cells go along, whatever they use in their turn; others stay."""
    Notebook().run(
        "import torch.nn.functional as F\nfrom torch import Tensor",
        "SHIFT = 0.0\ndef dot(a, b):\n    return (a * b).sum(-1) + SHIFT",
        "def unused():\n    return 1",
        "def attention_scores(state: Tensor, memory):\n    F.relu(state)\n    return dot(state[:, None], memory)",
    ).keep("attention_scores")
    found = module(workspace)
    assert {"SHIFT", "dot", "F", "Tensor", "attention_scores"} <= found.keys()
    assert "unused" not in found


def imports_the_course(path: Path) -> bool:
    """Whether a module does; an example in a docstring of it may."""
    written = ast.walk(ast.parse(path.read_text()))
    return any(isinstance(one, ast.ImportFrom) and "course_attention" in str(one.module) for one in written)


def test_earlier_answers_come_from_the_module(workspace: Path, remarks: list) -> None:
    """An earlier exercise's function is the course's until the student's own has passed, and then the student's."""
    later = "def attention_distribution(scores):\n    return softmax(scores)"
    Notebook().run("from course_attention import softmax", later).keep("attention_distribution")
    assert module(workspace)["softmax"] is course_attention.softmax
    Notebook().run(SOFTMAX).keep("softmax")
    found = module(workspace)
    assert found["softmax"] is not course_attention.softmax
    assert found["attention_distribution"]([0.0, 0.0]).tolist() == [0.5, 0.5]
    assert not imports_the_course(workspace / FILE)


def test_an_earlier_answer_may_have_another_name(workspace: Path, remarks: list) -> None:
    """What notebook 09 calls `right` is the attention of the module: the course's, or the student's where it passed."""
    cells = "from course_attention.lesson import mine\nattention = mine('attention')\nright = attention"
    test = "def accepts(attention):\n    return attention is right"
    Notebook().run(cells, test).keep("accepts")
    found = module(workspace)
    assert found["right"] is course_attention.attention and found["accepts"](course_attention.attention), remarks
    Notebook().run("def attention(query, key, value, allowed=None):\n    return value, query").keep("attention")
    found = module(workspace)
    assert found["accepts"](found["attention"]) and not found["accepts"](course_attention.attention)
    Notebook().run(cells, test.replace("is right", "is not right")).keep("accepts")  # `right` is the student's here
    found = module(workspace)
    assert not found["accepts"](found["attention"]) and found["accepts"](course_attention.attention)
    assert not imports_the_course(workspace / FILE)


@pytest.mark.parametrize(
    "cells",
    [
        ("softmax = (lambda scores, axis=-1: scores)",),
        ("def other(scores, axis=-1):\n    return scores", "softmax = other"),
        ("import functools\ndef two(a, scores):\n    return scores", "softmax = functools.partial(two, 1)"),
        ("class softmax:\n    size = 3\n    def twice(self):\n        return self.size * 2",),
        ("%time 1 + 1\ndef softmax(scores):\n    return scores",),
        ("@staticmethod\ndef softmax(scores):\n    return scores",),
    ],
    ids=["lambda", "renamed", "partial", "class", "magic in the cell", "decorated"],
)
def test_forms_of_answers(workspace: Path, remarks: list, cells: tuple[str, ...]) -> None:
    """However an answer is defined, the module defines it."""
    Notebook().run(*cells).keep("softmax")
    assert callable(module(workspace)["softmax"]), remarks


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (("table = [1, 2]", "def softmax(scores):\n    return table"), "`table`, which is a list"),
        (("if True:\n    def softmax(scores):\n        return scores",), "no cell"),
        (("def softmax(scores):\n    return nothing(scores)",), "defined nowhere"),
        (
            ("from torch import softmax as attention_scores\ndef softmax(x):\n    return attention_scores(x)",),
            "another",
        ),
        (("exec('def softmax(x):\\n    return x')",), "no cell"),
    ],
)
def test_what_cannot_stand_alone(workspace: Path, remarks: list, cells: tuple[str, ...], why: str) -> None:
    """An answer that needs more than can be taken along is not written, and the remark says why."""
    Notebook().run(*cells).keep("softmax")
    assert not (workspace / FILE).exists()
    assert why in " ".join(str(remarks[-1]).split())


def test_a_broken_module_is_left_alone(workspace: Path, remarks: list) -> None:
    """Where the student's own text is no Python, it stays as it is; `mine` falls back to the course's helper."""
    Notebook().run(SOFTMAX).keep("softmax")
    file = workspace / FILE
    broken = file.read_text() + "\ndef half(:\n"
    file.write_text(broken)
    Notebook().run(SECOND_SOFTMAX).keep("softmax")
    assert file.read_text() == broken
    assert "not written" in str(remarks[-1])
    assert library.mine("softmax") is course_attention.softmax
    assert "cannot be used" in str(remarks[-1])


def test_two_helpers_of_one_name(workspace: Path, remarks: list) -> None:
    """A helper of another answer is not replaced by a different one of the same name: it would change that answer."""
    helper = "def scale(x):\n    return {} * x\n"
    Notebook().run(helper.format(1) + "def softmax(x):\n    return scale(x)").keep("softmax")
    before = (workspace / FILE).read_text()
    Notebook().run(helper.format(2) + "def attention_scores(x):\n    return scale(x)").keep("attention_scores")
    assert (workspace / FILE).read_text() == before
    assert "`scale`" in str(remarks[-1])
    Notebook().run(helper.format(1) + "def attention_scores(x):\n    return scale(x)").keep("attention_scores")
    assert library.passed() == ("softmax", "attention_scores")


def test_two_notebooks_at_once(workspace: Path, remarks: list) -> None:
    """Notebooks that write at the same time lose nothing of each other's."""
    names = ("score_variance", "causal_pairs", "encoding_norm", "attention_layers", "kv_cache_bytes")
    threads = [threading.Thread(target=library.keep, args=(name, 7, {})) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(library.passed()) == set(names)


def test_the_module_has_its_test(workspace: Path, remarks: list) -> None:
    """A test is written beside the module, and not a second time."""
    notebook = Notebook().run(SOFTMAX)
    notebook.keep("softmax")
    test = workspace / f"test_{FILE}"
    assert "softmax" not in test.read_text(), "the test finds the functions in the module"
    test.write_text("# mine")
    notebook.keep("softmax")
    assert test.read_text() == "# mine"


@pytest.mark.journey
def test_the_test_of_the_module(workspace: Path, remarks: list) -> None:
    """It passes on right answers, and names one that is spoilt."""
    notebook = Notebook().run(SOFTMAX)
    notebook.keep("softmax")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=workspace, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    file = workspace / FILE
    file.write_text(file.read_text().replace("powers /", "2 * powers /"))
    spoilt = subprocess.run([sys.executable, f"test_{FILE}"], cwd=workspace, capture_output=True, text=True)
    assert spoilt.returncode == 1
    assert "softmax" in spoilt.stderr


def test_with_part_refuses_what_is_no_python() -> None:
    """A part that is not valid Python never gets in."""
    with pytest.raises(SyntaxError):
        with_part("", "softmax", "def softmax(:")


@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_whole_course(workspace: Path, remarks: list) -> None:
    """At the end of the course every exercise stands in the module, none is lent, and its test passes."""
    for topic in (one for one in TOPICS if one.exercises):
        statements = ast.parse((MECHANISMS / f"{topic.name}.py").read_text(encoding="utf-8")).body
        imports = [one for one in statements if isinstance(one, (ast.Import, ast.ImportFrom))]
        notebook = Notebook().run("\n".join(map(ast.unparse, imports)))
        for name in topic.exercises:
            notebook.run(own_source(name)).keep(name)
    assert library.passed() == tuple(CATALOGUE)
    assert not imports_the_course(workspace / FILE)
    done = subprocess.run([sys.executable, f"test_{FILE}"], cwd=workspace, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

"""The corpus is read as it is written, and what breaks its rules is told by file and line."""

from __future__ import annotations

import ast
import inspect
import traceback
from pathlib import Path

import pytest

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus import answers, corpus_folder
from course_attention.answer_corpus.corpus_answer import Answer, CorpusError
from course_attention.answer_corpus.corpus_file import read_answers
from course_attention.answer_corpus.text_change import replaced
from course_attention.course.cells import asking_stems, course_notebook
from course_attention.course.free_names import used_names
from course_attention.exercises import CATALOGUE
from course_attention.topics import TOPICS

HEAD = '''"""Answers to `softmax`."""

import functools
import math, torch
from course_attention import attention as course_attention

from tests.corpus import change


class Helper:
    def __call__(self, scores, axis=-1):
        return math.fsum(scores)


def right__shift(scores, axis=-1):
    """A right one."""
    # a comment
    e = torch.exp(scores)
    return right__shift, e


'''


def read(folder: Path, text: str, name: str = "softmax.py") -> dict[str, Answer]:
    """Read the answers of a file with this text below `HEAD`, by label."""
    (folder / name).write_text(HEAD + text, encoding="utf-8")
    return {answer.label: answer for answer in read_answers(folder / name)}


def test_every_exercise() -> None:
    """Each exercise, and each practice, has a file in the folder of its topic, and no other file holds answers."""
    expected = {f"{topic.name}/{name}.py" for topic in TOPICS for name in (*topic.exercises, *topic.practice)}
    folder = corpus_folder()
    assert {path.relative_to(folder).as_posix() for path in folder.glob("*/*.py")} == expected


def test_ideas_are_known() -> None:
    """A wrong answer's idea is a misconception of its exercise, and no text stands twice under one kind and idea."""
    for name, exercise in CATALOGUE.items():
        texts = [(answer.kind, answer.idea, answer.cell) for answer in answers(name) if exercise.kind != "value"]
        assert len(set(texts)) == len(texts), name
        for answer in answers(name):
            if answer.kind in ("wrong", "natural"):
                assert answer.idea in exercise.exercise.misconception_ids, answer.name
            if answer.kind == "extra":
                assert answer.note, answer.name


def test_no_import_is_idle() -> None:
    """A file imports what some answer uses, and nothing else."""
    for name in CATALOGUE:
        text = next(corpus_folder().glob(f"*/{name}.py")).read_text(encoding="utf-8")
        own = ("__future__", "tests.corpus")
        nodes = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
        made = {a.asname or a.name for node in nodes if getattr(node, "module", "") not in own for a in node.names}
        used = {statement.split()[-1] for answer in answers(name) for statement in answer.imports}
        assert made == used, name


def test_only_what_was_written_before() -> None:
    """A right answer calls no exercise that stands below it: a student who runs it from the top has none yet."""
    order = [name for stem in asking_stems() for name in course_notebook(stem).exercises]
    assert set(order) == set(CATALOGUE)
    for place, name in enumerate(order):
        for answer in answers(name):
            if answer.kind in ("right", "odd"):
                assert not used_names(answer.cell) & set(order[place + 1 :]), answer.name


def test_whole_answer(tmp_path: Path) -> None:
    """A function has the exercise's name, its docstring for a note, its comments, and the imports that it uses."""
    answer = read(tmp_path, "")["right__shift"]
    assert (answer.kind, answer.idea, answer.note) == ("right", "shift", "A right one.")
    assert (answer.exercise, answer.name) == ("softmax", "right__softmax__shift")
    assert answer.source == (
        "def softmax(scores, axis=-1):\n    # a comment\n    e = torch.exp(scores)\n    return softmax, e"
    )
    assert answer.imports == ("import torch",)
    assert answer.cell.startswith("import torch\n\n\ndef softmax")


def test_change(tmp_path: Path) -> None:
    """A change has the text of its base with the pieces replaced, and the comment above it for a note."""
    read_here = read(
        tmp_path,
        "# No exponential.\n"
        'wrong__axis_ignored__1 = change(right__shift, ("torch.exp(scores)", "scores"))\n'
        'wrong__axis_ignored__two_words = change(wrong__axis_ignored__1, ("e = s", "scores += 1", "e = s"))\n'
        "extra__same = change(right__shift)\n",
    )
    first, second = read_here["wrong__axis_ignored__1"], read_here["wrong__axis_ignored__two_words"]
    assert (first.idea, first.note, first.imports) == ("axis-ignored", "No exponential.", ())
    assert (second.note, second.name) == ("", "wrong__softmax__axis_ignored__two_words")
    assert "    scores += 1\n    e = scores\n" in second.source
    assert read_here["extra__same"].source == read_here["right__shift"].source


def test_third_change_is_refused(tmp_path: Path) -> None:
    """A change of a changed answer may be changed no further, and the error names what may be changed instead."""
    text = 'wrong__a__1 = change(right__shift, ("e = ", "f = "))\nwrong__a__2 = change(wrong__a__1, ("f = ", "g = "))\n'
    assert "g = " in read(tmp_path, text)["wrong__a__2"].source
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, text + 'wrong__a__3 = change(wrong__a__2, ("g = ", "h = "))\n')
    assert str(caught.value).startswith(f"softmax.py:{HEAD.count(chr(10)) + 3}: ")
    assert "wrong__a__2 changes wrong__a__1, which changes right__shift" in str(caught.value)


def test_assignment(tmp_path: Path) -> None:
    """An assigned answer brings the helpers and the answers of its file that it uses."""
    text = (
        "odd__object = Helper()\nodd__partial = functools.partial(right__shift, axis=0)\n"
        "parts = 2\nright__number = parts * 3  # a reason\n"
    )
    read_here = read(tmp_path, text)
    assert read_here["odd__object"].source.startswith("class Helper:")
    assert read_here["odd__object"].source.endswith("\n\n\nsoftmax = Helper()")
    assert read_here["odd__object"].imports == ("import math",)
    assert read_here["odd__partial"].imports == ("import functools", "import torch")
    assert value_of(read_here["odd__partial"]).keywords == {"axis": 0}
    assert read_here["right__number"].source == "parts = 2\n\n\nsoftmax = parts * 3  # a reason"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('wrong__a__1 = change(right__shift, ("missing", "x"))', "'missing' occurs 0 times, in right__shift"),
        ('wrong__a__1 = change(right__shift, ("scores", "x"))', "'scores' occurs 2 times"),
        ('wrong__a__1 = change(right__shift, ("e = t", ""), ("= torch", ""))', "two meet in '= t'"),
        ('wrong__a__1 = change(right__nobody, ("e", "x"))', "stands above it, and right__nobody does not"),
        ('wrong__a__1 = change(right__shift, "e = ", "x")', "a change is change(answer, (old, new, …), …)"),
        ('wrong__a__1 = change(right__shift, ("e = ",))', "a change is change(answer, (old, new, …), …)"),
        (
            'wrong__a__1 = change(right__shift, ("e = ", f(1)))',
            "a change is change(answer, (old, new, …), …)",
        ),
        ("wrong__a__1 = change()", "a change is change(answer, (old, new, …), …)"),
        ('wrong__a__1 = change(right__shift, ("e = ", "e ="), note="n")', "a change is change("),
        ('wrong__a__1 = change(right__shift, ("e = ", "e e = "))', "the text of wrong__a__1 is not"),
        ("bad__a__1 = 1", "right, odd, wrong, natural, double, extra, forbidden, not 'bad' as in bad__a__1"),
        ("wrong__a__b__c = 1", "kind__idea or kind__idea__number, not wrong__a__b__c"),
        ("wrong__ = 1", "kind__idea or kind__idea__number, not wrong__"),
        ("right__shift = 1", "right__shift stands above already"),
        ("print(1)", "not 'print(1)'"),
        ("def broken(:", "a file is Python"),
    ],
)
def test_planted_fault(tmp_path: Path, text: str, told: str) -> None:
    """Each broken rule is told with the file and the line."""
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, text + "\n")
    assert str(caught.value).startswith(f"softmax.py:{HEAD.count(chr(10)) + 1}: ")
    assert told in str(caught.value)


def test_no_such_exercise(tmp_path: Path) -> None:
    """A file that is called as no exercise is refused, and so is an exercise without a file."""
    with pytest.raises(CorpusError, match=r"sotfmax\.py.*no exercise is called 'sotfmax'"):
        read(tmp_path, "", name="sotfmax.py")
    with pytest.raises(CorpusError, match=r"no exercise is called .sotfmax."):
        answers("sotfmax")


def test_replaced() -> None:
    """Lines are indented as the line that they come into, emptied lines go, and empty ones stay."""
    text = "def f(x):\n    if x:\n        y = 1\n\n    return y"
    assert replaced(text, [("y = 1", "y = 2", "    z", "y")]) == (
        "def f(x):\n    if x:\n        y = 2\n            z\n        y\n\n    return y"
    )
    assert replaced(text, [("y = 1", ""), ("if x:", "pass")]) == "def f(x):\n    pass\n\n    return y"
    assert replaced(text, [("return y", "")]) == "def f(x):\n    if x:\n        y = 1"


def test_line_at_fault() -> None:
    """An answer that runs shows its lines, as one of a file does."""
    answer = next(one for one in answers("softmax") if one.label == "right__shift")
    value = value_of(answer)
    assert inspect.getsource(value).rstrip() == answer.source
    with pytest.raises(AttributeError) as caught:
        value(1)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == answer.source.splitlines()[1].strip()

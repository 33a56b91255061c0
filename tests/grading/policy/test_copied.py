"""Tests of grading/policy/copied.py."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import course_attention
from course_attention.answer_corpus.corpus import answers
from course_attention.course.helper_source import own_source
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.copied import same_source

FUNCTIONS = [name for name, exercise in CATALOGUE.items() if exercise.kind != "value" and name in dir(course_attention)]
MODULE = Path(course_attention.__file__).with_name("mechanisms") / "attention.py"
HELPER = next(
    ast.get_source_segment(MODULE.read_text(encoding="utf-8"), node)
    for node in ast.parse(MODULE.read_text(encoding="utf-8")).body
    if getattr(node, "name", "") == "attention"
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_helpers(name: str) -> None:
    """Each helper is found, defines its name, and is a copy of itself and of no other."""
    source = own_source(name)
    assert source.startswith((f"def {name}(", f"class {name}("))
    assert same_source(source, source)
    assert [other for other in FUNCTIONS if same_source(own_source(other), source)] == [name]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_disguised(name: str) -> None:
    """A copy is one without its docstring and comments, laid out anew, with the arguments renamed."""
    tree = ast.parse(own_source(name))
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} - {"self"}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.arg in arguments:
            node.arg, node.annotation = f"my_{node.arg}", None
        elif isinstance(node, ast.Name) and node.id in arguments:
            node.id = f"my_{node.id}"
    assert same_source("import math\n\n" + ast.unparse(tree), own_source(name))


def test_value_is_no_copy() -> None:
    """A number can be written in one way only."""
    assert not same_source("score_variance = 256", own_source("score_variance"))


def disguise(old: str, new: str) -> str:
    assert old in HELPER
    return HELPER.replace(old, new)


@pytest.mark.parametrize(
    "answer",
    [
        disguise("nothing", "blind"),
        disguise("scores", "s"),
        disguise("    if allowed is None:", "    # my idea\n    if (allowed is None):"),
        disguise("allowed: ", "allowed : "),
        f"import torch\n\ndef other():\n    pass\n\n{HELPER}\n\nprint('done')",
        f"%%time\n{HELPER}",
        disguise("def attention(", "def mine(") + "\n\nattention = mine",
    ],
)
def test_copies(answer: str) -> None:
    """Names, comments, brackets and other code around it do not hide a copy."""
    assert same_source(answer, HELPER)


@pytest.mark.parametrize(
    "answer",
    [
        disguise("math.sqrt(query.shape[-1])", "math.sqrt(key.shape[-1])"),
        disguise("dim=-1).masked", "dim=-2).masked") if "dim=-1).masked" in HELPER else disguise("dim=-1", "dim=-2"),
        disguise("softmax", "log_softmax"),
        "def attention(query, key, value, allowed=None):\n    raise NotImplementedError",
        "def attention(",
        "",
        "x = " + "(" * 10_000,
        "def f():\n" + "".join("    " * n + "if 1:\n" for n in range(1, 90)) + "    " * 90 + "pass",
    ],
)
def test_others(answer: str) -> None:
    """An answer that computes anything else is its author's, and so is what cannot be parsed."""
    assert not same_source(answer, HELPER)


def test_long_number() -> None:
    """A number that Python does not write as a decimal is compared: an error here stopped the views of a class once."""
    answer = f"def mask(n):\n    return 0x{'f' * 5000} & n"
    assert same_source(answer.replace("mask", "bits"), answer)
    assert not same_source(answer.replace("0xf", "0xe"), answer)


def test_own_words() -> None:
    """Of the answers that the tests keep, written in other words than the package's, hardly one is called a copy."""
    sources = [answer.source for answer in answers("attention")]
    assert sources
    assert not any(same_source(source, HELPER) for source in sources)

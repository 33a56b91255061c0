"""The skeleton of an answer keeps its signature and its steps, and is no answer."""

from __future__ import annotations

import ast

import numpy as np
import pytest
import torch

from course_attention.course.helper_source import own_source
from course_attention.course.skeleton import skeleton_of
from course_attention.exercises import CATALOGUE
from course_attention.mutants.endless_loops import ends_loops
from course_attention.practice import PRACTICE

SECONDS = 5.0  # that a skeleton may compute
CODE = [name for name in CATALOGUE if CATALOGUE[name].kind != "value"]
NUMBERS = [name for name in CATALOGUE if CATALOGUE[name].kind == "value"]


def expressions(tree: ast.AST) -> int:
    """Return how many operations and calls a text holds, without annotations and errors that are raised."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for one in [*node.args.args, *node.args.kwonlyargs, *filter(None, [node.args.vararg])]:
                one.annotation = None
    refused = {id(one) for node in ast.walk(tree) if isinstance(node, ast.Raise) for one in ast.walk(node)}
    kinds = ast.Call | ast.BinOp | ast.Compare | ast.Subscript
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and id(node) not in refused]
    return sum(not isinstance(getattr(node, "ctx", None), ast.Store) for node in found)  # x[i] = … says where it goes


@pytest.mark.parametrize("name", [*CODE, *PRACTICE])
def test_signature_without_formulas(name: str) -> None:
    """It is valid Python with the signature of the solution, and next to nothing of it is computed."""
    source = own_source(name)
    (ours,), (left,) = ast.parse(source).body, ast.parse(skeleton_of(source)).body
    assert type(ours) is type(left) and ours.name == left.name == name
    if isinstance(ours, ast.FunctionDef):
        assert ast.dump(ours.args) == ast.dump(left.args)
    asked = [node for node in ast.walk(left) if isinstance(node, ast.Compare)]
    assert all(isinstance(one.ops[0], ast.Is | ast.IsNot) for one in asked)
    kept = expressions(ast.parse(skeleton_of(source))) - len(asked)
    assert kept <= 2, skeleton_of(source)  # super().__init__() is two calls; `with torch.no_grad()` is one
    assert "..." in skeleton_of(source)


@pytest.mark.parametrize("name", CODE)
def test_no_answer(name: str) -> None:
    """Pasted as it is, no skeleton passes, and each comes to an end."""
    names: dict[str, object] = {"__name__": "__main__"}
    exec("from __future__ import annotations\nimport math, torch\nimport numpy as np\nfrom torch import nn", names)
    exec(
        f"from __future__ import annotations\n{skeleton_of(own_source(name))}",
        {**vars(torch), "np": np, **names},
        names,
    )
    with ends_loops(SECONDS):
        assert CATALOGUE[name].judge(names[name]).status != "passed"


@pytest.mark.parametrize("name", [*CODE, *PRACTICE])
def test_no_loop_without_an_end(name: str) -> None:
    """`while ...:` would go on for ever, since `...` is true: the condition is False until somebody writes it."""
    loops = [node for node in ast.walk(ast.parse(skeleton_of(own_source(name)))) if isinstance(node, ast.While)]
    assert all(isinstance(loop.test, ast.Constant) and loop.test.value is False for loop in loops)
    if name == "greedy_decode":
        assert len(loops) == 1


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_left_out(name: str) -> None:
    """The skeleton of a number is the comment that derives it, without a number."""
    text = skeleton_of(own_source(name))
    assert text.startswith("# ") and text.endswith(f"\n{name} = ...")
    assert str(CATALOGUE[name].exercise.value) not in text
    assert not any(part.isdigit() for part in text.replace("·", " ").replace(",", " ").split())


def test_control_flow_stays() -> None:
    """Loops, branches, exceptions and inner functions stay; what they compute does not."""
    source = '''def f(x, n=2):
    """Say what it does.

    And more.
    """

    def inner(y):
        return y * 2

    total, _ = inner(x), 0
    first = x[0] = total * 2
    for i, row in enumerate(x):
        total += row * i
    while total > n:
        try:
            total = total / n
        except ZeroDivisionError:
            return None
    with torch.no_grad():
        x.zero_()
    if n is None:
        return x
    else:
        return total + 1, n
'''
    assert (
        skeleton_of(source)
        == '''def f(x, n=2):
    """Say what it does."""

    def inner(y):
        return ...  # from y, with *

    total, _ = ...  # from x, with inner
    first = x[0] = ...  # from total, with *
    for i, row in ...:  # from x, with enumerate
        total = ...  # from i, row and total, with *
    while False:  # from n and total
        try:
            total = ...  # from n and total, with /
        except ZeroDivisionError:
            return None
    with torch.no_grad():
        ...  # from x, with .zero_
    if n is None:
        return x
    else:
        return ..., n  # from n and total, with +'''
    )

"""Notebook 01 shows the Translator that the package has."""

from __future__ import annotations

import ast
import inspect

from course_attention.experiments.seq2seq import translator
from tests.notebooks.running import read
from tools.notebooks import FOLDER

NOTEBOOK = read(FOLDER / "01_seq2seq_attention.ipynb")


def bare(source: str) -> dict[str, str]:
    """Return the methods of the class in a source, without annotations and docstrings, and without `translate`."""
    (shown,) = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    methods = {}
    for node in shown.body:
        if not isinstance(node, ast.FunctionDef) or node.name == "translate":
            continue
        names = [argument.arg for argument in node.args.args]
        body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
        methods[node.name] = f"{names} {[ast.unparse(one) for one in body]}"
    return methods


def test_same_translator():
    """Line by line, the class in the notebook does what the package's does."""
    (cell,) = [cell["source"] for cell in NOTEBOOK["cells"] if "class Translator" in cell["source"]]
    assert bare(cell) == bare(inspect.getsource(translator.Translator))
    assert set(bare(cell)) == {"__init__", "encode", "step", "forward"}

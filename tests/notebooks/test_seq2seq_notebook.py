"""Notebook 01 shows the Translator that the package has."""

from __future__ import annotations

import ast
import inspect

import pytest

from course_attention.experiments.seq2seq import translator
from tests.notebooks.running import read, run, without_demos
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
        body = [
            one
            for one in node.body
            if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        ]
        methods[node.name] = f"{names} {[ast.unparse(one) for one in body]}"
    return methods


def test_same_translator():
    """Line by line, the class in the notebook does what the package's does."""
    (cell,) = [cell["source"] for cell in NOTEBOOK["cells"] if "class Translator" in cell["source"]]
    assert bare(cell) == bare(inspect.getsource(translator.Translator))
    assert set(bare(cell)) == {"__init__", "encode", "step", "forward"}


WRITTEN = {
    "decode": """
@torch.no_grad()
def decode(model, source, allowed, n_steps):
    memory, state = model.encode(source, allowed)
    symbol, symbols, alignment = torch.full_like(source[:, 0], START), [], []
    for _ in range(n_steps):
        logits, state, distribution = model.step(symbol, state, memory, allowed)
        symbol = logits.argmax(dim=-1)
        symbols.append(symbol)
        alignment.append(distribution)
    return torch.stack(symbols, dim=1), alignment
""",
}


@pytest.mark.slow
def test_written_by_the_reader(tmp_path):
    """What a reader writes for no points is found right where it is right."""
    notebook = without_demos(NOTEBOOK)
    for cell in notebook["cells"]:
        cell["source"] = WRITTEN.get(cell["id"], cell["source"])
    said = {
        cell["id"]: cell["outputs"][0]["text"]
        for cell in run(notebook, tmp_path)["cells"]
        if cell["id"].startswith("try-")
    }
    assert said["try-decode"].startswith("All 12 symbols agree")

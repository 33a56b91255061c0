"""The table of properties: each stands there once, with all that is to be known of it."""

from __future__ import annotations

import ast
from pathlib import Path

import course_attention
from course_attention.judging import properties
from course_attention.judging.properties import PROPERTIES

PACKAGE = Path(course_attention.__file__).parent
# Of these a name is also the name of an argument, of an attribute, of a way to differ or of a reader in a notebook.
WORDS_OF_CODE = {
    "sinks",
    "axis",
    "base",
    "cache",
    "device",
    "dtype",
    "first token",
    "gradients",
    "greedy",
    "mask",
    "memory",
    "noise",
    "positions",
    "shape",
    "top_k",
    "top_p",
    "value",
    "values",
}


def test_names_are_told_apart() -> None:
    """No two properties share a name, and each constant is called as its property is."""
    assert len({one.name for one in PROPERTIES}) == len(PROPERTIES) > 30
    for one in PROPERTIES:
        assert getattr(properties, one.name.upper().replace(" ", "_")) is one


def test_words_and_weights() -> None:
    """Each has words for not holding; plain numbers weigh most and edges least."""
    for one in PROPERTIES:
        assert one.title and not one.title.endswith(".") and one.explanation.endswith((".", "?"))
    edges = [one.weight for one in PROPERTIES if one.edge and one is not properties.MEMORY]
    others = [one.weight for one in PROPERTIES if one.next and not one.edge]
    assert max(edges) < min(others) and max(others) == properties.VALUES.weight


def test_no_other_module_spells_a_name() -> None:
    """Whoever speaks of a property takes it from the table, so that a name is written once."""
    names = {one.name for one in PROPERTIES} - WORDS_OF_CODE
    spelt = {
        (str(file.relative_to(PACKAGE)), node.value)
        for file in PACKAGE.rglob("*.py")
        if file != Path(properties.__file__)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names
    }
    assert spelt == set()

"""What makes the site imports what it may, and draws the rooms as they are."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
from course_site.repository_links import adapted
from course_site.rooms import drawn, imports, layers

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site" / "course_site"
# What the site may import of the package: what is known and how it looks, and nothing of a student, a mark or a model.
ROOMS = {"course", "encyclopedia", "exercises", "judging", "practice", "presentation", "topics"}
LIBRARIES = {"docutils", "grimp", "latex2mathml", "sphinx", "course_site", "tools"}


def imported(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return names | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}


@pytest.mark.parametrize("file", sorted(SITE.glob("*.py")), ids=lambda file: file.stem)
def test_imports(file):
    """A module of the site imports rooms that say what is known, and few libraries; it is short."""
    names = imported(file)
    rooms = {name.split(".")[1] for name in names if name.startswith("course_attention.")}
    libraries = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"course_attention"}
    assert rooms <= ROOMS
    assert libraries <= LIBRARIES
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 200


def test_rooms():
    """The drawing has every room of the contract, and each room imports rooms of lower layers alone."""
    rows, found = layers(), imports()
    place = {room: number for number, row in enumerate(rows) for room in row}
    assert "judging" in found["exercises"] and "mechanisms" not in found["judging"]
    for room, others in found.items():
        assert all(place[room] < place[other] for other in others), room
    assert set(re.findall(r">(\w+)</text>", drawn())) == set(place)


@pytest.mark.parametrize(
    ("link", "leads_to"),
    [
        ("[a](testing.md#x)", "[a](testing.md#x)"),
        ("[a](../README.md)", "[a](../index.md)"),
        ("[a](../Makefile)", "[a](https://github.com/YOUR-ORGANISATION/attention-course/blob/main/Makefile)"),
        ("[a](../examples)", "[a](https://github.com/YOUR-ORGANISATION/attention-course/tree/main/examples)"),
        ("[a](https://x.org) [b](#here)", "[a](https://x.org) [b](#here)"),
        ("[a](https://github.com/YOUR-ORGANISATION/attention-course/blob/main/docs/testing.md#x)", "[a](testing.md#x)"),
    ],
)
def test_links(link, leads_to):
    """Links between pages stay; what is no page is on the code host."""
    assert adapted(link, "docs", {"docs/testing.md"}) == leads_to

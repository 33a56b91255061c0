"""Editors and type checkers know every public helper and its signature, though they load on first use."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import course_attention
from course_attention.topics import TOPICS
from tools.public_names import STUB, stub

ROOT = Path(__file__).resolve().parents[1]
USED = """\
from course_attention import __version__, attention, attention_output, softmax
reveal_type(attention)
reveal_type(__version__)
softmax(axes=0)
attention_output(1, 2, 3)
from course_attention import atention
"""


def test_stub_is_written():
    """The stub is what the registry says: after a change of it, `python tools/public_names.py` writes it again."""
    assert STUB.read_text(encoding="utf-8") == stub(TOPICS)


def test_stub_has_every_public_name():
    """Each public name is imported under its own name from a module that has it; nothing else is."""
    imports = [node for node in ast.parse(STUB.read_text("utf-8")).body if isinstance(node, ast.ImportFrom)]
    names = [(node.module, alias) for node in imports for alias in node.names]
    assert all(alias.name == alias.asname for _, alias in names)
    assert [alias.name for _, alias in names] == [*course_attention.__all__[:-1], "judge"]
    assert course_attention.__all__[-1] == "__version__"
    assert [m for m, alias in names if not hasattr(importlib.import_module(m), alias.name)] == []


@pytest.mark.journey
def test_mypy_sees_the_helpers(tmp_path):
    """mypy shows a helper's signature, and finds a wrong argument, one too many, and a name that is misspelt."""
    (tmp_path / "used.py").write_text(USED, encoding="utf-8")
    command = (
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        "pyproject.toml",
        "--cache-dir",
        tmp_path / "cache",
    )
    done = subprocess.run([*command, tmp_path / "used.py"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    lines = [line for line in done.stdout.splitlines() if "used.py" in line]
    told = [line.split("used.py:")[1] for line in lines if "defined in" not in line]
    assert told[0].startswith('2: note: Revealed type is "def (query: ')
    assert told[1] == '3: note: Revealed type is "str"'
    assert told[2].startswith("4: error: ") and "axes" in told[2]
    assert told[3].startswith("5: error: Too many arguments")
    assert told[4].startswith("6: error: ") and "atention" in told[4]
    assert len(told) == 5

"""Keeps the saved output of a cell that nbval does not compare, until the cell or what it calls has changed.

Such a cell prints what a training came to. It prints something else on each machine, and a reader on the web should
see one such run whole. So its output is written with a digest of what made it, and a later run writes over it only
where the digest is another one.

What makes an output: the cell, the cells above that share a variable with it, directly or over others, and the modules
that these cells import from the rooms where something is computed or drawn, with the data files beside these modules.
"""

from __future__ import annotations

import symtable
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from course_attention.course.colab import STANDING
from course_attention.course.free_names import used_names
from course_attention.course.workspace import MADE_FROM
from tools.computes_with import PACKAGE, computes_with

TAG = "nbval-ignore-output"
COMPUTING = ("mechanisms", "experiments", "figures", "models", "practice")


def differs_from_run_to_run(cell: dict) -> bool:
    """Whether nbval is told not to compare what a cell shows."""
    return cell["cell_type"] == "code" and TAG in cell["metadata"].get("tags", ())


def keep_outputs(new: dict, before: dict) -> None:
    """Give the cells of a notebook that has just run the outputs that they had, where nothing has changed since.

    Args:
        new: the notebook after a run, in canonical form; it is changed.
        before: as it was saved.
    """
    saved = {cell["id"]: cell for cell in before["cells"]}
    code = [cell for cell in new["cells"] if cell["cell_type"] == "code"]
    sources = [cell["source"] for cell in code]
    for index, cell in enumerate(code):
        if not differs_from_run_to_run(cell) or cell["id"] in STANDING:
            continue  # what every notebook has is the same on each machine, and is written anew
        made_from = digest(sources[: index + 1])
        old = saved.get(cell["id"])
        if old and old["metadata"].get(MADE_FROM) == made_from and old["outputs"]:
            cell["outputs"] = old["outputs"]
        cell["metadata"][MADE_FROM] = made_from


def digest(sources: Sequence[str]) -> str:
    """Return a digest of what makes the output of the last of these cells.

    Args:
        sources: the code cells of a notebook from its first to this one.
    """
    used = what_it_shares_with(sources)
    files = {file for file in computes_with(used) if file.relative_to(PACKAGE).parts[0] in COMPUTING}
    files |= {data for folder in {file.parent for file in files} for data in _data(folder)}
    found = sha256("\0".join(used).encode())
    for file in sorted(files):
        found.update(file.relative_to(PACKAGE).as_posix().encode() + _content(file))
    return found.hexdigest()[:12]


def what_it_shares_with(sources: Sequence[str]) -> list[str]:
    """Return the last of these cells, and those above that share a variable with it, directly or over others.

    Example:
        >>> what_it_shares_with(["import math", "a = 1", "b = 2", "c = a", "print(math.pi, c)"])
        ['import math', 'a = 1', 'c = a', 'print(math.pi, c)']
    """
    tables = [_table(source) for source in sources]
    imported = {one.get_name() for table in tables for one in table.get_symbols() if one.is_imported()}
    kept, names = [sources[-1]], _names(sources[-1], tables[-1])
    for source, table in zip(reversed(sources[:-1]), reversed(tables[:-1]), strict=True):
        here = _names(source, table)
        brings = {one.get_name() for one in table.get_symbols() if one.is_imported()}
        if names & (here - imported) or names & brings:
            kept.insert(0, source)
            names |= here
    return kept


def _names(source: str, table: symtable.SymbolTable) -> set[str]:
    set_here = {one.get_name() for one in table.get_symbols() if one.is_assigned()}
    return set_here | used_names(python_of(source))


@cache
def _table(source: str) -> symtable.SymbolTable:
    return symtable.symtable(python_of(source), "<cell>", "exec")


def python_of(source: str) -> str:
    """Return a cell's source without its lines for IPython alone."""
    return "\n".join("pass" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())


@cache
def _content(file: Path) -> bytes:
    return sha256(file.read_bytes()).digest()


def _data(folder: Path) -> list[Path]:
    """Return the data files in a folder, and in those below it that hold no module, such as the weights of a model."""
    files = [path for path in folder.iterdir() if path.is_file() and path.suffix != ".py"]
    below = (path for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__")
    return files + [file for path in below if not any(path.glob("*.py")) for file in _data(path)]

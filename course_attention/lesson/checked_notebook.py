"""Checks notebooks in a terminal: runs each in a kernel of its own, and hands back the cards of its checks."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_attention.lesson.progress import MARKS

_ASK = """\
import json as _json
from course_attention.lesson.checked_notebook import verdicts as _verdicts
print(_json.dumps(_verdicts({names})))"""


class CannotCheck(Exception):
    """A notebook cannot be checked; the message says why."""


@dataclass(frozen=True)
class Checked:
    """What a check cell showed.

    Attributes:
        name: the exercise or the practice.
        has_passed: whether the answer passed.
        card: the card, as plain text.
    """

    name: str
    has_passed: bool
    card: str


def check_notebook(path: Path, seconds: float = 600) -> list[Checked]:
    """Run a notebook in its own folder, and return what its checks say; the file stays as it is.

    Cells that raise do not stop it. Which answers passed is asked of the course, not read in the outputs.

    Args:
        path: of the notebook.
        seconds: that a cell may take.

    Raises:
        CannotCheck: there is no such notebook, it asks nothing, or it did not run to its end.

    Example:
        >>> check_notebook(Path("none.ipynb"))
        Traceback (most recent call last):
        ...
        course_attention.lesson.checked_notebook.CannotCheck: none.ipynb cannot be read as a notebook
    """
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = {name: cell for cell in notebook["cells"] if (name := _checks(cell))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise CannotCheck(f"{path} cannot be read as a notebook") from None
    if not cells:
        raise CannotCheck(f"{path} has no check cell")
    ran = _executed(path, _ASK.format(names=list(cells)), seconds)
    said = json.loads(_text(ran.pop()).splitlines()[-1])
    cards = {name: _text(cell) for cell in ran if (name := _checks(cell))}
    return [Checked(name, said[name], cards[name]) for name in cells]


def verdicts(names: list[str]) -> dict[str, bool]:
    """Return which of these the last check of this session has passed.

    Example:
        >>> verdicts(["attention"])
        {'attention': False}
    """
    from course_attention.lesson.check import has_passed

    return {name: has_passed(name) for name in names}


def lines(path: Path, checked: list[Checked]) -> Iterator[str]:
    """Yield the cards of what has not passed, and a line on each check.

    Example:
        >>> print(*lines(Path("02.ipynb"), [Checked("a", True, "card"), Checked("b", False, "card of b")]), sep="\\n")
        card of b
        <BLANKLINE>
        02.ipynb: 1 of 2 passed
          ✓ a
          ○ b
    """
    for one in checked:
        if not one.has_passed:
            yield f"{one.card}\n"
    yield f"{path}: {sum(one.has_passed for one in checked)} of {len(checked)} passed"
    for one in checked:
        yield f"  {MARKS['passed' if one.has_passed else 'open']} {one.name}"


def _checks(cell: dict[str, Any]) -> str:
    """Return what a cell checks, "" where it checks nothing."""
    about = cell["metadata"].get("nbgrader", {})
    named = str(about.get("grade_id", "")) if about.get("grade") else str(cell["metadata"].get("practice", ""))
    return named.removeprefix("check-") if cell["cell_type"] == "code" and named.startswith("check-") else ""


def _executed(path: Path, last: str, seconds: float) -> list[dict[str, Any]]:
    """Return the cells of a notebook after it has run, with one more at its end."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    node = nbformat.read(path, as_version=4)
    node.cells.append(nbformat.v4.new_code_cell(last))
    where = {"metadata": {"path": str(path.absolute().parent)}}
    client = NotebookClient(node, timeout=seconds, allow_errors=True, kernel_name="python3", resources=where)
    try:
        # What the kernel says of itself, such as how it is connected, is nothing to a student. Cells print elsewhere.
        client.execute(stderr=subprocess.DEVNULL)
    except (CellTimeoutError, DeadKernelError) as error:
        raise CannotCheck(f"{path} did not run to its end: {str(error).strip().splitlines()[0]}") from None
    cells: list[dict[str, Any]] = node.cells
    return cells


def _text(cell: dict[str, Any]) -> str:
    """Return what a cell shows, as plain text, without the number that is the value of its last line."""
    shown = []
    for output in cell["outputs"]:
        if output["output_type"] == "display_data":
            shown.append(output["data"].get("text/plain", ""))
        elif output["output_type"] == "stream" and output["name"] == "stdout":
            shown.append(output["text"])
        elif output["output_type"] == "error":
            shown.append(f"{output['ename']}: {output['evalue']}")
    return "\n".join(shown).strip()


def main(paths: list[Path], seconds: float) -> int:
    """Check notebooks one after the other, and print what they say; returns 1 where something has not passed."""
    failed = False
    for path in paths:
        checked = check_notebook(path, seconds)
        print("\n".join(lines(path, checked)), flush=True)
        failed |= not all(one.has_passed for one in checked)
    return int(failed)

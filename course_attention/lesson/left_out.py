"""Leaves out the cells of a notebook that need a library which is not installed, and says what they would have shown.

Such a cell begins with a comment: `# needs transformers: the table of twelve families`.
"""

import re
from collections.abc import Callable
from importlib import import_module, metadata

from course_attention.presentation.display import remark, show


def leave_out_without(library: str, at_least: str, extra: str) -> None:
    """Leave out, from here on, the cells that need a library, if it is not installed or too old. Say so in a line.

    Args:
        library: the name under which it is imported and installed.
        at_least: its lowest version, such as "5.0".
        extra: the extra of this course that installs it.

    Example:
        >>> leave_out_without("numpy", "1.0", extra="none")  # it is there: nothing happens
    """
    obstacle = _obstacle(library, at_least)
    if not obstacle:
        return
    text = (
        f"{obstacle}, so the cells that need it are left out, and each says what it would have shown. "
        f'To get it, run `pip install "course-attention[{extra}]"`, or `make {extra}` in a clone of the course; then '
        "restart the kernel."
    )
    show(remark(library, text))
    from IPython import get_ipython

    if (shell := get_ipython()) is not None:
        shell.input_transformers_cleanup.append(saying_what_is_left_out(library))


def saying_what_is_left_out(library: str) -> Callable[[list[str]], list[str]]:
    """Return what IPython does with the lines of a cell: one that needs the library only says what it would show.

    Example:
        >>> change = saying_what_is_left_out("torchvision")
        >>> change(["# needs torchvision: the pictures of the data set\\n", "import torchvision\\n"])
        ["print('Left out without torchvision: the pictures of the data set')\\n"]
        >>> change(["x = 1\\n"])
        ['x = 1\\n']
    """
    first_line = re.compile(rf"# needs {re.escape(library)}: (.*\S)\s*")

    def change(lines: list[str]) -> list[str]:
        found = first_line.fullmatch(lines[0]) if lines else None
        return lines if found is None else [f"print({f'Left out without {library}: {found[1]}'!r})\n"]

    return change


def _obstacle(library: str, at_least: str) -> str:
    """Say why a library cannot be used; "" where it can."""
    try:
        import_module(library)
        version = metadata.version(library)
    except ImportError:  # a missing distribution too
        return f"{library} is not installed"
    if _numbers(version) < _numbers(at_least):
        return f"{library} is {version}, and {at_least} or newer is needed"
    return ""


def _numbers(version: str) -> list[int]:
    """Return the numbers that a version begins with.

    Example:
        >>> _numbers("5.10.2.dev0") > _numbers("5.9")
        True
    """
    leading = re.match(r"\d+(?:\.\d+)*", version)
    return [] if leading is None else [int(part) for part in leading[0].split(".")]

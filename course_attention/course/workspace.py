"""Keeps a student's folder: its copies of the notebooks are never overwritten, only merged with a newer course.

The folder `.course_attention/` in it holds what the course must remember:

    installed/    each notebook as the course last put it there, so that edits, and a newer course, are told apart
    backups/      what a notebook was before each merge
"""

import json
import os
import stat
from datetime import datetime
from pathlib import Path

from course_attention.active_course import MARKER, active
from course_attention.course.as_taught import as_taught
from course_attention.course.whole_files import write_whole

MADE_FROM = "made_from"  # in a cell's metadata, what `make notebooks` notes about its saved outputs


class WorkspaceError(Exception):
    """The folder cannot be used; the message says why, and what to do."""


def course_notebooks() -> list[Path]:
    """Return the files of the active course's notebooks, in the order taught.

    Raises:
        CourseError: the package has lost its notebooks.
    """
    course = active()
    return [course.notebook(topic.notebook) for topic in course.topics]


def prepare(folder: Path, course: list[Path] | None = None) -> list[str]:
    """Bring `folder` up to date with the course.

    Args:
        folder: the workspace; made when it is not there. Files in it that are not the course's stay as they are.
        course: the course's notebooks, `course_notebooks()` unless given.

    Returns:
        One line for each thing done or left alone; no line for a notebook that is up to date.

    Raises:
        WorkspaceError: the folder is a file, cannot be written, or is where the course keeps its notebooks.
    """
    course = course_notebooks() if course is None else course
    folder = folder.absolute()
    if folder.exists() and not folder.is_dir():
        raise WorkspaceError(f"{folder} is a file; name a folder")
    if folder.resolve() in {source.parent.resolve() for source in course}:
        raise WorkspaceError(f"{folder} holds the course's own notebooks; name another folder for your copies")
    try:
        (folder / MARKER).mkdir(parents=True, exist_ok=True)
        return [line for source in course if (line := _bring(source, folder))]
    except OSError as error:
        reason = error.strerror or str(error)
        raise WorkspaceError(f"cannot write {error.filename or folder}: {reason}; name another folder") from error


def without_outputs(content: bytes) -> bytes:
    """Return the notebook as a student gets it: nothing has run, so that no result stands under the question about it.

    Raises:
        ValueError: this is no notebook.
    """
    notebook = json.loads(content)
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell.update(outputs=[], execution_count=None)
                cell["metadata"].pop(MADE_FROM, None)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"a notebook has a list of cells; got {str(notebook)[:80]}") from error
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def restore(folder: Path, name: str, course: list[Path] | None = None) -> str:
    """Put the course's copy of one notebook back, and keep what was there as a backup.

    Args:
        folder: the workspace.
        name: the beginning of the notebook's name, such as "02".
        course: the course's notebooks, `course_notebooks()` unless given.

    Returns:
        One line that says what was done.

    Raises:
        WorkspaceError: not exactly one notebook begins so, or the folder cannot be written.
    """
    course = course_notebooks() if course is None else course
    found = [source for source in course if name and source.name.startswith(name)]
    if len(found) != 1:
        names = ", ".join(source.stem for source in found or course)
        raise WorkspaceError(f"{len(found) or 'none'} of the notebooks' names begin with {name!r}; name one of {names}")
    mine = folder.absolute() / found[0].name
    try:
        backup = _back_up(mine, mine.read_bytes()) if mine.is_file() else None
        mine.unlink(missing_ok=True)
        _bring(found[0], folder.absolute())
    except OSError as error:
        raise WorkspaceError(f"cannot write {error.filename or mine}: {error.strerror or error}") from error
    kept = f"; as it was: {backup.relative_to(mine.parent)}" if backup else ""
    return f"restored {mine.name}{kept}"


def _bring(source: Path, folder: Path) -> str | None:
    """Copy, replace or merge one notebook, and say so in a line; None when it is up to date."""
    mine, installed = folder / source.name, folder / MARKER / "installed" / source.name
    new = without_outputs(as_taught(source))
    if not os.path.lexists(mine):
        write_whole(mine, new)
        write_whole(installed, new)
        return f"added {source.name}"
    if not mine.is_file():
        return f"left {source.name} alone: it is not a file"
    old = mine.read_bytes()
    if not installed.is_file():
        if old != new:
            return f"left {source.name} alone: the course did not put it there; move it away to get the course's"
        write_whole(installed, new)
        return None
    base = installed.read_bytes()
    if base == new:
        return None
    if not mine.stat().st_mode & stat.S_IWUSR:
        return f"left {source.name} alone: it is read-only; the course has a newer one"
    if old == base:
        line = f"updated {source.name}"
        write_whole(mine, new)
    elif old == new or _only_outputs_differ(base, new):
        line = None
    else:
        line = _merge(mine, old, base, new)
        if line.startswith("left"):  # tried again at the next start: the student may have mended it by then
            return line
    write_whole(installed, new)
    return line


def _only_outputs_differ(base: bytes, new: bytes) -> bool:
    """Whether the course has changed nothing since copies came with outputs: those in the student's own copy stay."""
    try:
        return without_outputs(base) == new
    except ValueError:
        return False


def _merge(mine: Path, old: bytes, base: bytes, new: bytes) -> str:
    from course_attention.course.merging import (  # nbformat loads only when there is something to merge
        Unreadable,
        merge,
    )

    try:
        merged, replaced = merge(old, base, new)
    except Unreadable as error:
        return (
            f"left {mine.name} alone: it cannot be read as a notebook ({error}); the course has a newer one. "
            f"To get it: course-attention start --restore {mine.stem[:2]}"
        )
    backup = _back_up(mine, old)
    write_whole(mine, merged)
    line = f"merged {mine.name} with the newer course: your answers and the cells you added are kept"
    if replaced:
        cells = "1 cell" if replaced == 1 else f"{replaced} cells"
        line += f", {cells} that you and the course had both changed came back as in the course"
    return f"{line}; as it was: {backup.relative_to(mine.parent)}"


def _back_up(mine: Path, content: bytes) -> Path:
    backup = mine.parent / MARKER / "backups" / f"{mine.stem}.{datetime.now():%Y-%m-%d_%H%M%S_%f}.ipynb"
    write_whole(backup, content)
    return backup

"""Keeps the results of submissions that are no longer there aside: no view holds them, and nothing is lost."""

import os
from collections.abc import Sequence
from pathlib import Path

from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import result_files

FOLDER = "withdrawn"


def keep_only(results: Path, submissions: Sequence[Submission]) -> None:
    """Let `results/` hold the results of these submissions alone: others go to `withdrawn/`, or come back from there.

    Where a result only has another name by now, because a second assignment holds the same notebook, it is renamed.
    What is brought back is asked what any result is asked: whether its file, its seed and its judge are still the same.

    Args:
        results: the folder of results.
        submissions: all that were handed in.

    Raises:
        OSError: a file cannot be moved.
    """
    own = {result_files.path_of(results, one): one for one in submissions}
    renamed: dict[tuple[Path, object, object], Path] = {
        (path.parent, one.assignment, one.notebook): path for path, one in own.items()
    }
    for path in result_files.paths(results):
        if path not in own:
            record = result_files.read(path) or {}
            to = renamed.get((path.parent, record.get("assignment"), record.get("notebook")))
            _move(path, to or _aside(results, path))
    for path in own:
        aside = _aside(results, path)
        if aside.is_file() and not path.exists():
            _move(aside, path)


def names(results: Path) -> list[str]:
    """Return `{student}/{notebook}` of each result that was set aside, sorted."""
    found = (results / FOLDER).glob("[!.]*/[!.]*.json")
    return sorted(path.relative_to(results / FOLDER).with_suffix("").as_posix() for path in found)


def _aside(results: Path, path: Path) -> Path:
    return results / FOLDER / path.relative_to(results / result_files.FOLDER)


def _move(path: Path, to: Path) -> None:
    for folder in (to.parent.parent, to.parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    if path.parent != to.parent or not to.exists():
        os.replace(path, to)
    else:  # its successor is there already
        path.unlink()
    if not any(path.parent.iterdir()):
        path.parent.rmdir()

"""Recognises a notebook of the course under another name: by the exercises and cell ids in it, else by its name."""

import re
from functools import cache
from itertools import islice
from pathlib import Path

from course_attention.course.cells import course_notebook, course_stems
from course_attention.grading.reading.notebook_files import Unreadable, read_file

_IDENTITY = re.compile(rb'"(?:grade_id|id)"\s{0,9}:\s{0,9}"(?:check-)?(\w{1,99}+)"')

_MOST_IDENTITIES = 50_000  # that are looked at; a file may be made of millions


def recognise(path: Path, stem: str) -> str:
    """Recognise a notebook of the course under another name.

    Args:
        path: the file.
        stem: its name without the ending.

    Returns:
        The stem of the course's notebook that it is; `stem` where it is none of them.
    """
    try:
        content = read_file(path)
    except Unreadable:
        content = b""
    found = {match[1] for match in islice(_IDENTITY.finditer(content), _MOST_IDENTITIES)}
    shared = {known: len(found & ids) for known, ids in _identities().items()}
    best = max(shared, key=lambda known: shared[known])
    if shared[best]:
        return best
    return next((known for known in course_stems() if known.lower() in stem.lower()), stem)


@cache
def _identities() -> dict[str, frozenset[bytes]]:
    """Return for each course notebook the ids and exercises by which it is recognised."""
    known = {}
    for stem in course_stems():
        if notebook := course_notebook(stem):
            known[stem] = frozenset(cell.id.removeprefix("check-").encode() for cell in notebook.cells)
    return known

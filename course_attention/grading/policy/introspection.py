"""Finds cells that inspect Python or the grader, which no answer needs; the instructor is asked to read them.

An answer shares its process with what calls it, so it can lie about itself, though not about its numbers. The sandbox
keeps it from everything else, and the judge believes numbers alone. The note is for what remains.
"""

from __future__ import annotations

import re

_INTROSPECTION = re.compile(
    r"course_attention\.(?:grading|execution|judging|exercises)\b|\bwithheld\b|\bLocalRunner\b|\bsys\.modules\b"
    r"|\bgc\.get_\w+|\b_getframe\b|\bf_back\b|__closure__|__wrapped__|__subclasses__|\bset(?:trace|profile)\b"
    r"|\baddaudithook\b|\bctypes\b|\bfileno=3\b|/proc/"
)


def named_in(source: str) -> str:
    """Find the first thing of that kind that a source names; "" where there is none.

    Example:
        >>> named_in("import sys; del sys.modules['torch']")
        'sys.modules'
        >>> named_in("import torch")
        ''
    """
    found = _INTROSPECTION.search(source)
    return found[0] if found else ""

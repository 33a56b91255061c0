"""Answers to the exercises, each stored once; a folder for each topic, a file for each exercise.

The files are read, not run, by the corpus of `course_attention.grading`, which says what may stand in them. They go
into the wheel, for `course-attention simulate-class` hands such answers in.
"""

from __future__ import annotations

from collections.abc import Callable


def change(answer: Callable, *pieces: tuple[str, ...]) -> Callable:
    """Return another answer with pieces of its text replaced.

    Args:
        answer: that stands above in the same file. It is written out, or a change of one that is.
        pieces: for each the old text, which occurs once in the answer's, and the lines that take its place: those after
            the first are indented as the line in which the old text begins. A line of which "" leaves nothing goes.
            Without pieces, the answer is the same one under another kind.

    Raises:
        TypeError: always: the files of the corpus are read.
    """
    raise TypeError("a file of the corpus is read as a text, not imported")

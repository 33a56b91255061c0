"""What an instructor sees in the terminal while a class is graded: a bar, lines above it, and errors in a line."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from course_attention.grading.errors import CannotGrade

if TYPE_CHECKING:
    from tqdm import tqdm


class ProgressBar:
    """A bar on stderr, from the first submission to the last."""

    def __init__(self) -> None:
        self._bar: tqdm[None] | None = None

    def show(self, done: int, total: int) -> None:
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(total=total, unit="notebook", file=sys.stderr)
        self._bar.update(done - self._bar.n)
        if done == total:
            self._bar.close()

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.clear()
        print(f"course-attention grade: {line}", file=sys.stderr)
        if self._bar is not None:
            self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


@contextlib.contextmanager
def errors_in_a_line() -> Iterator[None]:
    """A folder that cannot be read or a full disk is told in a line, and so is Ctrl-C."""
    try:
        yield
    except OSError as error:
        from course_attention.presentation.visible_text import visible

        where = f"{visible(str(error.filename))}: " if error.filename else ""
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        then = "; make room, and the same command goes on from here" if full else ""
        raise CannotGrade(f"{where}{error.strerror or error}{then}") from error
    except KeyboardInterrupt:
        raise CannotGrade("stopped; the same command goes on from here") from None

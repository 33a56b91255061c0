"""What an instructor sees in the terminal while a class is graded: a bar, lines above it, and errors in a line."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from course_attention.grading.errors import CannotGrade

if TYPE_CHECKING:
    from tqdm import tqdm

INCOMPLETE = 1  # exit code where a submission ended in no status, or the grader itself failed at an exercise
NOT_JUDGED = "hold an answer at which the grader itself failed: it has no score, and the notes say more"


class ProgressBar:
    """A bar on stderr, from the first submission to the last.

    Where nobody takes it, the class is graded all the same.
    """

    def __init__(self) -> None:
        self._bar: tqdm[None] | None = None
        self._stream: Any = _Stderr()

    def show(self, done: int, total: int) -> None:
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(total=total, unit="notebook", file=self._stream)
        self._bar.update(done - self._bar.n)
        if done == total:
            self._bar.close()

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.clear()
        print(f"course-attention grade: {line}", file=self._stream)
        if self._bar is not None:
            self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Stderr:
    """The stream stderr, as far as anybody takes what is written to it: it may be closed, or on a disk that is full."""

    def write(self, text: str) -> int:
        if sys.stderr is not None:
            try:
                sys.stderr.write(text)
            except OSError:
                _lead_nowhere(sys.stderr)
        return len(text)

    def flush(self) -> None:
        if sys.stderr is not None:
            sys.stderr.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)


@contextlib.contextmanager
def telling() -> Iterator[None]:
    """Turn an output that nobody can read into an error in a line: what was done is done."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        _lead_nowhere(sys.stdout)
        raise CannotGrade(f"what was done cannot be printed: {error.strerror or error}") from error


def _lead_nowhere(stream: TextIO) -> None:
    """Let what a stream still holds, and what is written to it from now on, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextlib.contextmanager
def errors_in_a_line() -> Iterator[None]:
    """Tell in a line of a folder that cannot be read, a full disk, Ctrl-C, or the end of a terminal."""
    try:
        with _stopping():
            yield
    except UnicodeEncodeError as error:
        raise CannotGrade(
            f"a student's name cannot be written in {error.encoding}, the encoding of this locale; put PYTHONUTF8=1 in "
            "front of the command"
        ) from error
    except OSError as error:
        from course_attention.presentation.visible_text import visible

        where = f"{visible(str(error.filename))}: " if error.filename else ""
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        then = "; make room, and the same command goes on from here" if full else ""
        raise CannotGrade(f"{where}{error.strerror or error}{then}") from error
    except KeyboardInterrupt:
        raise CannotGrade("stopped; the same command goes on from here") from None


@contextlib.contextmanager
def _stopping() -> Iterator[None]:
    """Within it, the signals that end a program stop it as Ctrl-C does. One that is ignored, as by nohup, stays so."""
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has not both
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

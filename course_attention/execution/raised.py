"""Says of an exception that an answer raised what it was, and in which line of the answer's own."""

import inspect
import linecache
import textwrap
import traceback
from collections.abc import Callable
from typing import Any

from course_attention.execution.protocol import Raised

# Of an exception, before it is shortened: for a text of a megabyte that would take half a minute.
_LONGEST_MESSAGE = 10_000


def raised_by(answer: Callable[..., Any], error: BaseException, stage: str = "call") -> Raised:
    """Return what an exception says, with the innermost line of the answer's own source that it came through.

    Args:
        answer: the function or class that was called.
        error: what it raised.
        stage: "construct", "load" or "call".

    Example:
        >>> raised_by(len, ValueError("two\\nlines")).message
        'two'
    """
    frames = traceback.extract_tb(error.__traceback__)
    own_files = files_of(answer)
    own = [frame for frame in frames if frame.filename in own_files]
    line = (own[-1].line or linecache.getline(own[-1].filename, own[-1].lineno or 0).strip()) if own else ""
    last_is_own = bool(own) and frames[-1] == own[-1]
    return Raised(
        type=type(error).__name__,
        message=_message(error, whole=stage == "load"),
        line=line or "",
        stage=stage,
        unwritten=isinstance(error, NotImplementedError) and last_is_own,
    )


def files_of(answer: Callable[..., Any]) -> set[str]:
    """Return where the answer's own code is: a function's, or that of a class's methods."""
    functions = vars(answer).values() if inspect.isclass(answer) else [answer]
    codes = (getattr(inspect.unwrap(f), "__code__", None) for f in functions if callable(f))
    return {code.co_filename for code in codes if code is not None}


def _message(error: BaseException, whole: bool) -> str:
    """Return what an exception says: its first line, or all lines as one."""
    try:
        lines = [line.strip() for line in str(error)[:_LONGEST_MESSAGE].strip().splitlines()]
    except Exception:  # noqa: BLE001 - an exception's own __str__ may be a student's code
        return ""
    return textwrap.shorten(" ".join(lines if whole else lines[:1]), 400, placeholder=" …")

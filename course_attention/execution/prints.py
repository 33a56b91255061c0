"""Keeps what an answer prints while it is called, for whoever wants to show it."""

import contextlib
import io
from collections.abc import Iterator
from contextvars import ContextVar

LONGEST = 2_000  # characters of one call: an endless loop may print without end
MOST_CALLS = 5

_kept: ContextVar[list[str] | None] = ContextVar("kept", default=None)


class _Capped(io.StringIO):
    """A stream that forgets what is written beyond the first characters."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, LONGEST - self.tell())])
        return len(text)


@contextlib.contextmanager
def prints_kept() -> Iterator[list[str]]:
    """Within it, what answers print is kept.

    Yields:
        A text for each call that printed something else than the call before it: of the first such calls, in order.

    Example:
        >>> with prints_kept() as printed:
        ...     with prints_caught():
        ...         print("one")
        >>> printed
        ['one\\n']
    """
    texts: list[str] = []
    token = _kept.set(texts)
    try:
        yield texts
    finally:
        _kept.reset(token)


@contextlib.contextmanager
def prints_caught() -> Iterator[None]:
    """Within it, nothing is printed: stdout is kept where somebody asked for it, and stderr goes nowhere."""
    caught = _Capped()
    try:
        with contextlib.redirect_stdout(caught), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        texts, text = _kept.get(), caught.getvalue()
        if texts is not None and text.strip() and len(texts) < MOST_CALLS and text not in texts[-1:]:
            texts.append(text)

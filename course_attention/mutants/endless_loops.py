"""Ends what computes for too long: a change of a loop's condition may make a loop that never ends."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

LIMITED = hasattr(signal, "setitimer")  # Windows has no timer that counts a process's own seconds
_AGAIN = 0.2  # seconds


@contextlib.contextmanager
def ends_loops(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what computes for longer, and again every moment until it has ended.

    One error is not enough. The judge takes it for the answer's own and calls the answer with the next case, where the
    loop begins anew. The timer counts the seconds that this process computes, so that a busy machine ends nothing, and
    it leaves the alarm to others, such as pytest-timeout. Where the system has no such timer, nothing is ended.

    Args:
        seconds: how long it may compute.

    Example:
        >>> with contextlib.suppress(TimeoutError), ends_loops(0.1):
        ...     while LIMITED:
        ...         pass
    """
    if not LIMITED:
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"may compute for {seconds} s, and did not end in that time")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

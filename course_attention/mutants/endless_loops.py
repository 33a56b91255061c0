"""Ends what computes for too long: a change of a loop's condition may make a loop that never ends."""

import contextlib
import ctypes
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

LIMITED = hasattr(signal, "setitimer")  # Windows has no timer that counts a process's own seconds
_AGAIN = 0.2  # seconds


@contextlib.contextmanager
def ends_loops(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what computes for longer, and again every moment until it has ended.

    One error is not enough. The judge takes it for the answer's own and calls the answer with the next case, where the
    loop begins anew. The timer counts the seconds that this process computes, so that a busy machine ends nothing, and
    it leaves the alarm to others, such as pytest-timeout. Where the system has no such timer, nothing is ended in the
    main thread. A click on a widget may be handled in a thread of its own, which signals do not reach: there another
    thread watches this one.

    Args:
        seconds: how long it may compute.

    Example:
        >>> with contextlib.suppress(TimeoutError), ends_loops(0.1):
        ...     while LIMITED:
        ...         pass
    """
    if threading.current_thread() is not threading.main_thread():
        with _watched(seconds):
            yield
        return
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


@contextlib.contextmanager
def _watched(seconds: float) -> Iterator[None]:
    """Do the same in a thread that is not the main one, where no signal arrives."""
    thread, spent = ctypes.c_ulong(threading.get_ident()), _clock_of_this_thread()
    end, ending = spent() + seconds, threading.Lock()
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(_AGAIN):
            with ending:
                if not is_over.is_set() and spent() >= end:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TimeoutError))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        while not is_over.is_set():
            # An error that is on its way arrives here, where a loop turns, and not in what comes afterwards. To call it
            # back is no way out: where a tracer runs, CPython 3.11 would then look for errors for ever, and do no more.
            with contextlib.suppress(TimeoutError):
                with ending:
                    is_over.set()
                for _ in range(2):
                    pass


def _clock_of_this_thread() -> Callable[[], float]:
    """Return a clock of the seconds that this thread computes, or of all seconds where the system has no such clock."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    clock = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(clock)

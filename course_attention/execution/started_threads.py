"""Lets a context reach threads: what watches an answer is known to torch in one thread alone; others start bare."""

import _thread
import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

# All ways to start a thread come to one of these; which there are depends on Python's version.
_STARTS = (
    (_thread, "start_new_thread"),
    (_thread, "start_new"),
    (_thread, "start_joinable_thread"),
    (threading, "_start_new_thread"),
    (threading, "_start_joinable_thread"),
)


@contextlib.contextmanager
def started_within(context: Callable[[], AbstractContextManager[Any]]) -> Iterator[None]:
    """Run each thread that starts in this block within a context of its own.

    Args:
        context: makes it, in the thread.

    Example:
        >>> said = []
        >>> with started_within(lambda: contextlib.nullcontext(said.append("begins"))):
        ...     thread = threading.Thread(target=said.append, args=["runs"])
        ...     thread.start()
        >>> thread.join()
        >>> said
        ['begins', 'runs']
    """

    def started(start: Callable[..., Any]) -> Callable[..., Any]:
        def start_within(function: Callable[..., Any], *rest: Any, **options: Any) -> Any:
            def within(*args: Any, **kwargs: Any) -> Any:
                with context():
                    return function(*args, **kwargs)

            return start(within, *rest, **options)

        return start_within

    with contextlib.ExitStack() as undone:
        for module, name in _STARTS:
            if (start := getattr(module, name, None)) is not None:
                undone.callback(setattr, module, name, start)
                setattr(module, name, started(start))
        yield

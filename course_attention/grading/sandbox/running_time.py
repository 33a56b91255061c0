"""A clock that stands still while this process does: stopped by Ctrl-Z, in a container or machine that is paused.

The time that a submission may take is its own. A reply is not late because nobody was there to take it.
"""

import os
import threading
import time
from collections.abc import Callable

_PERIOD = 0.25  # seconds between two looks at the system's clock
_SLACK = 1.0  # seconds between two looks that a busy machine may cause; what is above was a stop


class RunningTime:
    """Seconds in which this process could run.

    Args:
        monotonic: the system's clock, which goes on while the process is stopped.
        ticking: look at it in a thread, so that a long wait is not taken for a stop.

    Example:
        >>> times = iter([100.0, 100.5, 4000.0])
        >>> clock = RunningTime(lambda: next(times), ticking=False)
        >>> [clock.now() - 100 for _ in range(3)]
        [0.0, 0.5, 1.5]
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, ticking: bool = True) -> None:
        self._monotonic, self._ticking = monotonic, ticking
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._last: float | None = None
        self._stopped = 0.0

    def now(self) -> float:
        """Return the seconds so far, from no particular moment."""
        with self._lock:
            here = self._monotonic()
            if self._last is None and self._ticking:
                threading.Thread(target=self._tick, daemon=True).start()
                os.register_at_fork(after_in_child=self._begin)  # the thread is not in the child
            elif self._last is not None:
                self._stopped += max(0.0, here - self._last - _SLACK)
            self._last = here
            return here - self._stopped

    def _tick(self) -> None:
        while True:
            time.sleep(_PERIOD)
            self.now()


now = RunningTime().now

"""Runs tasks on the workers of a Dask cluster, through an executor like that of this machine's processes."""

from __future__ import annotations

import contextlib
import gc
import logging
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any

from course_attention.grading.run.scheduling.executors import ATTEMPTS, BEFORE_THE_FIRST, CannotRun, Workers

if TYPE_CHECKING:
    import distributed

_CONNECT = 10.0  # seconds
_FEW, _MANY = 16, 256  # submissions in flight: workers may join later; and all of them are in memory here
_LOGGERS = ("distributed", "tornado", "asyncio")


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """Connect to the cluster whose scheduler listens at an address.

    Raises:
        CannotRun: `distributed` is missing, or no scheduler answers.
    """
    try:
        import distributed
    except ImportError:
        raise CannotRun("Dask is not installed; type: pip install 'course-attention[cluster]'") from None
    _silence()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="distributed")  # of versions that differ a little, of large tasks
        connection = _Connection(address, distributed.Client)
        try:
            threads = sum(connection.client().ncores().values())
            note = "" if threads else f"the cluster at {address} has no workers yet: waiting for some"
            yield Workers(
                lambda: _OnCluster(connection),
                in_flight=min(max(2 * threads, _FEW), _MANY),
                at_once=_MANY,  # workers may join later
                starting=f"the cluster's workers start their sandboxes{BEFORE_THE_FIRST}",
                note=note,
            )
        finally:
            connection.close()


class _Connection:
    """A connection to a scheduler, which is made again where it was lost."""

    def __init__(self, address: str, make: Callable[..., distributed.Client]) -> None:
        self._address, self._make = address, make
        self._client: distributed.Client | None = None

    def client(self) -> distributed.Client:
        if self._client is None or self._client.status != "running":
            self.close()
            # A client that found no scheduler ends when Python collects it. If that happened while the next one starts,
            # the first would wait for a lock of Dask's that the second holds, for ever.
            gc.collect()
            try:
                self._client = self._make(self._address, timeout=_CONNECT, set_as_default=False)
            except Exception as error:  # Dask documents none; an address can be wrong in many ways
                raise CannotRun(f"no Dask scheduler answers at {self._address}") from error
        return self._client

    def close(self) -> None:
        if self._client is not None:
            with contextlib.suppress(Exception):  # a scheduler that is gone cannot be taken leave of
                self._client.close(timeout=_CONNECT)
            self._client = None


class _OnCluster(Executor):
    """Dask's own executor never answers for a result that is lost on its way here; this one cancels its future."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        there = self._connection.client().submit(function, *args, **kwargs, pure=False, retries=ATTEMPTS)
        here: Future[Any] = Future()
        here.set_running_or_notify_cancel()
        there.add_done_callback(lambda done: _hand_over(done, here))
        return here


def _hand_over(done: distributed.Future[Any], here: Future[Any]) -> None:
    """Pass on what Dask's future holds; CancelledError where Dask, or the connection to it, has lost the result."""
    try:
        result = None if done.status == "error" else done.result(timeout=60.0)
        error = done.exception(timeout=60.0) if done.status == "error" else None
    except BaseException as lost:  # noqa: BLE001 - whatever it was, somebody waits
        error = CancelledError(repr(lost))
    if error is None:
        here.set_result(result)
    else:
        here.set_exception(error)


def _silence() -> None:
    """Keep Dask's log messages from the terminal; what matters comes back as an error."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)

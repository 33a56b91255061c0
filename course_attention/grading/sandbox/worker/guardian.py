"""Guards one submission: forks its worker, waits for its end or brings it about, and says how it ended."""

import contextlib
import json
import os
import select
import signal
import socket
from collections.abc import Mapping
from typing import Any, NoReturn

from course_attention.grading.sandbox.worker import memory_use, namespaces, submission
from course_attention.grading.sandbox.worker.shell import Shell

_WATCH_EVERY = 0.1  # seconds between two looks at the memory of all of a submission's processes


def guard(
    shell: Shell, message: Mapping[str, Any], channel_fd: int, status_fd: int, cgroup_fd: int | None = None
) -> NoReturn:
    """Guard one submission; this process ends with it.

    Args:
        shell: runs its cells.
        message: how it is isolated and limited.
        channel_fd: the worker's descriptor for the judge's messages.
        status_fd: the descriptor on which the judge is told how the worker ended.
        cgroup_fd: the descriptor by which the worker enters its cgroup; without one, memory is counted here.
    """
    status = socket.socket(fileno=status_fd)
    try:
        namespaces.die_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        isolated = message["isolated"]
        if isolated:
            namespaces.separate()
        worker = os.fork()
        if worker == 0:
            status.close()
            if cgroup_fd is not None:
                os.write(cgroup_fd, b"0")  # which stands for the process that writes
            submission.run(shell, message, channel_fd)
        os.close(channel_fd)
        counted = isolated and cgroup_fd is None
        limit = message["limits"]["memory"] if counted else 0
        ended = _outlive(worker, status, isolated, limit, list(message["fresh"]))
        status.sendall(json.dumps(ended).encode())
    except OSError as error:
        with contextlib.suppress(OSError):
            status.sendall(json.dumps({"refused": str(error)}).encode())
    finally:
        os._exit(0)


def _outlive(worker: int, status: socket.socket, isolated: bool, limit: int, folders: list[str]) -> dict[str, Any]:
    """Wait for the worker's end, or bring it about: when the judge hangs up, or the submission uses too much memory.

    Args:
        worker: its process.
        status: the socket on which the judge hangs up.
        isolated: whether it has namespaces of its own.
        limit: bytes of memory for all of the submission; 0 where they are not counted here.
        folders: the submission's folders that are held in memory.
    """
    out_of_memory = False
    ended = 0
    watched: list[int | socket.socket] = [status]
    if hasattr(os, "pidfd_open"):
        watched.append(os.pidfd_open(worker))
    while True:
        ready = _ready(watched, _WATCH_EVERY)
        finished, ended = os.waitpid(worker, os.WNOHANG)
        if finished:
            break
        out_of_memory = limit > 0 and memory_use.too_much(limit, folders, lambda: bool(_ready([status])))
        if status in ready or out_of_memory:
            _end(worker, isolated)
            _, ended = os.waitpid(worker, 0)
            break
    code = os.waitstatus_to_exitcode(ended)
    if not isolated:
        _end(worker, isolated)  # what it has left behind
    return {"code": code, "out_of_memory": out_of_memory}


def _ready(watched: list[int | socket.socket], seconds: float = 0.0) -> list[int | socket.socket]:
    """Return the descriptors that can be read, or that can be within that time."""
    return select.select(watched, [], [], seconds)[0]


def _end(worker: int, isolated: bool) -> None:
    """Kill the worker: the first process of a namespace takes all others with it, a group's leader does not."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if isolated:
            os.kill(worker, signal.SIGKILL)
        else:
            os.killpg(worker, signal.SIGKILL)

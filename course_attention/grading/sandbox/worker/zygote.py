"""Imports once and forks for each submission.

Importing torch takes seconds, a fork milliseconds. The first process imports what every notebook needs; for each
notebook it forks one that imports that notebook's modules, with stand-ins for what is withheld; that one forks a
guardian for each submission, and the guardian the worker, in namespaces of its own. The guardian says how the worker
ended, and ends it when the judge hangs up.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Mapping
from typing import Any

from course_attention.grading.sandbox.channel import Channel, ChannelClosed
from course_attention.grading.sandbox.worker import limits, namespaces

_HIGHEST_DESCRIPTOR = 4096  # beyond which nothing here opens one
_FROM_THE_JUDGE = 100_000  # arrays: a rehearsal holds all cases of a notebook
_WATCH_EVERY = 0.25  # seconds between two looks at the memory of all of a submission's processes


def main(control: socket.socket) -> None:
    """The first process: import, then fork a process for each notebook that is asked for."""
    namespaces.die_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes of the notebooks
    _warm_up()
    notebooks: dict[str, socket.socket] = {}
    Channel(control).send({"ready": True})
    while True:
        message, fds = _receive(control)
        stem = message["notebook"]
        if stem not in notebooks:
            notebooks[stem], theirs = socket.socketpair()
            if _fork() == 0:
                control.close()
                _close(fds)
                for other in notebooks.values():
                    other.close()
                _serve_notebook(theirs)
            theirs.close()
        _send(notebooks[stem], message, fds)
        _close(fds)


def _serve_notebook(control: socket.socket) -> None:
    """The process of one notebook: import its modules, then fork for each submission."""
    namespaces.die_with_parent(signal.SIGKILL)
    cells = None
    while True:
        message, fds = _receive(control)
        if cells is None:
            cells = _prepare(message)
        if _fork() == 0:
            control.close()
            _guard(cells, message, *fds)
        _close(fds)


def _warm_up() -> None:
    os.environ.update(MPLBACKEND="agg", MPLCONFIGDIR="/tmp/matplotlib", HOME="/tmp", TQDM_DISABLE="1")
    import matplotlib.pyplot  # noqa: F401
    import torch

    from course_attention.execution import arrays, local, tensors  # noqa: F401
    from course_attention.mechanisms import contracts, number_rules  # noqa: F401

    torch.set_num_threads(1)
    gc.freeze()


def _prepare(message: Mapping[str, Any]) -> Any:
    from course_attention.grading.sandbox.worker import withheld
    from course_attention.grading.sandbox.worker.cells import Cells
    from course_attention.grading.sandbox.worker.lesson import replace_lesson
    from course_attention.grading.sandbox.worker.warming_up import rehearse

    os.environ["COURSE_ATTENTION_DEVICE"] = message["device"]
    if message["device"] == "cpu":  # CUDA does not survive a fork
        rehearse(message["rehearsal"])
    withheld.withhold(message["withheld"])
    if message["free"]["names"]:
        withheld.release(message["topic"], message["free"]["source"], message["free"]["names"])
    replace_lesson(message["device"])
    for module in message["imports"]:
        with contextlib.suppress(Exception):  # the cell that imports it will say so
            importlib.import_module(module)
    withheld.wrap_ready_made(message["ready_made"])
    cells = Cells()
    gc.freeze()
    return cells


def _guard(cells: Any, message: Mapping[str, Any], channel_fd: int, status_fd: int) -> None:
    """The guardian of one submission; never returns."""
    status = socket.socket(fileno=status_fd)
    try:
        namespaces.die_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        isolated = message["isolated"]
        if isolated:
            namespaces.separate()
        worker = _fork()
        if worker == 0:
            status.close()
            _work(cells, message, channel_fd)
        os.close(channel_fd)
        status.sendall(json.dumps(_outlive(worker, status, message["limits"]["memory"], isolated)).encode())
    except OSError as error:
        with contextlib.suppress(OSError):
            status.sendall(json.dumps({"refused": str(error)}).encode())
    finally:
        os._exit(0)


def _outlive(worker: int, status: socket.socket, memory: int, isolated: bool) -> dict[str, Any]:
    """Wait for the worker's end, or bring it about: when the judge hangs up, or its processes use too much memory."""
    out_of_memory = False
    ended = 0
    watched = [os.pidfd_open(worker), status] if hasattr(os, "pidfd_open") else [status]
    while True:
        ready = _ready(watched, _WATCH_EVERY)
        finished, ended = os.waitpid(worker, os.WNOHANG)
        if finished:
            break
        out_of_memory = bool(isolated and memory) and limits.too_much(memory, lambda: bool(_ready([status])))
        if status in ready or out_of_memory:
            _end(worker, isolated)
            _, ended = os.waitpid(worker, 0)
            break
    code = os.waitstatus_to_exitcode(ended)
    if not isolated:
        _end(worker, isolated)  # what it has left behind
    return {"code": code, "out_of_memory": out_of_memory}


def _ready(watched: list[Any], seconds: float = 0.0) -> list[Any]:
    """Those of some descriptors that have something to say, or come to have it within that time."""
    return select.select(watched, [], [], seconds)[0]


def _end(worker: int, isolated: bool) -> None:
    """Kill the worker: the first process of a namespace takes all others with it, a group's leader does not."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if isolated:
            os.kill(worker, signal.SIGKILL)
        else:
            os.killpg(worker, signal.SIGKILL)


def _work(cells: Any, message: Mapping[str, Any], channel_fd: int) -> None:
    """The worker: first process of its namespace; never returns."""
    from course_attention.grading.sandbox.worker.session import Session

    try:
        namespaces.die_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        channel_fd = _only(channel_fd)
        if message["isolated"]:
            for path, megabytes in message["fresh"].items():
                namespaces.fresh_folder(path, megabytes, message["kept"][path], message["aside"])
            for path in message["hidden"]:
                namespaces.empty_folder(path)
            namespaces.own_processes()
            namespaces.give_up_rights()
        scratch = message["scratch"]
        os.makedirs(scratch, exist_ok=True)
        os.chdir(scratch)
        # A module beside the notebook can be imported; a torch.py there is not torch.
        sys.path[:] = [*(path for path in sys.path if path), scratch]
        limits.limit(message["limits"])
        Session(cells, Channel(socket.socket(fileno=channel_fd))).serve()
    except BaseException:  # noqa: BLE001 - whatever it was, the judge sees a worker that ended
        os._exit(70)
    os._exit(0)


def _only(channel_fd: int) -> int:
    """Close everything but the channel, which becomes descriptor 3; nothing is read or printed."""
    kept = os.dup2(channel_fd, 3) if channel_fd != 3 else 3
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    os.closerange(4, _HIGHEST_DESCRIPTOR)
    return kept


def _fork() -> int:
    sys.stdout.flush()
    return os.fork()


def _receive(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    try:
        message = Channel(control, most_arrays=_FROM_THE_JUDGE).receive()
        _, fds, _, _ = socket.recv_fds(control, 1, 2)
    except ChannelClosed:
        os._exit(0)
    return message, fds


def _send(control: socket.socket, message: Mapping[str, Any], fds: list[int]) -> None:
    Channel(control).send(message)
    socket.send_fds(control, [b"."], fds)


def _close(fds: list[int]) -> None:
    for fd in fds:
        os.close(fd)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))

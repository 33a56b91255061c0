"""The sandbox's first process: it imports once, and forks for each submission.

Importing torch takes seconds, a fork milliseconds. The first process imports what every notebook needs. For each
notebook it forks one that imports that notebook's modules, with stand-ins for what is withheld. That one forks a
guardian for each submission, and the guardian forks the submission's process, in namespaces of its own.
"""

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Mapping
from typing import Any

from course_attention.grading.sandbox.channel import Channel, ChannelClosed
from course_attention.grading.sandbox.worker import namespaces, seccomp
from course_attention.grading.sandbox.worker.guardian import guard
from course_attention.grading.sandbox.worker.shell import Shell


def main(control: socket.socket, device: str) -> None:
    """Run the first process: import, then fork a process for each notebook that is asked for."""
    namespaces.die_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes of the notebooks
    _import_libraries(device)
    notebooks: dict[str, socket.socket] = {}
    Channel(control).send({"ready": True, "seccomp": seccomp.why_not()})
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
    """Run the process of one notebook: import its modules, then fork for each submission."""
    namespaces.die_with_parent(signal.SIGKILL)
    shell: Shell | None = None
    while True:
        message, fds = _receive(control)
        if shell is None:
            shell = _prepare(message)
        if _fork() == 0:
            control.close()
            guard(shell, message, *fds)
        _close(fds)


def _import_libraries(device: str) -> None:
    os.environ.update(MPLBACKEND="agg", MPLCONFIGDIR="/tmp/matplotlib", HOME="/tmp", TQDM_DISABLE="1")
    import matplotlib.pyplot  # noqa: F401
    import torch

    from course_attention.execution import arrays, local, tensors  # noqa: F401
    from course_attention.grading.sandbox.worker.warm_up import warm_up
    from course_attention.mechanisms import contracts, number_rules  # noqa: F401

    torch.set_num_threads(1)
    if device == "cpu":  # CUDA does not survive a fork
        warm_up()
    gc.freeze()


def _prepare(message: Mapping[str, Any]) -> Shell:
    """Import what a notebook's cells import, and withhold what its answers may not use."""
    from course_attention.grading.sandbox.worker import withheld
    from course_attention.grading.sandbox.worker.lesson_stand_in import replace_lesson

    os.environ["COURSE_ATTENTION_DEVICE"] = message["device"]
    withheld.withhold(message["withheld"])
    for free in message["free"]:
        withheld.release(free["home"], free["source"], free["names"])
    replace_lesson(message["device"])
    for module in message["imports"]:
        with contextlib.suppress(Exception):  # the cell that imports it will say so
            importlib.import_module(module)
    shell = Shell()
    gc.freeze()
    return shell


def _fork() -> int:
    sys.stdout.flush()
    return os.fork()


def _receive(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    try:
        message = Channel(control).receive()
        _, fds, _, _ = socket.recv_fds(control, 1, 3)
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
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])

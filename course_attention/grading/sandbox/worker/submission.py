"""The process of one submission: it shuts itself in, limits itself, and then does what the judge asks."""

import os
import signal
import socket
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

from course_attention.grading.sandbox.channel import Channel
from course_attention.grading.sandbox.worker import limits, namespaces, seccomp
from course_attention.grading.sandbox.worker.shell import Shell

_HIGHEST_DESCRIPTOR = 4096  # beyond which nothing here opens one
_FAILED = 70  # exit code of a worker that could not begin, or broke


def run(shell: Shell, message: Mapping[str, Any], channel_fd: int) -> NoReturn:
    """Serve the judge until it hangs up; this process is the first of its namespace, and ends here.

    Args:
        shell: runs the cells.
        message: how the submission is isolated and limited.
        channel_fd: the descriptor for the judge's messages.
    """
    # Imported late: with it comes torch, which the zygote has loaded by now.
    from course_attention.grading.sandbox.worker.kernel import Kernel

    channel: Channel | None = None
    try:
        namespaces.die_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        channel = Channel(socket.socket(fileno=_keep_only(channel_fd)))
        if message["isolated"]:
            _shut_in(message)
            namespaces.die_with_parent(signal.SIGKILL)  # becoming another user has undone it
        scratch = message["scratch"]
        os.makedirs(scratch, exist_ok=True)
        os.chdir(scratch)
        # A module beside the notebook can be imported; a torch.py there is not torch. Folders that are not here
        # would only tell where the instructor keeps the course.
        sys.path[:] = [*filter(os.path.exists, sys.path), scratch]
        limits.limit(message["limits"])
    except BaseException as fault:  # noqa: BLE001 - whatever it was, no student's code has run
        if channel is not None:
            channel.send({"refused": f"{type(fault).__name__}: {fault}"})
        os._exit(_FAILED)
    try:
        Kernel(shell, channel).serve()
    except BaseException:  # noqa: BLE001 - whatever it was, the judge sees a worker that ended
        os._exit(_FAILED)
    os._exit(0)


def _shut_in(message: Mapping[str, Any]) -> None:
    """Put folders of its own over those that others use or that it must not read, and give up every right."""
    for path, megabytes in message["fresh"].items():
        namespaces.fresh_folder(path, megabytes, message["kept"][path], message["aside"])
    for path in message["hidden"]:
        namespaces.empty_folder(path)
    namespaces.own_processes()
    namespaces.give_up_rights()
    if message["seccomp"]:
        seccomp.refuse_calls()


def _keep_only(channel_fd: int) -> int:
    """Close everything but the channel, which becomes descriptor 3; nothing is read or printed."""
    kept = os.dup2(channel_fd, 3) if channel_fd != 3 else 3
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    os.closerange(4, _HIGHEST_DESCRIPTOR)
    return kept

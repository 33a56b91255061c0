"""Starts the sandbox, a process that has torch loaded and forks, in isolation, for each submission."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course_attention.grading.sandbox import bubblewrap
from course_attention.grading.sandbox.cgroups import new_cgroup
from course_attention.grading.sandbox.channel import Channel, ChannelClosed, Refused, TooLate
from course_attention.grading.sandbox.limits import Device, Isolation, Limits
from course_attention.grading.sandbox.session import START_SECONDS, Session

SCRATCH = "/tmp/work"
_END_SECONDS = 10.0
_KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)  # bubblewrap itself, or the process within it
FRESH = {"/tmp": 256, "/dev/shm": 64}  # folders that each submission has for itself, and their megabytes


@dataclass(frozen=True)
class _Zygote:
    """The sandbox's first process, and the socket on which it takes orders."""

    process: subprocess.Popen[bytes]
    control: socket.socket

    def end(self) -> None:
        self.control.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()


class Sandbox:
    """Runs submissions, each in a process of its own. It starts when it is first needed, and again when it has died.

    Args:
        isolation: "bubblewrap", or "process", which isolates nothing and limits time and memory.
        device: "cpu" or "cuda".
        limits: for each submission.

    Attributes:
        without_seccomp: why no system calls are refused in it; "" where they are, or where it has not started.
    """

    def __init__(
        self, isolation: Isolation = "bubblewrap", device: Device = "cpu", limits: Limits | None = None
    ) -> None:
        self.isolation, self.device, self.limits = isolation, device, limits or Limits()
        self._zygote: _Zygote | None = None
        self.without_seccomp = ""
        self._prepared: set[str] = set()

    @property
    def pid(self) -> int | None:
        """The number of its first process; None while it has not started."""
        return self._zygote.process.pid if self._zygote else None

    def open(self, setup: Mapping[str, Any]) -> Session:
        """Start a fresh process for one submission.

        Args:
            setup: what the process of its notebook needs, see `grading.sandbox.notebook_setup`.

        Raises:
            NoSandbox: this machine cannot isolate it.
            Lost: the process ended before it began.
        """
        try:
            return self._open(setup)
        except (ChannelClosed, BrokenPipeError):  # the sandbox itself has died: once more, from the start
            self.close()
            return self._open(setup)

    def _open(self, setup: Mapping[str, Any]) -> Session:
        if self._zygote is None or self._zygote.process.poll() is not None:
            self.close()
            self._zygote = self._started()
        control = self._zygote.control
        isolated = self.isolation == "bubblewrap"
        stem = setup["notebook"]
        scratch = None if isolated else tempfile.mkdtemp(prefix="course-attention-")
        message = {
            # What its notebook's process needs, it needs once.
            **({"notebook": stem} if stem in self._prepared else setup),
            "device": self.device,
            "isolated": isolated,
            "seccomp": not self.without_seccomp,
            "limits": self.limits.plain(),
            "hidden": [str(bubblewrap.package_inside() / room) for room in ("mechanisms", "grading")],
            "fresh": FRESH,
            "kept": {folder: bubblewrap.needed_under(folder) for folder in FRESH},
            "aside": bubblewrap.ASIDE,
            "scratch": scratch or SCRATCH,
        }
        channel, channel_inside = socket.socketpair()
        status, status_inside = socket.socketpair()
        cgroup = new_cgroup(self.limits)
        session = Session(Channel(channel), status, scratch, cgroup)
        with channel_inside, status_inside:
            fds = [channel_inside.fileno(), status_inside.fileno(), *([cgroup.entrance] if cgroup else [])]
            try:
                Channel(control).send(message)
                socket.send_fds(control, [b"."], fds)
            except (OSError, ChannelClosed):
                session.close()
                raise ChannelClosed from None
        self._prepared.add(stem)
        session.wait_until_ready()
        return session

    def _started(self) -> _Zygote:
        control, inside = socket.socketpair()
        before = bubblewrap.command(self.device) if self.isolation == "bubblewrap" else []
        module = "course_attention.grading.sandbox.worker.zygote"
        with inside:
            process = subprocess.Popen(
                [*before, sys.executable, "-P", "-m", module, str(inside.fileno()), self.device],
                pass_fds=[inside.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=bubblewrap.environment(self.device, bubblewrap.PACKAGE),
                start_new_session=True,
            )
        zygote = _Zygote(process, control)
        try:
            self.without_seccomp = Channel(control).receive(START_SECONDS)["seccomp"]
        except (ChannelClosed, TooLate, Refused) as fault:
            reason = _reason(process, fault)
            zygote.end()
            raise bubblewrap.NoSandbox(f"the sandbox did not start: {reason}") from None
        return zygote

    def close(self) -> None:
        """End it, and every submission in it."""
        self._prepared.clear()
        if self._zygote is not None:
            self._zygote.end()
            self._zygote = None

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _reason(process: subprocess.Popen[bytes], fault: Exception) -> str:
    """End the sandbox's first process, and say why it has not started.

    Of a start that takes too long its output says nothing: libraries print while they load.
    """
    if isinstance(fault, TooLate):
        process.kill()
        process.communicate()
        return f"it was not ready after {START_SECONDS:g} seconds"
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_END_SECONDS)
    code = process.poll()
    process.kill()
    said = process.communicate()[1].decode(errors="replace").strip().splitlines()
    if said:
        return " ".join(said[-3:])
    if code in _KILLED:
        return "the system has ended it, as it does where memory runs out"
    return f"it ended with code {code}"

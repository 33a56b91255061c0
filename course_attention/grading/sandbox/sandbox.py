"""A process that has torch loaded and forks, in isolation, for each submission; and the judge's end of one fork."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from course_attention.grading.sandbox import bubblewrap
from course_attention.grading.sandbox.channel import Channel, ChannelClosed, Refused, TooLate

Isolation = Literal["bubblewrap", "process"]
Device = Literal["cpu", "cuda"]
End = Literal["timeout", "out_of_memory", "crashed"]

SCRATCH = "/tmp/work"
FRESH = {"/tmp": 256, "/dev/shm": 64}  # folders that each submission has for itself, and their megabytes
START_SECONDS = 120.0
_END_SECONDS = 10.0


class Lost(Exception):
    """A submission's process is gone.

    Attributes:
        end: how it went.
    """

    def __init__(self, end: End, about: str = "") -> None:
        super().__init__(about)
        self.end: End = end


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes:
        memory: bytes; 0 for as much as there is.
        seconds: for each exercise, its cell included, and for each cell that the student added.
    """

    memory: int = 4 * 2**30
    seconds: float = 30.0
    processes: int = 64
    file_bytes: int = 64 * 2**20
    files: int = 256

    def plain(self) -> dict[str, int]:
        """As the worker sets them; the processor time is a second fence behind the judge's clock."""
        cpu_seconds = max(60, int(self.seconds * 40))
        return {
            "memory": self.memory,
            "processes": self.processes,
            "file_bytes": self.file_bytes,
            "files": self.files,
            "cpu_seconds": cpu_seconds,
        }


class Sandbox:
    """Starts when it is first needed, and again when it has died.

    Args:
        isolation: "bubblewrap", or "process", which isolates nothing and limits time and memory.
        device: "cpu" or "cuda".
        limits: for each submission.
    """

    def __init__(
        self, isolation: Isolation = "bubblewrap", device: Device = "cpu", limits: Limits | None = None
    ) -> None:
        self.isolation, self.device, self.limits = isolation, device, limits or Limits()
        self._process: subprocess.Popen | None = None
        self._control: socket.socket | None = None
        self._prepared: set[str] = set()

    def open(self, setup: Mapping[str, Any], rehearsal: Sequence[Mapping[str, Any]] = ()) -> Session:
        """A fresh process for one submission.

        Args:
            setup: what the process of its notebook needs, see `grading.sandbox.setup`.
            rehearsal: what that process runs once, see `grading.sandbox.warm_up`.
        """
        try:
            return self._open(setup, rehearsal)
        except (ChannelClosed, BrokenPipeError):  # the sandbox itself has died: once more, from the start
            self.close()
            return self._open(setup, rehearsal)

    def _open(self, setup: Mapping[str, Any], rehearsal: Sequence[Mapping[str, Any]]) -> Session:
        if self._process is None or self._process.poll() is not None:
            self._start()
        isolated = self.isolation == "bubblewrap"
        stem = setup["notebook"]
        scratch = None if isolated else tempfile.mkdtemp(prefix="course-attention-")
        message = {
            # What its notebook's process needs, it needs once.
            **({"notebook": stem} if stem in self._prepared else {**setup, "rehearsal": list(rehearsal)}),
            "device": self.device,
            "isolated": isolated,
            "limits": self.limits.plain(),
            "hidden": [str(bubblewrap.PACKAGE / "mechanisms"), str(bubblewrap.PACKAGE / "grading")],
            "fresh": FRESH,
            "kept": {folder: bubblewrap.needed_under(folder) for folder in FRESH},
            "aside": bubblewrap.ASIDE,
            "scratch": scratch or SCRATCH,
        }
        channel, channel_inside = socket.socketpair()
        status, status_inside = socket.socketpair()
        with channel_inside, status_inside:
            try:
                Channel(self._control).send(message)
                socket.send_fds(self._control, [b"."], [channel_inside.fileno(), status_inside.fileno()])
            except OSError:
                raise ChannelClosed from None
        self._prepared.add(stem)
        session = Session(Channel(channel), status, scratch)
        session.wait_until_ready()
        return session

    def _start(self) -> None:
        self.close()
        self._control, inside = socket.socketpair()
        before = bubblewrap.command(self.device) if self.isolation == "bubblewrap" else []
        command = [
            *before,
            sys.executable,
            "-m",
            "course_attention.grading.sandbox.worker.zygote",
            str(inside.fileno()),
        ]
        with inside:
            self._process = subprocess.Popen(
                command,
                pass_fds=[inside.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
                start_new_session=True,
            )
        try:
            Channel(self._control).receive(START_SECONDS)
        except (ChannelClosed, TooLate, Refused):
            self._process.kill()
            said = self._process.communicate()[1].decode(errors="replace").strip().splitlines()[-3:]
            self.close()
            raise bubblewrap.NoSandbox(
                f"the sandbox did not start: {' '.join(said) or 'it said nothing'}"
            ) from None

    def close(self) -> None:
        """End it, and every submission in it."""
        self._prepared.clear()
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process.stderr.close()
            self._process = None

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Session:
    """The judge's end of one submission's process.

    Args:
        channel: to the process.
        status: to its guardian.
        scratch: a folder to be removed with it; None where the folder goes with the namespace.
    """

    def __init__(self, channel: Channel, status: socket.socket, scratch: str | None = None) -> None:
        self._channel, self._status, self._scratch = channel, status, scratch

    def wait_until_ready(self) -> None:
        """Wait for the process to begin: what its notebook's imports take is not its own time.

        Raises:
            ChannelClosed: the sandbox that it was to come from has died.
            Lost: it ended by itself.
        """
        try:
            self._channel.receive(START_SECONDS)
        except (ChannelClosed, TooLate, Refused):
            lost = self._gone()
            raise ChannelClosed if lost.end == "crashed" else lost from None

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send a message and wait for the reply.

        Raises:
            Lost: none came in time, or the process is gone, or it sent what is no reply.
        """
        try:
            self._channel.send(message, seconds=max(seconds, 1.0))
            reply = self._channel.receive(max(seconds, 0.001))
        except TooLate:
            self.close()
            raise Lost("timeout") from None
        except Refused as refused:
            self.close()
            raise Lost("crashed", f"it sent {refused}") from None
        except ChannelClosed:
            raise self._gone() from None
        if not isinstance(reply, dict):
            self.close()
            raise Lost("crashed", "it sent what is no reply")
        if "broken" in reply:
            self.close()
            raise Lost("crashed", str(reply["broken"]))
        return reply

    def _gone(self) -> Lost:
        """How the process ended, in the guardian's words."""
        said = b""
        if select.select([self._status], [], [], _END_SECONDS)[0]:
            with contextlib.suppress(OSError):
                said = self._status.recv(4096)
        self.close()
        try:
            ended = json.loads(said)
        except ValueError:
            return Lost("crashed", "nobody knows how it ended")
        if "refused" in ended:
            raise bubblewrap.NoSandbox(f"the system refuses what isolation needs: {ended['refused']}")
        if ended["out_of_memory"]:
            return Lost("out_of_memory")
        code = ended["code"]
        if code == -signal.SIGXCPU:
            return Lost("timeout")
        name = signal.Signals(-code).name if -code in set(signal.Signals) else ""
        return Lost("crashed", f"it was ended by {name}" if name else f"it ended with code {code}")

    def close(self) -> None:
        """Hang up: the process, and what it has started, ends."""
        self._channel.close()
        self._status.close()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

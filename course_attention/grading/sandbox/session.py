"""The judge's end of one submission's process: it asks, waits for the reply, and says how the process ended."""

from __future__ import annotations

import contextlib
import json
import select
import shutil
import signal
import socket
from collections.abc import Mapping
from typing import Any, Literal

from course_attention.grading.sandbox import bubblewrap
from course_attention.grading.sandbox.cgroups import Cgroup
from course_attention.grading.sandbox.channel import Channel, ChannelClosed, Refused, TooLate

End = Literal["timeout", "out_of_memory", "crashed"]
# What limits the memory of all of a submission's processes together: a cgroup; the guardian, which counts it; what the
# kernel grants to each process alone; nothing.
LimitedBy = Literal["cgroup", "counting", "process", "nothing"]

START_SECONDS = 120.0
_END_SECONDS = 10.0


class Lost(Exception):
    """A submission's process is gone.

    Attributes:
        end: how it went.
        known: whether its guardian said so; otherwise the guardian is gone as well.
        from_outside: whether it, or its guardian, was ended by something that is not part of the submission, such as
            the system where the machine's memory runs out.
    """

    def __init__(self, end: End, about: str = "", known: bool = True, from_outside: bool = False) -> None:
        super().__init__(about or end.replace("_", " "))
        self.end: End = end
        self.known, self.from_outside = known, from_outside


class Session:
    """The judge's end of one submission's process.

    Args:
        channel: to the process.
        status: to its guardian.
        scratch: a folder to be removed with it; None where the folder goes with the namespace.
        cgroup: its cgroup, to be removed with it; None where there are none.
    """

    def __init__(
        self,
        channel: Channel,
        status: socket.socket,
        scratch: str | None = None,
        cgroup: Cgroup | None = None,
    ) -> None:
        self._channel, self._status, self._scratch, self._cgroup = channel, status, scratch, cgroup

    @property
    def limited_by(self) -> LimitedBy:
        """What limits the memory of all processes together; only what is isolated is counted."""
        if self._cgroup is not None:
            return "cgroup"
        return "counting" if self._scratch is None else "process"

    def wait_until_ready(self) -> None:
        """Wait for the process to begin: what its notebook's imports take is not its own time.

        Nothing of a student's has run by then, so whatever goes wrong is not a student's fault.

        Raises:
            ChannelClosed: the sandbox that it was to come from has died.
            NoSandbox: the process cannot be isolated or limited here.
        """
        try:
            message = self._channel.receive(START_SECONDS)
        except (ChannelClosed, TooLate, Refused):
            lost = self._gone()
            self.close()
            if lost.known:
                raise bubblewrap.NoSandbox(f"a submission's process cannot begin here: {lost}") from None
            raise ChannelClosed from None
        if "refused" in message:
            self.close()
            raise bubblewrap.NoSandbox(f"the system refuses what isolation needs: {message['refused']}")

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send a message and wait for the reply.

        Raises:
            Lost: no reply came in time, the process is gone, or what it sent is not a reply.
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
            raise Lost("crashed", "what it sent is not a reply")
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
        out_of_memory = self._cgroup is not None and self._cgroup.out_of_memory
        self.close()
        try:
            ended = json.loads(said)
        except ValueError:
            return Lost("crashed", "nobody knows how it ended", known=False, from_outside=True)
        if "refused" in ended:
            raise bubblewrap.NoSandbox(f"the system refuses what isolation needs: {ended['refused']}")
        if ended["out_of_memory"] or out_of_memory:
            return Lost("out_of_memory")
        code = ended["code"]
        if code == -signal.SIGXCPU:
            return Lost("timeout")
        name = signal.Signals(-code).name if -code in set(signal.Signals) else ""
        # The first process of a namespace takes this signal from nobody within it.
        from_outside = code == -signal.SIGKILL
        about = f"it was ended by {name}" if name else f"it ended with code {code}"
        return Lost("crashed", about, from_outside=from_outside)

    def close(self) -> None:
        """Hang up: the process, and what it has started, ends."""
        self._channel.close()
        self._status.close()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
        if self._cgroup is not None:
            self._cgroup.remove()
            self._cgroup = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

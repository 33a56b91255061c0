"""Reads submissions in a process of its own, with limits on its time and memory.

A file may be made to take hours or gigabytes to read. The process that reads it may then end, and the grader goes on:
that file is malformed, and its note says which limit it met. The process is kept for the next submissions, because it
takes a tenth of a second to start and an ordinary file is read in a hundredth.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

from course_attention.grading.reading.reading_process import LARGEST_REPLY, OUT_OF_MEMORY
from course_attention.grading.reading.submitted_cells import LARGE
from course_attention.grading.reading.submitted_notebook import Added, Reading

_PACKAGE = Path(__file__).resolve().parents[3]
_START = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from course_attention.grading.reading.reading_process import serve; serve(*map(int, sys.argv[2:]))"
)
SECONDS = 6  # of processor time for a file; an ordinary one takes a hundredth of a second
MEMORY = 350_000_000  # bytes of address space; three and a half times the largest file that is taken
# The limit that counts is on processor time, which does not depend on what else runs. This one is for a process that
# waits: nothing in it does.
_WALL_SECONDS = 60.0
_ATTEMPTS = 2  # where the process ended in a way that may not be the file's fault

_kept = threading.local()  # each thread of a cluster's worker has a reader of its own


def read_limited(content: bytes, stem: str) -> Reading:
    """Read what was handed in for a course notebook, in the process that this thread keeps for it.

    Args:
        content: the bytes of the file.
        stem: of the course notebook that it was handed in for.

    Returns:
        What `read_submission` returns; where the file meets a limit it is malformed, and says which.

    Raises:
        NotRead: the machine has no process for it.
    """
    if getattr(_kept, "reader", None) is None:
        _kept.reader = Reader()
        atexit.register(_kept.reader.close)
    reader: Reader = _kept.reader
    return reader.read(content, stem)


class NotRead(Exception):
    """The process that reads could not be started, or was ended, which is not the file's fault."""


class Reader:
    """A process that reads submissions. It starts when it is first needed, and again when it has ended.

    Args:
        seconds: of processor time for each file.
        memory: bytes of address space for the process.
        wall_seconds: for each file, where the process does not even use the processor.
    """

    def __init__(self, seconds: int = SECONDS, memory: int = MEMORY, wall_seconds: float = _WALL_SECONDS) -> None:
        self._limits = seconds, memory
        self._wall_seconds = wall_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process; None while there is none."""
        return self._process.pid if self._process else None

    def read(self, content: bytes, stem: str) -> Reading:
        """Read a submission; see `read_limited`."""
        why = ""
        for _ in range(_ATTEMPTS):
            try:
                reading = self._asked(content, stem)
                if len(content) > LARGE:  # so that its memory is free again
                    self.close()
                return reading
            except (EOFError, OSError) as fault:
                why, is_limit = self._ended()
                if is_limit:
                    return Reading({}, (), (), why, hashlib.sha256(content).hexdigest())
                why = f"{why} ({fault.strerror})" if isinstance(fault, OSError) and fault.strerror else why
        raise NotRead(why)

    def _asked(self, content: bytes, stem: str) -> Reading:
        if self._process is None or self._process.poll() is not None or self._connection is None:
            self.close()
            self._connection = self._started()
        self._connection.send_bytes(stem.encode())
        self._connection.send_bytes(content)
        if not self._connection.poll(self._wall_seconds):
            raise TimeoutError
        reply = json.loads(self._connection.recv_bytes(LARGEST_REPLY))
        added = tuple(Added(**one) for one in reply.pop("added"))
        notes, defended = tuple(reply.pop("notes")), tuple(reply.pop("defended"))
        return Reading(added=added, notes=notes, defended=defended, **reply)

    def _started(self) -> Connection:
        here, there = Pipe()
        arguments = [str(_PACKAGE), str(there.fileno()), *map(str, self._limits)]
        with there:
            self._process = subprocess.Popen(
                # Without -P a json.py in the folder where the grader was called would be imported.
                [sys.executable, "-P", "-c", _START, *arguments],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONHASHSEED": "0"},  # the same file takes the same way in every run
            )
        return here

    def _ended(self) -> tuple[str, bool]:
        """End the process, and say why a file could not be read, and whether that is one of the limits."""
        process = self._process
        code: int | None = None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout=1.0)
        self.close()
        if code == -signal.SIGXCPU:
            return f"reading the file takes more than {self._limits[0]} seconds of processor time", True
        if code == OUT_OF_MEMORY:
            return f"reading the file takes more than {self._limits[1] // 1_000_000} MB of memory", True
        if code is None:
            return f"the file was not read within {self._wall_seconds:g} seconds", False
        return "the process that reads the file ended before it had read it", False

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

"""The process that reads submissions: it takes the bytes of files from a connection, and returns plain data."""

import json
import os
import resource
import time
from dataclasses import asdict
from multiprocessing.connection import Connection

from course_attention.course.cells import course_notebook
from course_attention.grading.reading.submitted_notebook import read_submission

LARGEST_REPLY = 50_000_000  # bytes; what is returned of a file is far less
OUT_OF_MEMORY = 3  # its exit code where a file needs more memory than it may use


def serve(descriptor: int, seconds: int, memory: int) -> None:
    """Read submissions until the other end of the connection is closed.

    Args:
        descriptor: of the connection.
        seconds: of processor time for each file; the system ends the process at the first that takes more.
        memory: bytes of address space for the process.
    """
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with Connection(descriptor) as connection:
        try:
            while True:
                stem = connection.recv_bytes().decode()
                _allow(seconds)
                connection.send_bytes(_read(connection.recv_bytes(), stem))
        except EOFError:
            return
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _allow(seconds: int) -> None:
    """Set the limit on processor time, which the system counts from the start of the process."""
    used = int(time.process_time()) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = used + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _read(content: bytes, stem: str) -> bytes:
    notebook = course_notebook(stem)
    if notebook is None:
        raise ValueError(f"expected the name of a course notebook, got {stem!r}")
    return json.dumps(asdict(read_submission(content, notebook))).encode()

"""Tests of grading/reading/limited.py: no file takes the grader more time or memory than there is."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from course_attention.course.cells import course_notebook
from course_attention.grading.reading import limited
from course_attention.grading.reading.limited import MEMORY, SECONDS, NotRead, Reader
from course_attention.grading.reading.submitted_notebook import Reading, read_submission
from tests.grading.damage import STEM, handed_in, text

WHOLE = text(handed_in()).encode()
LARGE = 99_000_000  # bytes; the largest file that is taken has 100 million
FIRST_CELL = b'{"cells": [{"cell_type": "code", "source": ["def attention(): pass\\n",'


def pictures(one: bytes) -> bytes:
    """Make a notebook with two large outputs, and a text behind its end, which is noted."""
    return WHOLE.rstrip()[:-1] + b', "pictures": ["' + b'", "'.join([one] * 2) + b'"]} behind the end'


# What a file is made of → the file, of about so many bytes.
EXPENSIVE: dict[str, Callable[[int], bytes]] = {
    "a damaged cell, then spaces": lambda n: FIRST_CELL + b" " * n,
    "starts of cells": lambda n: b'{"id":' * (n // 6),
    "starts of cells inside each other": lambda n: (b'{"id":' + b" " * (n // 900)) * 900,
    "starts of typed cells": lambda n: b'{"cell_type": "a" ' * (n // 18),
    "cells that are cut off": lambda n: (FIRST_CELL[11:-1] + b"a" * 900) * (n // 1000),
    "one endless string": lambda n: b'{"' + b"a" * n,
    "escapes": lambda n: FIRST_CELL + b'"' + b"\\u00e9" * (n // 6),
    "escapes of nothing": lambda n: FIRST_CELL + b'"' + b"\\" * n,
    "pictures": lambda n: pictures(b"iVBO" * (n // 8)),
    "texts": lambda n: pictures(b"loss " * (n // 10)),
    "brackets": lambda n: b"[" * n,
    "digits": lambda n: b"[" + b"1" * n,
    "blank lines": lambda n: b"\n" * n,
    "a merge of blank lines": lambda n: b"<<<<<<< HEAD\n" + b"\n" * n,
    "bytes that are no text": lambda n: b"\xff" * n,
    "zero bytes": lambda n: b"{" + b"\0" * n,
    "wide characters": lambda n: "😀".encode() + b"a" * n,
    "a cell of lines": lambda n: b'{"cells": [{"cell_type": "code", "source": "' + b"\\n" * (n // 2) + b'"}]}',
    "cells of one line": lambda n: b'{"cells": [' + b'{"source": "a=1"},' * (n // 18) + b"{}]}",
    "copies of an answer": lambda n: (
        b'{"cells": ['
        + b",".join(
            b'{"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "attention"}}, "source": "'
            + b"def attention(): pass\\n"
            + b"f'{a}{a}'\\n" * 4500
            + b'"}'
            for _ in range(n // 50_000 + 1)
        )
        + b"]}"
    ),
}


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as one:
        yield one


def bounded(reader: Reader, content: bytes) -> Reading:
    """Read a file, within the time and the memory that there is."""
    began = time.monotonic()
    reading = reader.read(content, STEM)
    # The limit is on processor time. On a busy machine, that may take several times as long.
    assert time.monotonic() - began < 60
    if reader.pid is not None:
        assert psutil.Process(reader.pid).memory_info().vms <= MEMORY
    assert bool(reading.malformed) != bool(reading.notes), "neither read with a note, nor malformed"
    return reading


@pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer makes the reading several times slower")
@pytest.mark.parametrize("kind", EXPENSIVE)
def test_expensive(kind: str, reader: Reader) -> None:
    """A file of a megabyte that is made to be expensive is read in bounded time, whatever it is made of."""
    content = EXPENSIVE[kind](1_000_000)
    began = time.process_time()
    assert read_submission(content, course_notebook(STEM)) == bounded(reader, content)
    assert time.process_time() - began < 10  # about a second where nothing else runs


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", EXPENSIVE)
def test_expensive_and_large(kind: str, reader: Reader) -> None:
    """The largest files that are taken are read, or refused, in the time and the memory that there is."""
    bounded(reader, EXPENSIVE[kind](LARGE))


def test_large_notebook(reader: Reader) -> None:
    """A notebook with many pictures, of nearly the largest size, is read as the one without."""
    large = EXPENSIVE["pictures"](LARGE)
    assert reader.read(large, STEM).answers == reader.read(WHOLE, STEM).answers
    assert len(reader.read(WHOLE, STEM).answers) > 3


def test_linear() -> None:
    """Four times the file takes about four times the time: the worst cases were quadratic once."""
    for kind in ("a damaged cell, then spaces", "starts of cells"):
        times = []
        for n in (400_000, 1_600_000):
            content = EXPENSIVE[kind](n)
            began = time.process_time()
            read_submission(content, course_notebook(STEM))
            times.append(time.process_time() - began)
        assert times[1] < 8 * times[0] + 0.1, (kind, times)


def test_limits_are_told() -> None:
    """A file that meets a limit is malformed, and its note says which; the next one is read as ever."""
    slow = EXPENSIVE["a merge of blank lines"](LARGE // 3)  # seven seconds, and a third of a gigabyte
    for limits, content, limit in (
        ({"memory": 120_000_000}, b'{"cells": "' + b"a" * 60_000_000, "120 MB of memory"),
        ({"seconds": 1, "memory": 20_000_000_000}, slow, "1 seconds of processor time"),
    ):
        with Reader(**limits) as reader:
            assert reader.read(content, STEM).malformed == f"reading the file takes more than {limit}"
            assert reader.read(WHOLE, STEM) == read_submission(WHOLE, course_notebook(STEM))


def test_process_is_kept(reader: Reader) -> None:
    """One process reads all ordinary files; one that has ended, or that waits for ever, is replaced."""
    reader.read(WHOLE, STEM)
    pid = reader.pid
    assert pid is not None
    reader.read(WHOLE, STEM)
    assert reader.pid == pid
    os.kill(pid, signal.SIGKILL)
    assert reader.read(WHOLE, STEM).answers
    assert reader.pid not in (None, pid)


def test_process_that_waits() -> None:
    """A process that does nothing at all is given up after a while."""
    with Reader(wall_seconds=3.0) as reader:  # to start and to read takes a fifth of a second
        reader.read(WHOLE, STEM)
        os.kill(reader.pid, signal.SIGSTOP)
        assert reader.read(WHOLE, STEM).answers, "the second attempt, in another process, succeeds"


def test_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has no process for it says nothing about the file; once it has one the file is read."""
    with Reader() as reader, monkeypatch.context() as full:
        full.setattr(limited.subprocess, "Popen", no_more_processes)
        with pytest.raises(NotRead, match="Resource temporarily unavailable"):
            reader.read(WHOLE, STEM)
        full.undo()
        assert reader.read(WHOLE, STEM).answers


def no_more_processes(*_: object, **__: object) -> None:
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def test_process_is_light_and_ends(reader: Reader) -> None:
    """It has imported nothing heavy, and ends with the process that started it."""
    reader.read(WHOLE, STEM)
    loaded = {mapped.path for mapped in psutil.Process(reader.pid).memory_maps()}
    assert not [path for path in loaded if {"numpy", "torch"}.intersection(Path(path).parts)]
    program = (
        "from course_attention.grading.reading.limited import Reader\n"
        f"reader = Reader(); reader.read(b'', {STEM!r}); print(reader.pid, flush=True)\n"
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout
    with contextlib.suppress(psutil.NoSuchProcess):
        left = psutil.Process(int(said))
        for _ in range(600):
            if left.status() == psutil.STATUS_ZOMBIE:
                return
            time.sleep(0.05)
        raise AssertionError("it is still there")


def test_seconds_are_those_of_the_file(reader: Reader) -> None:
    """The limit is on each file, not on all files together: a process reads on after more than its seconds."""
    file = b'{"cells": [' + b'{"source": "a=1"},' * 2_000 + b"{}]}"  # a tenth of a second
    with Reader(seconds=1) as short:
        assert not short.read(file, STEM).malformed
        process = psutil.Process(short.pid)
        while process.cpu_times().user < 1.5:
            assert not short.read(file, STEM).malformed
            assert short.pid == process.pid
    assert SECONDS < 10

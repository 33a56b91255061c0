"""Tests of grading/sandbox/running_time.py: a judge that was stopped does not call a reply late."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from course_attention.grading.sandbox.channel import Channel
from course_attention.grading.sandbox.running_time import RunningTime

STOPPED = """
import socket, sys
from course_attention.grading.sandbox.channel import Channel
channel = Channel(socket.socket(fileno=int(sys.argv[1])))
print("ready", flush=True)
print(channel.receive(seconds=2.5), flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_stopped_while_it_waits() -> None:
    """A reply that comes while the judge is stopped, for longer than it would wait, is taken when it goes on."""
    here, there = socket.socketpair()
    with here, there:
        process = subprocess.Popen(
            [sys.executable, "-c", STOPPED, str(there.fileno())],
            pass_fds=[there.fileno()],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout and process.stdout.readline() == "ready\n"
            time.sleep(0.2)
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(3.0)
            os.kill(process.pid, signal.SIGCONT)
            Channel(here).send("a reply")
            assert process.communicate(timeout=60)[0] == "a reply\n"
        finally:
            process.kill()


def test_a_wait_is_no_stop() -> None:
    """While the process waits, however long, its time goes on."""
    clock = RunningTime()
    began, began_here = clock.now(), time.monotonic()
    time.sleep(1.6)
    assert clock.now() - began == pytest.approx(time.monotonic() - began_here, abs=0.3)


def test_in_a_child() -> None:
    """A child has a clock of its own, with a thread of its own that looks at it."""
    clock = RunningTime()
    clock.now()
    if (child := os.fork()) == 0:
        began, here = clock.now(), time.monotonic()
        time.sleep(1.6)
        os._exit(int(abs(clock.now() - began - (time.monotonic() - here)) > 0.3))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

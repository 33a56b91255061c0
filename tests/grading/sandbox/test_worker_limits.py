"""Tests of grading/sandbox/worker/limits.py: a submission has what it was promised, or none begins."""

from __future__ import annotations

import subprocess
import sys

import pytest

from course_attention.grading.sandbox.limits import Limits

_LIMITED = """
import resource, sys
what, hard = getattr(resource, sys.argv[1]), int(sys.argv[2])
resource.setrlimit(what, (hard, hard))
from course_attention.grading.sandbox.worker.limits import limit
try:
    limit(eval(sys.argv[3]))
except OSError as error:
    print(error)
else:
    print("set to", resource.getrlimit(what)[0])
"""


@pytest.mark.parametrize(
    ("what", "hard", "said"),
    [
        ("RLIMIT_NOFILE", 100, "`ulimit -n` allows 100, and a submission may use 256; raise that limit"),
        ("RLIMIT_FSIZE", 2**20, "`ulimit -f` allows 1024, and a submission may use 65536; raise that limit"),
        ("RLIMIT_DATA", 2**30, "raise that limit, or ask for less with --memory"),
        (
            "RLIMIT_CPU",
            100,
            "`ulimit -t` allows 100, and a submission may use 1200; raise that limit, or ask",
        ),
        ("RLIMIT_NOFILE", 300, "set to 256"),
        ("RLIMIT_CPU", 2000, "set to 1200"),
    ],
)
def test_lower_before(what: str, hard: int, said: str) -> None:
    """Where the shell allows less than was promised, that is told: an honest submission lost its points there once."""
    command = [sys.executable, "-c", _LIMITED, what, str(hard), repr(Limits().plain())]
    assert said in subprocess.run(command, capture_output=True, text=True, check=True).stdout

"""Hostile programs: none gains a point, reads what it should not, leaves anything behind, or stops the run."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import result_files
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.sandbox import Sandbox
from tests.grading.conftest import FIRST, SEED, filled, needs_bubblewrap
from tests.grading.program_files import Program, programs_of_a_day

pytestmark = needs_bubblewrap


_NORMAL = 5.0  # seconds for an honest submission on a busy machine; alone it takes a tenth of one


def _submission(stem: str) -> Submission:
    return Submission.made_here("mallory", stem)


@pytest.fixture(scope="module")
def hostile_sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """Start a sandbox of their own where the secrets of a class lie about: in the environment and in a folder."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "secret.txt").write_text("a secret")
    with pytest.MonkeyPatch.context() as patch, Sandbox() as one:
        patch.setenv("COURSE_SECRET", "a secret")
        patch.chdir(folder)
        Grader(one, SEED).grade(_submission(FIRST), filled(FIRST))  # it stands, whichever test is the first
        yield one


@pytest.fixture
def grade(hostile_sandbox: Sandbox) -> Callable[..., dict]:
    def grade(stem: str, content: bytes, limits: Limits | None = None) -> dict:
        hostile_sandbox.limits = limits or Limits(seconds=20.0)
        return Grader(hostile_sandbox, SEED).grade(_submission(stem), content)

    return grade


def check(program: Program, result: dict) -> None:
    """See that a result is what the program's file expects."""
    entries = {entry["name"]: entry for entry in result["exercises"]}
    entry = entries.pop(program.exercise)
    told = (entry["status"], entry["message"], result["notes"])
    assert entry["status"] == program.one("status"), told
    assert entry["score"] == pytest.approx(program.score, abs=1e-6), told
    assert result["status"] == program.one("submission", "graded"), told
    assert {other["status"] for other in entries.values()} <= set(program.one("others", "passed").split()), result[
        "notes"
    ]
    for text in program.header.get("says", []):
        assert text in entry["message"], told
    for text in program.header.get("hides", []):
        assert text not in str(_without_code(result)), told
    noted = [note for note in result["notes"] if "course's own source" not in note]
    for start in program.header.get("note", []):
        found = next((note for note in noted if note.startswith(start)), None)
        assert found is not None, told
        noted.remove(found)
    for start in program.header.get("notes", []):
        of_it = [note for note in noted if note.startswith(start)]
        assert of_it, told
        noted = [note for note in noted if note not in of_it]
    assert not [note for note in noted if not note.endswith("worth a look")], told


@pytest.mark.parametrize("program", programs_of_a_day("hostile"))
def test_hostile(program: Program, grade: Callable[..., dict], hostile_sandbox: Sandbox) -> None:
    """It ends as its file says, in bounded time; nothing of it is left; the next submission is graded as ever."""
    began = time.monotonic()
    result = grade(program.stem, program.content(), program.limits)
    losses = 1 + len(program.cells)
    assert time.monotonic() - began < 15 + losses * program.limits.seconds
    check(program, result)
    assert len(json.dumps(result)) < 100_000 < result_files.LARGEST
    began = time.monotonic()
    honest = grade(FIRST, filled(FIRST))
    assert honest["score"] == honest["max_score"] == CATALOGUE["softmax"].points
    assert time.monotonic() - began < _NORMAL
    _nothing_left(hostile_sandbox)


def _without_code(result: dict) -> dict:
    """Give a result without the student's own code, which names what it looks for."""
    return {**result, "exercises": [{**entry, "code": ""} for entry in result["exercises"]]}


def _nothing_left(sandbox: Sandbox) -> None:
    """Check that what remains under the sandbox is one process for each notebook, and those that lead to them."""
    for _ in range(150):
        left = psutil.Process(sandbox.pid).children(recursive=True)
        if len(left) <= 3 + len({exercise.notebook for exercise in CATALOGUE.values()}):
            return
        time.sleep(0.1)
    raise AssertionError(f"left behind: {left}")


_RIGHT = (
    "\ndef softmax(scores, axis=-1):\n"
    "    e = np.exp(scores - scores.max(axis=axis, keepdims=True))\n"
    "    return e / e.sum(axis=axis, keepdims=True)"
)
_LEAVE = """
import contextlib, ctypes, mmap, multiprocessing.shared_memory, os, pathlib, socket, subprocess, sys, threading
places = [pathlib.Path.home(), "/tmp", "/dev/shm", "/var/tmp", "/run", "/dev", "/dev/mqueue", "/root", "/etc", "/usr",
          os.getcwd(), sys.prefix, os.environ.get("IPYTHONDIR", "/"), os.environ.get("MPLCONFIGDIR", "/"), *sys.path]
for place in map(pathlib.Path, places):
    for name in ("mallory", ".startup.py", "sitecustomize.py", "numpy.py", "profile_default/startup/00-mallory.py"):
        with contextlib.suppress(OSError):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text("import builtins; builtins.mallory = 1")
with contextlib.suppress(Exception):
    multiprocessing.shared_memory.SharedMemory("mallory", create=True, size=64)
libc = ctypes.CDLL(None)
libc.shmget(4242, 4096, 0o1666)
libc.msgget(4242, 0o1666)
for number in (250, 219):
    libc.syscall(number, 0, 0)
libc.syscall(248, b"user", b"mallory", b"here", 4, -3)
libc.syscall(248, b"user", b"mallory", b"here", 4, -4)
kept = socket.socket(socket.AF_UNIX)
with contextlib.suppress(OSError):
    kept.bind("\\0mallory")
    kept.listen()
import numpy, torch, builtins
builtins.mallory = numpy.mallory = torch.mallory = 1
os.environ["MALLORY"] = "1"
subprocess.Popen(["sleep", "1000"], start_new_session=True)
with contextlib.suppress(OSError):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.nice(5)
    os.umask(0o777)
"""
_LOOK = """
import ctypes, multiprocessing.shared_memory, os, pathlib, socket, sys, builtins, numpy, torch
found = []
for start in ("/tmp", "/dev", "/var/tmp", "/run", "/root", "/etc", os.getcwd(), os.environ.get("IPYTHONDIR", "/tmp")):
    left = [path for path in pathlib.Path(start).rglob("*") if "mallory" in path.name or path.name == ".startup.py"]
    found += [f"files in {start}"] * bool(left)
try:
    multiprocessing.shared_memory.SharedMemory("mallory")
    found.append("shared memory")
except OSError:
    pass
libc = ctypes.CDLL(None)
found += ["System V memory"] * (libc.shmget(4242, 4096, 0) >= 0) + ["a queue"] * (libc.msgget(4242, 0) >= 0)
found += ["a key"] * (libc.syscall(249, b"user", b"mallory", None, -3) > 0)
found += ["a key of the user"] * (libc.syscall(249, b"user", b"mallory", None, -4) > 0)
try:
    socket.socket(socket.AF_UNIX).connect("\\0mallory")
    found.append("a socket")
except OSError:
    pass
found += ["a name"] * (hasattr(builtins, "mallory") or hasattr(numpy, "mallory") or hasattr(torch, "mallory"))
found += ["a variable"] * ("MALLORY" in os.environ)
found += [process for process in os.listdir("/proc") if process.isdigit() and int(process) != os.getpid()]
found += ["few processors"] * (len(os.sched_getaffinity(0)) < PROCESSORS)
found += ["a lower priority"] * (os.nice(0) != PRIORITY)
raise RuntimeError(f"saw {found}")
""".replace("PRIORITY", str(os.nice(0) if hasattr(os, "nice") else 0)).replace(
    "PROCESSORS", str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
)  # these tests themselves may have a lower priority, and fewer processors than the machine


def test_nothing_for_the_next(grade: Callable[..., dict]) -> None:
    """What one submission leaves, in files, memory, keys, sockets, modules and processes, the next does not find."""
    left = grade(FIRST, filled(FIRST, {"softmax": _RIGHT}, {"softmax": _LEAVE}))
    assert left["score"] == left["max_score"], left["exercises"][0]["message"]
    assert not [note for note in left["notes"] if "left out" in note], left["notes"]
    (entry,) = grade(FIRST, filled(FIRST, {"softmax": _LOOK}))["exercises"]
    assert "saw []" in entry["message"], entry["message"]


def test_leftovers_can_be_seen(grade: Callable[..., dict]) -> None:
    """The look finds what is left in its own process, so that finding nothing in the next one means something."""
    (entry,) = grade(FIRST, filled(FIRST, {"softmax": _LEAVE + _LOOK}))["exercises"]
    for thing in (
        "files in /tmp",
        "shared memory",
        "System V memory",
        "a queue",
        "a socket",
        "a name",
        "a variable",
    ):
        assert thing in entry["message"], entry["message"]

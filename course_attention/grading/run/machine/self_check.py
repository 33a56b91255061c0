"""The self-check of a grading machine: one small program for each promise of the sandbox, and what came of it.

An instructor runs it once on a new server. Each program, a canary, is graded like any submission: it answers the first
exercise rightly if the promise holds, and wrongly if it got through.
"""

import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from course_attention.active_course import active
from course_attention.course.filling import as_bytes, blank, fill
from course_attention.course.helper_source import own_source
from course_attention.grading.errors import CannotGrade
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox import bubblewrap
from course_attention.grading.sandbox.cgroups import prepare
from course_attention.grading.sandbox.limits import Isolation, Limits
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.topics import TOPICS

_SECONDS = 10.0
_MEMORY = 1024**3
_FIRST = TOPICS[0]
_EXERCISE = _FIRST.exercises[0]
# What a canary writes where nothing should be written.
WRITTEN = tuple(Path(place, "written-by-the-self-check") for place in (sys.prefix, bubblewrap.PACKAGE))


@dataclass(frozen=True)
class Checked:
    """One promise, and whether it held.

    Attributes:
        promise: in a few words.
        held: whether it did.
        came: what the canary ended with.
    """

    promise: str
    held: bool
    came: str


@dataclass(frozen=True)
class _Canary:
    """A program that tries to break a promise.

    Attributes:
        promise: that it tries to break.
        attempt: a block of Python that ends normally only where the promise is broken; where it raises, it holds.
        status: of the exercise where the promise holds.
        cell: stands in the answer cell above the answer, and runs when the cell does.
    """

    promise: str
    attempt: str = "raise OSError"
    status: str = "passed"
    cell: str = ""


def self_check(isolation: Isolation = "bubblewrap") -> Iterator[Checked]:
    """Try each promise of the sandbox on this machine.

    Args:
        isolation: "process" has limits alone, so that most promises about isolation do not hold.

    Yields:
        One line of the table at a time.

    Raises:
        NoSandbox: submissions cannot be isolated here; the message says why.
        CannotGrade: another course is active than the package's own, whose first exercise the programs answer.
    """
    if active().folder:
        raise CannotGrade("--check tries this machine with the package's own course: name no other one")
    if isolation == "bubblewrap":
        bubblewrap.check()
        prepare()  # as `grade` does, so that the table says what limits memory there
    with (
        tempfile.TemporaryDirectory(prefix="course-attention-check-") as folder,
        closing(_listening()) as listener,
        Sandbox(isolation=isolation, limits=Limits(seconds=_SECONDS, memory=_MEMORY)) as sandbox,
    ):
        secret = Path(folder, "secret.txt")
        secret.write_text("another student's answer", encoding="utf-8")
        secret.chmod(0o644)
        Path(folder).chmod(0o755)
        try:
            for canary in _canaries(listener.getsockname()[1], secret):
                yield _tried(sandbox, canary)
        finally:
            for path in WRITTEN:
                path.unlink(missing_ok=True)
        refused = sandbox.without_seccomp
        yield Checked("dangerous system calls are refused (seccomp)", not refused, refused or "by libseccomp")


def _canaries(port: int, secret: Path) -> list[_Canary]:
    """All promises; the last two belong together: what one submission leaves, the next one must not find."""
    places = sorted({str(bubblewrap.PACKAGE), str(bubblewrap.package_inside())})  # isolation moves a clone's package
    return [
        _Canary("an honest answer passes"),
        _Canary(
            "no network",
            f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=2)",
        ),
        _Canary("files of other users and submissions cannot be read", f"open({str(secret)!r}).read()"),
        _Canary(
            "exercises and judge cannot be read",
            f"import pathlib; assert any(list(pathlib.Path(place, room).rglob('*.py')) for place in {places!r} "
            "for room in ('exercises', 'judging'))",
        ),
        _Canary(
            "the system is read-only",
            f"import pathlib; [pathlib.Path(path).write_text('x') for path in {[*map(str, WRITTEN)]!r}]",
        ),
        _Canary(
            "processes outside cannot be seen",
            "import os; assert sum(name.isdigit() for name in os.listdir('/proc')) > 5",
        ),
        _Canary(
            "unusual kinds of socket are refused",
            "import socket; socket.socket(getattr(socket, 'AF_VSOCK', 40), socket.SOCK_STREAM).close()",
        ),
        _Canary(
            "no new namespaces",
            "import ctypes; assert ctypes.CDLL(None, use_errno=True).unshare(0x10000000) == 0",
        ),
        _Canary("an endless loop ends in time", status="timeout", cell="while True: pass"),
        _Canary(
            "memory is limited",
            status="out_of_memory",
            cell="import torch\nkept = [torch.ones(2**27) for _ in range(16)]",
        ),
        _Canary(
            "processes are limited",
            "import os\n        for _ in range(5000):\n            if os.fork() == 0:\n"
            "                import time; time.sleep(60)",
        ),
        _Canary(
            "a submission can write in its own folder",
            status="passed",
            cell="import pathlib\npathlib.Path('/tmp/left-behind').write_text('x')",
        ),
        _Canary("nothing is left for the next submission", "open('/tmp/left-behind').read()"),
    ]


def _tried(sandbox: Sandbox, canary: _Canary) -> Checked:
    answer = own_source(_EXERCISE).replace(f"def {_EXERCISE}(", "def _right(", 1)
    source = (
        f"{canary.cell}\n\n{answer}\n\n\ndef {_EXERCISE}(scores, axis=-1):\n    try:\n        {canary.attempt}\n"
        "    except BaseException:\n        return _right(scores, axis)\n    return None\n"
    )
    notebook = blank(_FIRST.notebook)
    fill(notebook, {_EXERCISE: source})
    submission = Submission.made_here("canary", _FIRST.notebook)
    outcome = Grader(sandbox, seed=0).run(submission, as_bytes(notebook))
    result = outcome.record
    entries = {entry["name"]: entry["status"] for entry in result["exercises"]}
    came = entries.get(_EXERCISE, result["status"])
    how = f", limited by {outcome.limited_by}" if canary.status == "out_of_memory" else ""
    return Checked(canary.promise, came == canary.status, came.replace("_", " ") + how)


def _listening() -> socket.socket:
    """Start a server on this machine that nobody in the sandbox may reach."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        try:
            while True:
                listener.accept()[0].close()
        except OSError:
            return  # the check is over

    threading.Thread(target=answer, daemon=True).start()
    return listener


def table(rows: Iterator[Checked], say: Callable[[str], None]) -> bool:
    """Say each row as it comes, and whether all promises held.

    Args:
        rows: of `self_check`.
        say: takes a line.
    """
    all_held = True
    for row in rows:
        all_held &= row.held
        say(f"{'holds ' if row.held else 'BROKEN'}  {row.promise:52}  {row.came}")
    return all_held

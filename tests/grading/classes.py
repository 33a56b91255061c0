"""Small classes for the command `grade`, and what it leaves behind."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil

from course_attention import cli
from tests.grading.conftest import FIRST, SECOND, filled

COMMAND = [sys.executable, "-m", "course_attention.cli"]
SUMMED = "def attention_output(distribution, memory):\n    return memory.sum(dim=-2)"


def small_class(folder: Path, students: int = 4) -> Path:
    """Ada has everything right, Bob one thing wrong; one file is cut off, and one is a link."""
    contents = {
        "ada": {FIRST: filled(FIRST), SECOND: filled(SECOND)},
        "bob": {
            FIRST: filled(FIRST, {"softmax": None}),
            SECOND: filled(SECOND, {"attention_output": SUMMED}),
        },
        "cut off": {FIRST: b"%PDF-1.7"},
        "linked": {SECOND: None},
    }
    for student in list(contents)[:students]:
        (folder / student).mkdir(parents=True)
        for stem, content in contents[student].items():
            path = folder / student / f"{stem}.ipynb"
            if content is None:
                path.symlink_to("/etc/passwd")
            else:
                path.write_bytes(content)
    return folder


def bare(**environment: str) -> dict[str, str]:
    """Give this environment, with one thread for each process."""
    return {**os.environ, "OMP_NUM_THREADS": "1", **environment}


def grade(handed_in: Path, out: Path, *options: str, **environment: str) -> subprocess.CompletedProcess:
    """Run the command to its end."""
    command = [*COMMAND, "grade", handed_in, "--out", out, "--workers", "2", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=bare(**environment), check=False)


def begin(handed_in: Path, out: Path, *options: str, results: int) -> subprocess.Popen:
    """Start the command, in a session of its own and at seed 3, and come back when there are so many results."""
    command = [*COMMAND, "grade", handed_in, "--out", out, "--seed", "3", *options]
    process = subprocess.Popen(
        command, env=bare(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and len(results_in(out)) < results:
        time.sleep(0.005)
    return process


def results_in(out: Path) -> list[Path]:
    """Return the files of the results so far."""
    return list(out.glob("results/*/*.json"))


def command_here(*arguments: object) -> subprocess.CompletedProcess:
    """Run a command of `course-attention` in this process: starting another takes a second."""
    command = [str(one) for one in arguments]
    with (
        contextlib.redirect_stdout(io.StringIO()) as stdout,
        contextlib.redirect_stderr(io.StringIO()) as stderr,
    ):
        code = cli.main(command)
    return subprocess.CompletedProcess(command, code, stdout.getvalue(), stderr.getvalue())


def grade_here(handed_in: Path, out: Path, *options: object) -> subprocess.CompletedProcess:
    """Run the command `grade` in this process; see the fixture `in_this_process` for its sandbox."""
    return command_here("grade", handed_in, "--out", out, *options)


def sandboxes(pid: int) -> list[psutil.Process]:
    """Find the sandboxes that a process, or one of its own, has started."""
    found = []
    for one in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it has just ended
            if one.name() == "bwrap" and one.parent().name() != "bwrap":
                found.append(one)
    return found


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def without_seconds(folder: Path) -> dict[str, bytes]:
    """All files below a folder, without what tells how long grading took."""
    return {name: re.sub(rb'"seconds": [0-9.e-]+', b'"seconds": 0', content) for name, content in files(folder).items()}

"""A full disk ends the command with a line that names the file, and nothing that was there is lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from course_attention import cli
from tests.grading.classes import files
from tests.grading.conftest import FIRST, needs_bubblewrap

STUDENTS = 12


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """Make a class of people who handed in links in place of notebooks: nothing has to run."""
    for number in range(STUDENTS):
        folder = tmp_path / "in" / f"student {number:02}"
        folder.mkdir(parents=True)
        (folder / f"{FIRST}.ipynb").symlink_to("/etc/passwd")
    return tmp_path / "in"


class Disk:
    """A disk that has room for so many more files; `os.fsync` is where a file system says that it has none."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: float = float("inf")
        self._fsync = os.fsync
        monkeypatch.setattr(os, "fsync", self)

    def __call__(self, descriptor: int) -> None:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.room -= 1
        self._fsync(descriptor)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def run(*arguments: object) -> int:
    return cli.main([str(one) for one in arguments])


@pytest.mark.parametrize("room", [1, 3, 4, 9, 20, 2 * STUDENTS + 5, 4 * STUDENTS])
def test_at_any_moment(room: int, handed_in: Path, tmp_path: Path, disk: Disk, capsys: pytest.CaptureFixture) -> None:
    """However many files there was room for: a line that names one, and with more room the same results."""
    options = ("--isolation", "process", "--seed", "3")
    assert run("grade", handed_in, "--out", tmp_path / "never full", *options) == 0
    out = tmp_path / "out"
    disk.room = room
    capsys.readouterr()
    assert run("grade", handed_in, "--out", out, *options) == cli.CANNOT
    said = capsys.readouterr().err.splitlines()[-1]
    where, _, what = said.removeprefix("course-attention grade: ").partition(": ")
    assert Path(where).is_relative_to(out) and what.startswith("No space left on device; make room"), said
    before = files(out)
    assert not any(name.endswith(".tmp") for name in before)
    disk.room = float("inf")
    assert run("grade", handed_in, "--out", out, *options) == 0
    after = files(out)
    assert after == files(tmp_path / "never full")
    assert all(after[name] == content for name, content in before.items() if name.startswith("results/"))


def test_while_regrading(handed_in: Path, tmp_path: Path, disk: Disk) -> None:
    """The results that were there stay; a --force that the disk has stopped goes on where it was."""
    command = ("grade", handed_in, "--out", tmp_path / "out", "--isolation", "process")
    assert run(*command) == 0
    before = files(tmp_path / "out" / "results")
    disk.room = 9
    assert run(*command, "--force") == cli.CANNOT
    assert files(tmp_path / "out" / "results") == before
    assert (tmp_path / "out" / "regrading.jsonl").is_file()
    disk.room = float("inf")
    assert run(*command, "--force") == 0
    assert not (tmp_path / "out" / "regrading.jsonl").exists()


SMALL = """
import sys
from pathlib import Path
from course_attention import cli

handed_in, out = sys.argv[1:]
filler = Path(out, "filler")
Path(out).mkdir(exist_ok=True)
with filler.open("wb", buffering=0) as file:
    try:
        while True:
            file.write(bytes(4096))
    except OSError:
        pass
with filler.open("r+b") as file:
    file.truncate(filler.stat().st_size - 40_000)
command = ["grade", handed_in, "--out", out, "--isolation", "process"]
print(cli.main(command), flush=True)
filler.unlink()
print(cli.main(command), flush=True)
"""


@needs_bubblewrap
def test_on_a_real_file_system(handed_in: Path, tmp_path: Path) -> None:
    """On a file system of a megabyte that is full but for some files: the line, and then the results."""
    inside: list[Any] = ["bwrap", "--dev-bind", "/", "/", "--size", "1000000", "--tmpfs", tmp_path / "disk"]
    (tmp_path / "disk").mkdir()
    program = [sys.executable, "-c", SMALL, handed_in, tmp_path / "disk" / "out"]
    done = subprocess.run([*inside, *program], capture_output=True, text=True, timeout=120, check=False)
    if "bwrap:" in done.stderr:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    codes = [line for line in done.stdout.splitlines() if line in ("0", "2")]
    assert codes == ["2", "0"], done.stdout + done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "No space left on device" in line]
    assert f"{tmp_path / 'disk' / 'out'}/" in line
    assert f"{STUDENTS} submissions" in done.stdout

"""Tests of course/whole_files.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from course_attention.course.whole_files import write_whole, writing_whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "marks.csv"
    path.write_bytes(b"old")
    return path


def test_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails half-way leaves the old file, and nothing beside it."""

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match=r"No space left on device: '.*marks\.csv'"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(path.parent) == ["marks.csv"]


def test_error_between_two_parts(path: Path) -> None:
    """What was written before an error does not count, and the error is the caller's own."""

    def write() -> None:
        with writing_whole(path) as file:
            file.write(b"half")
            raise KeyError("a row")

    with pytest.raises(KeyError, match="a row"):
        write()
    assert path.read_bytes() == b"old"
    assert os.listdir(path.parent) == ["marks.csv"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_rights(path: Path) -> None:
    """A file that is there keeps its rights, and a new one has those that are asked for."""
    path.chmod(0o640)
    write_whole(path, b"new")
    write_whole(path.with_name("seed.txt"), b"7", 0o600)
    assert [one.stat().st_mode & 0o777 for one in (path, path.with_name("seed.txt"))] == [0o640, 0o600]


def test_symbolic_link(path: Path) -> None:
    """The file that a link points to is written, and the link stays."""
    link = path.with_name("link.csv")
    try:
        link.symlink_to(path)
    except OSError as error:
        pytest.skip(f"this system makes no symbolic links: {error}")
    write_whole(link, b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"

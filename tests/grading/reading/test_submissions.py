"""Tests of grading/reading/submissions.py: both layouts, names of every script, and what is not a file."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from course_attention.grading.reading import notebook_files
from course_attention.grading.reading.notebook_files import Unreadable
from course_attention.grading.reading.submissions import Submission, find_submissions, read_bytes
from tests.grading.damage import STEM, handed_in, text

OTHER = "03_self_attention"
CONTENT = text(handed_in()).encode()


def put(path: Path, content: bytes = CONTENT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def found(folder: Path) -> dict[tuple[str, str], Submission]:
    listed = find_submissions(folder)
    results = {(one.student, one.result): one for one in listed}
    assert len(results) == len(listed), "two results of one name"
    assert list(results) == sorted(results)
    return results


def test_plain(tmp_path: Path) -> None:
    """{student}/{notebook}.ipynb: one submission for each, sorted."""
    for student, stem in (("b", STEM), ("a", OTHER), ("a", STEM)):
        put(tmp_path / student / f"{stem}.ipynb")
    put(tmp_path / "a" / "timestamp.txt", b"2026-11-21 09:00:00 UTC\n")
    put(tmp_path / "roster.csv", b"a,b")
    assert find_submissions(tmp_path) == [
        Submission("a", stem, tmp_path / "a" / f"{stem}.ipynb", "", stem, "2026-11-21 09:00:00 UTC", "")
        for stem in (STEM, OTHER)
    ] + [Submission("b", STEM, tmp_path / "b" / f"{STEM}.ipynb", "", STEM, "", "")]


def test_nbgrader(tmp_path: Path) -> None:
    """{student}/{assignment}/{notebook}.ipynb, with the time in timestamp.txt."""
    path = put(tmp_path / "a" / "ps1" / f"{STEM}.ipynb")
    put(tmp_path / "a" / "ps1" / "timestamp.txt", "\ufeff2026-11-21 09:00:00".encode())
    assert find_submissions(tmp_path) == [Submission("a", STEM, path, "ps1", STEM, "2026-11-21 09:00:00", "")]


def test_two_assignments(tmp_path: Path) -> None:
    """Notebooks of one name in two assignments have results of two names, others keep theirs."""
    for assignment in ("ps1", "ps2"):
        put(tmp_path / "a" / assignment / f"{STEM}.ipynb")
    put(tmp_path / "a" / "ps1" / f"{OTHER}.ipynb")
    put(tmp_path / "b" / "ps1" / f"{STEM}.ipynb")
    put(tmp_path / "c" / f"{STEM}.ipynb")
    put(tmp_path / "c" / "ps1" / f"{STEM}.ipynb")
    results = found(tmp_path)
    assert list(results) == [
        ("a", OTHER),
        ("a", f"ps1.{STEM}"),
        ("a", f"ps2.{STEM}"),
        ("b", STEM),
        ("c", STEM),
        ("c", f"ps1.{STEM}"),
    ]
    assert {one.notebook for one in results.values()} == {STEM, OTHER}


NAMES = [
    "O'Brien, Zoë",
    '"quoted"',
    "=1+1",
    "-a",
    "@b",
    "李小龙",
    "Đặng Thị",
    "محمد",
    "a b\tc",
    "x\ny",
    "%s{}",
    "🦉",
    "nul\\",
]


def test_names(tmp_path: Path) -> None:
    """Students' folders may have any name."""
    for name in NAMES:
        put(tmp_path / name / f"{STEM}.ipynb")
    assert {student for student, _ in found(tmp_path)} == set(NAMES)


def test_name_that_is_no_text(tmp_path: Path) -> None:
    """A name in bytes that are not UTF-8 becomes one that can be written, and the file is still found."""
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(folder)
    put(Path(os.fsdecode(folder)) / f"{STEM}.ipynb")
    (one,) = find_submissions(tmp_path)
    assert one.student == r"caf\xe9"
    assert read_bytes(one) == CONTENT


def test_refused(tmp_path: Path) -> None:
    """Links, pipes, sockets and folders where a notebook should be are named and not opened."""
    secret = put(tmp_path / "outside" / "secret.ipynb")
    class_ = tmp_path / "class"
    home = class_ / "a"
    home.mkdir(parents=True)
    (home / "link.ipynb").symlink_to(secret)
    (home / "dangling.ipynb").symlink_to("nowhere")
    (home / "loop.ipynb").symlink_to("loop.ipynb")
    (home / f"{STEM}.ipynb").mkdir()
    os.mkfifo(home / "pipe.ipynb")
    (home / "ps1").symlink_to(tmp_path / "outside")
    (class_ / "b").symlink_to(tmp_path / "outside")
    results = found(class_)
    assert {key: one.refused for key, one in results.items()} == {
        ("a", "link"): "a link, which is not followed",
        ("a", "dangling"): "a link, which is not followed",
        ("a", "loop"): "a link, which is not followed",
        ("a", STEM): "a folder, not a file",
        ("a", "pipe"): "a pipe, socket or device, not a file",
        ("a", "ps1"): "a link, which is not followed",
        ("b", "b"): "a link, which is not followed",
    }
    for one in results.values():
        with pytest.raises(Unreadable):
            read_bytes(one)


def test_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket is refused as well."""
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.ipynb")
        (one,) = find_submissions(tmp_path)
    assert one.refused == "a pipe, socket or device, not a file"


@pytest.mark.parametrize("become", ["link", "pipe", "folder", "nothing"])
def test_changed_since(tmp_path: Path, become: str) -> None:
    """What takes a notebook's place after it was found is neither followed nor waited for."""
    path = put(tmp_path / "a" / f"{STEM}.ipynb")
    (one,) = find_submissions(tmp_path)
    path.unlink()
    if become == "link":
        path.symlink_to(put(tmp_path / "secret.ipynb"))
    elif become == "pipe":
        os.mkfifo(path)
    elif become == "folder":
        path.mkdir()
    with pytest.raises(Unreadable):
        read_bytes(one)


def test_timestamp_is_a_file(tmp_path: Path) -> None:
    """A timestamp that is a link or a pipe is not read."""
    secret = put(tmp_path / "secret.txt", b"secret")
    for student in "ab":
        put(tmp_path / "class" / student / f"{STEM}.ipynb")
    (tmp_path / "class" / "a" / "timestamp.txt").symlink_to(secret)
    os.mkfifo(tmp_path / "class" / "b" / "timestamp.txt")
    assert [one.submitted for one in find_submissions(tmp_path / "class")] == ["", ""]


def test_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is refused before it is read, and while it is, should it have grown."""
    path = put(tmp_path / "a" / f"{STEM}.ipynb")
    (small,) = find_submissions(tmp_path)
    monkeypatch.setattr(notebook_files, "LARGEST", 1_000_000)
    with path.open("ab") as file:
        file.truncate(1_000_001)
    with pytest.raises(Unreadable, match="larger than 1 MB"):
        read_bytes(small)
    (one,) = find_submissions(tmp_path)
    assert one.refused == "the file is larger than 1 MB"


def test_ignored(tmp_path: Path) -> None:
    """Checkpoints, hidden files, what macOS leaves, and other files are not submissions."""
    put(tmp_path / "a" / f"{STEM}.ipynb")
    for name in (
        ".ipynb_checkpoints/x-checkpoint.ipynb",
        f"._{STEM}.ipynb",
        "__MACOSX/x.ipynb",
        "data.csv",
        "f.py",
    ):
        put(tmp_path / "a" / name)
        put(tmp_path / "a" / "ps1" / name)
    put(tmp_path / ".ipynb_checkpoints" / f"{STEM}.ipynb")
    assert list(found(tmp_path)) == [("a", STEM)]


@pytest.mark.parametrize(
    "name",
    [f"{STEM} (1).ipynb", "homework.ipynb", "作业.ipynb", f"{OTHER}-mine.ipynb", "x.ipynb.txt", "X.IPYNB"],
)
def test_renamed(tmp_path: Path, name: str) -> None:
    """A notebook under another name is known by its cells, and counts under the course's name."""
    path = put(tmp_path / "a" / name)
    (one,) = find_submissions(tmp_path)
    assert (one.notebook, one.result, one.path, one.refused) == (STEM, STEM, path, "")
    assert name.split(".ipynb")[0].split(".IPYNB")[0] in one.note


def test_damaged_and_renamed(tmp_path: Path) -> None:
    """Half a file is known as well; where nothing can be read the name tells, and else nothing."""
    put(tmp_path / "a" / "half.ipynb", CONTENT[: len(CONTENT) // 3])
    put(tmp_path / "b" / f"Copy of {STEM}.ipynb", b"")
    put(tmp_path / "c" / "essay.ipynb", b'{"cells": []}')
    assert {one.student: (one.notebook, one.result) for one in find_submissions(tmp_path)} == {
        "a": (STEM, STEM),
        "b": (STEM, STEM),
        "c": ("essay", "essay"),
    }


def test_two_of_one(tmp_path: Path) -> None:
    """Of two files that are one notebook the one with its name counts; the other is told, under its own name."""
    put(tmp_path / "a" / f"{STEM} (1).ipynb")
    put(tmp_path / "a" / f"{STEM}.ipynb")
    put(tmp_path / "b" / "try 1.ipynb")
    put(tmp_path / "b" / "try 2.ipynb")
    put(tmp_path / "c" / f"{STEM}.ipynb.txt")
    put(tmp_path / "c" / f"{STEM}.ipynb")
    results = found(tmp_path)
    assert {key: (one.notebook, one.path.name) for key, one in results.items() if not one.refused} == {
        (student, STEM): (STEM, name)
        for student, name in (("a", f"{STEM}.ipynb"), ("b", "try 2.ipynb"), ("c", f"{STEM}.ipynb"))
    }
    refused = {key: (one.notebook, one.refused) for key, one in results.items() if one.refused}
    assert refused == {
        ("a", f"{STEM} (1)"): (f"{STEM} (1)", f"a second {STEM}: '{STEM}.ipynb' counts"),
        ("b", "try 1"): ("try 1", f"a second {STEM}: 'try 2.ipynb' counts"),
        ("c", f"{STEM}.ipynb.txt"): (f"{STEM}.ipynb.txt", f"a second {STEM}: '{STEM}.ipynb' counts"),
    }


def test_long_names(tmp_path: Path) -> None:
    """Results of names as long as they can be have names of their own that a file system takes."""
    for assignment in ("p" * 255, "q" * 255, "長" * 85):
        for stem in ("n" * 249, "n" * 248 + "m"):
            put(tmp_path / "a" / assignment / f"{stem}.ipynb", b"{}")
    results = found(tmp_path)
    assert len(results) == 6
    assert all(len(f".{result}.json.tmp12345678".encode()) < 255 for _, result in results)


def test_unreadable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student's folder that cannot be opened is told, and the others are found."""
    put(tmp_path / "a" / f"{STEM}.ipynb")
    put(tmp_path / "b" / f"{STEM}.ipynb")
    scandir = os.scandir

    def forbidden(folder: str):
        if str(folder).endswith("/a"):
            raise PermissionError(13, "no")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", forbidden)  # root may open everything
    assert {one.student: one.refused for one in find_submissions(tmp_path)} == {
        "a": "the folder cannot be opened",
        "b": "",
    }


def test_no_folder(tmp_path: Path) -> None:
    """A folder that is not there is an error, an empty one is an empty class."""
    assert find_submissions(tmp_path) == []
    with pytest.raises(FileNotFoundError):
        find_submissions(tmp_path / "none")


def test_expensive_names(tmp_path: Path) -> None:
    """A large file under another name, made of what a notebook is recognised by, is looked at in bounded time."""
    path = tmp_path / "ada" / "mine.ipynb"
    path.parent.mkdir()
    for content in (b'"id":"a"' * 2_000_000, b'"id":"' + b"a" * 20_000_000, b'"id":"' * 3_000_000):
        path.write_bytes(content)
        began = time.process_time()
        (found,) = find_submissions(tmp_path)
        assert time.process_time() - began < 10  # 0.3 s where nothing else runs; minutes if it were quadratic
        assert found.notebook == "mine"

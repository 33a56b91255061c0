"""Reads files that were handed in. No link is followed, no pipe is waited for, and no file may be too large."""

import os
import stat
from pathlib import Path

LARGEST = 100_000_000  # bytes; a notebook with all its pictures has a few million


class Unreadable(Exception):
    """The file is not what it was when it was found, or may not be read."""


def read_file(path: Path, most: int | None = None) -> bytes:
    """Read a file that was handed in.

    Args:
        path: the file.
        most: bytes that it may have; `LARGEST` unless given.

    Raises:
        Unreadable: it is not a file, is too large, or may not be opened; the message says which.
    """
    most = LARGEST if most is None else most
    # Neither a link nor a pipe that has taken the file's place since is opened, or waited for.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with open(os.open(path, flags), "rb") as file:
            mode = os.fstat(file.fileno())
            if not stat.S_ISREG(mode.st_mode):
                raise Unreadable("not a file")
            content = file.read(most + 1)
    except OSError as error:
        raise Unreadable(f"the file cannot be opened: {error.strerror or 'unknown error'}") from error
    if len(content) > most:
        raise Unreadable(f"the file is larger than {most // 1_000_000} MB")
    return content


def why_refused(entry: os.DirEntry[str]) -> str:
    """Say why something that has a notebook's name is not read, as in "a folder, not a file"; "" where it can be."""
    mode = entry.stat(follow_symlinks=False)
    if stat.S_ISLNK(mode.st_mode):
        return "a link, which is not followed"
    if stat.S_ISDIR(mode.st_mode):
        return "a folder, not a file"
    if not stat.S_ISREG(mode.st_mode):
        return "a pipe, socket or device, not a file"
    if mode.st_size > LARGEST:
        return f"the file is larger than {LARGEST // 1_000_000} MB"
    return ""

"""Writes a file whole or not at all: under another name first, then, once it is on the disk, under its own."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def writing_whole(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file to be written part by part. It takes its name when the block ends well.

    After an error in the block, after a crash, or on a full disk, the file is what it was before. A symbolic
    link stays one: the file that it points to is written. A file that is there keeps its rights.

    Args:
        path: the file; its folder is made where it is missing.
        mode: the rights of a new file, of which the system's umask takes some away.

    Raises:
        OSError: it cannot be written. The error names the file, also where the disk is full.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     with writing_whole(Path(folder, "marks.csv")) as file:
        ...         _ = file.write(b"ada,")
        ...         _ = file.write(b"3")
        ...     Path(folder, "marks.csv").read_bytes()
        b'ada,3'
    """
    path = path.resolve() if path.is_symlink() else path
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with (
            naming(path),
            open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file,
        ):
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file's bytes at once, as `writing_whole` does."""
    with writing_whole(path, mode) as file:
        file.write(content)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise an error of the system with a file's name in it: that of a full disk comes without one.

    Example:
        >>> with naming(Path("marks.csv")):
        ...     raise OSError(28, "No space left on device")
        Traceback (most recent call last):
        OSError: [Errno 28] No space left on device: 'marks.csv'
    """
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error

"""The files of what an LMS hands out: a folder, or a zip. No link is followed, and nothing is taken at its word."""

import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from course_attention.grading.errors import CannotGrade
from course_attention.grading.reading.file_names import NOTEBOOK, TIMESTAMP
from course_attention.grading.reading.notebook_files import LARGEST, Unreadable, read_file

MOST_FILES = 200_000  # that are no notebooks, and are named one by one
DEEPEST = 40  # folders within each other; no path that a system takes has more than some thousand characters
METADATA = "submission_metadata.yml"  # Gradescope's own list
_PASSED_OVER = {"__MACOSX", ".ipynb_checkpoints"}


@dataclass(frozen=True)
class Found:
    """One file of an export.

    Attributes:
        parts: the names of its folders and its own, from the top of the export.
        size: in bytes, as the export states it.
        changed: seconds since 1970 at which it was last changed, as far as the export knows.
        refused: why it is not read, else "".
    """

    parts: tuple[str, ...]
    size: int
    changed: float
    refused: str = ""

    @property
    def name(self) -> str:
        """The path within the export, for people."""
        return "/".join(self.parts)

    @property
    def is_notebook(self) -> bool:
        """Whether its name is that of a notebook."""
        return NOTEBOOK.fullmatch(self.parts[-1]) is not None


@dataclass
class Export:
    """An export whose files can be listed and read.

    Attributes:
        path: of the folder or the zip.
        files: all of them but hidden ones, sorted.
    """

    path: Path
    _zip: zipfile.ZipFile | None = None
    files: list[Found] = field(default_factory=list)
    repositories: list[tuple[str, ...]] = field(default_factory=list)

    def read(self, found: Found, most: int = LARGEST) -> bytes:
        """Return the content of a file.

        Raises:
            Unreadable: it is refused, too large or damaged; the message says which.
        """
        if found.refused:
            raise Unreadable(found.refused)
        if self._zip is None:
            return read_file(self.path.joinpath(*found.parts), most)
        try:
            with self._zip.open("/".join(found.parts)) as file:
                content = file.read(most + 1)  # a zip may state a smaller size than it has
        except (OSError, RuntimeError, zipfile.BadZipFile, NotImplementedError, EOFError) as error:
            raise Unreadable(f"it cannot be read from the zip: {error}") from error
        except Exception as error:  # zlib's and lzma's own errors have no base in common
            raise Unreadable(f"it cannot be read from the zip: {type(error).__name__}") from error
        if len(content) > most:
            raise Unreadable(f"the file is larger than {most // 1_000_000} MB")
        return content


@contextmanager
def opened(path: Path) -> Iterator[Export]:
    """Open a folder or a zip.

    What one student hands in stops nobody: of the files that are no notebooks, `MOST_FILES` are listed and the others
    counted, and a folder that lies deeper than `DEEPEST` is listed and not looked into.

    Raises:
        CannotGrade: it is neither.
        OSError: it cannot be read.
    """
    if path.is_dir():
        export = Export(path)
        export.files = _listed(_of_folder(path, export.repositories))
        yield export
        return
    if not zipfile.is_zipfile(path):
        raise CannotGrade(f"{path} is not a folder of submissions, nor a zip that an LMS hands out")
    with zipfile.ZipFile(path) as archive:
        export = Export(path, archive)
        export.files = _listed(_of_zip(archive, export.repositories))
        yield export


def _listed(found: Iterator[Found]) -> list[Found]:
    """Sort files. Of very many only those that decide about anything are kept, with one entry for all others."""
    kept: list[Found] = []
    others = 0
    for one in found:
        is_other = not one.is_notebook and one.parts[-1] not in (TIMESTAMP, METADATA)
        others += is_other
        if not is_other or others <= MOST_FILES:
            kept.append(one)
    if others > MOST_FILES:
        kept.append(Found((f"and {others - MOST_FILES:,} more files",), 0, 0.0, "not a notebook"))
    return sorted(kept, key=lambda one: one.parts)


def _of_folder(folder: Path, repositories: list[tuple[str, ...]]) -> Iterator[Found]:
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        parts = waiting.pop()
        try:
            with os.scandir(folder.joinpath(*parts)) as entries:
                inside = list(entries)
        except OSError:
            if not parts:
                raise
            continue  # a folder that cannot be opened is told where students' folders are
        if any(entry.name == ".git" for entry in inside):
            repositories.append(parts)
        for entry in inside:
            if _hidden(entry.name):
                continue
            own = (*parts, entry.name)
            try:
                about = entry.stat(follow_symlinks=False)
            except OSError as error:  # its path is too long, or it has just gone
                yield Found(own, 0, 0.0, f"it cannot be looked at: {error.strerror}")
                continue
            if not stat.S_ISDIR(about.st_mode):
                yield Found(own, about.st_size, about.st_mtime, _why_refused(about.st_mode))
            elif len(own) < DEEPEST:
                waiting.append(own)
            else:
                yield Found(own, 0, about.st_mtime, "a folder that lies too deep to be looked into")


def _of_zip(archive: zipfile.ZipFile, repositories: list[tuple[str, ...]]) -> Iterator[Found]:
    seen = set()
    for entry in archive.infolist():
        parts = PurePosixPath(entry.filename).parts
        if ".git" in parts:
            repository = parts[: parts.index(".git")]
            if repository not in repositories:
                repositories.append(repository)
        if entry.is_dir() or any(map(_hidden, parts)):
            continue
        refused = _why_refused(entry.external_attr >> 16) if entry.external_attr >> 16 else ""
        if entry.filename.startswith("/") or ".." in parts or "/".join(parts) != entry.filename:
            refused = "its name in the zip is not a plain path"
        elif parts in seen:
            refused = "the zip holds two files of this name; the last one counts"
        else:
            seen.add(parts)
        yield Found(parts, entry.file_size, _time_of(entry), refused)


def _hidden(name: str) -> bool:
    return (name.startswith(".") and name != "..") or name in _PASSED_OVER


def _time_of(entry: zipfile.ZipInfo) -> float:
    try:
        return datetime(*entry.date_time).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _why_refused(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a link, which is not followed"
    return "" if stat.S_ISREG(mode) or not stat.S_IFMT(mode) else "a pipe, socket or device, not a file"

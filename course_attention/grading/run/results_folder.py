"""The folder of a class's results: one command at a time writes in it, and errors are the caller's own."""

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from course_attention.active_course import active
from course_attention.active_course.choice import COURSE_FILE
from course_attention.course.whole_files import write_whole
from course_attention.grading.errors import CannotGrade
from course_attention.grading.run.results import result_files
from course_attention.grading.run.scheduling.executors import CannotRun
from course_attention.grading.sandbox import bubblewrap
from course_attention.grading.views import gradebook as nbgrader_gradebook


@contextlib.contextmanager
def explained(scheduler: str | None = None) -> Iterator[None]:
    """Raise the errors of the sandbox, the workers and the gradebook as the one that the caller knows."""
    try:
        yield
    except bubblewrap.NoSandbox as error:
        there = "on a worker of the cluster: " if scheduler else ""
        raise CannotGrade(f"{there}{error}") from error
    except (CannotRun, nbgrader_gradebook.NoGradebook) as error:
        raise CannotGrade(str(error)) from error


@contextlib.contextmanager
def alone_in(results: Path) -> Iterator[None]:
    """Let one run at a time write to a folder of results, and remove what a killed one left half-written."""
    try:
        with FileLock(results / ".lock", timeout=0):
            result_files.keep_private(results)
            result_files.remove_half_written(results)
            yield
    except Timeout:
        raise CannotGrade(f"another command is writing to {results}; wait for it, or name another folder") from None


def note_course(results: Path) -> None:
    """Note whose course the results are of, so that `report` needs no `--course`."""
    if (folder := active().folder) is not None:
        write_whole(results / COURSE_FILE, f"{folder}\n".encode(), result_files.PRIVATE_FILE)


def kept_seed(out: Path, seed: int | None) -> int:
    """Return, and keep, the seed that was given; else the one of the results that are there; else a new secret."""
    path = out / result_files.SEED_FILE
    if seed is None:
        try:
            return int(path.read_text())
        except FileNotFoundError:
            seed = secrets.randbelow(2**53)
        except ValueError:
            raise CannotGrade(
                f"{path} should hold the seed of these results, and does not: give it as --seed"
            ) from None
    write_whole(path, f"{seed}\n".encode(), result_files.PRIVATE_FILE)
    return seed

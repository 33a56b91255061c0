"""Reads the files of attempts that students handed in: one student a file."""

from pathlib import Path

from course_attention.course.attempts_file import Attempt, attempts_in
from course_attention.grading.errors import CannotGrade

LARGEST = 10_000_000  # bytes; an attempt has about 60


def read_class(folder: Path) -> dict[str, list[Attempt]]:
    """Return the attempts of each student, sorted by time; a student is named by the file's path.

    Files that hold no attempt, links and files that are too large are left out.

    Args:
        folder: with a file for each student, whatever its name, such as `ada/attempts.csv` or `ada.csv`.

    Raises:
        CannotGrade: there is no such folder, or no attempt in it.
    """
    if not folder.is_dir():
        raise CannotGrade(f"{folder} is no folder")
    found: dict[str, list[Attempt]] = {}
    for path in sorted(folder.rglob("*.csv")):
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
            continue
        attempts = list(attempts_in(path.read_text(encoding="utf-8", errors="replace")))
        if attempts:
            found[path.relative_to(folder).as_posix()] = sorted(attempts, key=lambda one: one.time)
    if not found:
        raise CannotGrade(f"no file in {folder} holds attempts, as `start --keep-attempts` has them kept")
    return found

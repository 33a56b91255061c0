"""The file in which a workspace keeps its attempts, where its student wants that: a line for each check, and no code.

`start --keep-attempts` makes the file. A check adds a line where the file is; who deletes it ends the keeping.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

FILE = "attempts.csv"
FIELDS = ("time", "exercise", "verdict", "misconception")
LONGEST = 200  # characters of a field that are read


@dataclass(frozen=True)
class Attempt:
    """One check.

    Attributes:
        time: in UTC.
        exercise: or practice.
        verdict: "passed", "failed" or "errored".
        misconception: the id of the mistake that the card named, "" where it named none.
    """

    time: datetime
    exercise: str
    verdict: str
    misconception: str = ""


def begin(folder: Path) -> str | None:
    """Make the file in a workspace; returns a line that says so, None where it is there already."""
    path = folder / FILE
    if path.exists():
        return None
    path.write_text(",".join(FIELDS) + "\n", encoding="utf-8")
    return (
        f"From now on, each check adds a line to {FILE}: time, exercise, verdict, and the id of the mistake; no code. "
        "Delete the file, and nothing is kept."
    )


def add(folder: Path, attempt: Attempt) -> None:
    """Add a line, where the file is there. A file that cannot be written is left alone: no check may fail of it."""
    path = folder / FILE
    if not path.is_file():
        return
    line = io.StringIO()
    time = attempt.time.astimezone(UTC).isoformat(timespec="seconds")
    csv.writer(line, lineterminator="\n").writerow([time, attempt.exercise, attempt.verdict, attempt.misconception])
    try:
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(line.getvalue())
    except OSError:
        return


def attempts_in(text: str) -> Iterator[Attempt]:
    """Yield the attempts of a file, in their order. Lines that are none are left out: a student may have edited it.

    Example:
        >>> lines = ["2026-03-02T09:00:00+00:00,softmax,failed,axis-ignored", "nonsense"]
        >>> [(one.exercise, one.misconception) for one in attempts_in("\\n".join(lines))]
        [('softmax', 'axis-ignored')]
    """
    try:
        rows = list(csv.reader(io.StringIO(text)))
    except csv.Error:
        return
    for row in rows:
        if len(row) != len(FIELDS) or max(map(len, row)) > LONGEST or row[2] not in ("passed", "failed", "errored"):
            continue
        try:
            time = datetime.fromisoformat(row[0])
        except ValueError:
            continue
        if time.tzinfo is not None:
            yield Attempt(time, row[1], row[2], row[3])

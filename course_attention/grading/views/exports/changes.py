"""Whose marks differ from those exported last, by how much and why."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_attention.grading.marking.due_dates import DueDates
from course_attention.grading.run.results.verdict_record import NOT_JUDGED
from course_attention.grading.run.submission.former_result import standing
from course_attention.grading.views.exports import exported
from course_attention.grading.views.exports.spreadsheet import as_csv, written_for_excel
from course_attention.presentation.wording import points

TABLE = "changes.csv"
# What has changed where a part of a fingerprint has, see `run.fingerprint`.
_PARTS = {
    "reading": "how a file is read",
    "notebook": "the course's notebook",
    "judge": "the judge",
    "policy": "what an answer may not use",
    "sandbox": "the sandbox",
    "exercise": "the exercise",
    "points": "its points",
    "helpers": "the course's helpers",
}
NEW, WITHDRAWN, AGAIN, AGAIN_HANDED_IN = "new", "withdrawn", "graded again", "handed in again"
LATE = "the late rules"  # what a mark is made of is the same, and the mark is not
Recorded = Mapping[str, Any]
_NO_EXERCISE: Recorded = {"status": "not asked", "misconception": None, "points": None, "earned": None}


@dataclass(frozen=True)
class Change:
    """One mark that is not what was exported.

    Attributes:
        student: the student's name.
        assignment: the folder between the student's and the notebook, "" where there is none.
        notebook: the notebook.
        exercise: the exercise; "" where it is the mark of the whole notebook.
        before, now: the points; None where there are none.
        said_before, says_now: the verdict, with the misconception.
        why: what has changed: the parts of the fingerprint, or what was handed in.
    """

    student: str
    assignment: str
    notebook: str
    exercise: str
    before: float | None
    now: float | None
    said_before: str
    says_now: str
    why: str

    @property
    def difference(self) -> float | None:
        """By how many points; None where there were, or are, none."""
        return None if self.before is None or self.now is None else round(self.now - self.before, 2)

    def __str__(self) -> str:
        where = f"    {self.exercise}" if self.exercise else f"{self.student}, {self.notebook}"
        by = f" ({self.difference:+g})" if self.difference else ""
        said = (self.said_before, self.says_now)
        verdict = f"; {' → '.join(said)}" if all(said) and said[0] != said[1] else ""
        return f"{where}: {_points(self.before)} → {_points(self.now)}{by}{verdict}; {self.why}"


def changes(results: Path, dates: DueDates) -> Iterator[Change]:
    """Yield each change since the marks exported last, student by student; a notebook comes before its exercises.

    Where nothing was exported yet, every mark is new.

    Args:
        results: the folder of results.
        dates: what is due when.
    """
    before = exported.read(exported.last(results))
    for old, new in _side_by_side(before, exported.now(results, dates)):
        student = (new or old)["student"]
        then, today = old.get("results", {}), new.get("results", {})
        for name in sorted({*then, *today}):
            yield from _of_result(student, then.get(name), today.get(name))


def write(results: Path, dates: DueDates) -> str:
    """Write `changes.csv`, and return a line on it; "" where nothing was exported yet."""
    last = exported.last(results)
    if last is None:
        return ""
    whole: list[Change] = []
    with written_for_excel(results / TABLE) as table:
        head = ("student", "assignment", "notebook", "exercise", "before", "now", "difference")
        table.write(as_csv([(*head, "verdict before", "verdict now", "why")]))
        for one in changes(results, dates):
            row = (one.student, one.assignment, one.notebook, one.exercise, one.before, one.now)
            table.write(as_csv([(*row, one.difference, one.said_before, one.says_now, one.why)]))
            if not one.exercise:
                whole.append(one)
    return f"changes: {told(whole)} since the export of {exported.when(last):%Y-%m-%d %H:%M} UTC"


def told(several: Iterable[Change]) -> str:
    """Count changes of whole notebooks in words."""
    whole = [one for one in several if not one.exercise]
    if not whole:
        return "no mark differs"
    kinds = {
        "up": sum((one.difference or 0) > 0 for one in whole),
        "down": sum((one.difference or 0) < 0 for one in whole),
        NEW: sum(one.why == NEW for one in whole),
        WITHDRAWN: sum(one.why == WITHDRAWN for one in whole),
    }
    counts = ", ".join(f"{number} {kind}" for kind, number in kinds.items() if number)
    students = len({one.student for one in whole})
    marks = "1 mark differs" if len(whole) == 1 else f"{len(whole)} marks of {students} students differ"
    return f"{marks} ({counts})" if counts else marks


def _side_by_side(
    before: Iterator[dict[str, Any]], now: Iterator[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the marks of each student, before and now; both come in the order of their folders."""
    old, new = next(before, {}), next(now, {})
    while old or new:
        if not new or (old and old["folder"] < new["folder"]):
            yield old, {}
            old = next(before, {})
        elif not old or new["folder"] < old["folder"]:
            yield {}, new
            new = next(now, {})
        else:
            yield old, new
            old, new = next(before, {}), next(now, {})


def _of_result(student: str, then: Recorded | None, today: Recorded | None) -> Iterator[Change]:
    one = today or then or {}
    where = (student, one["assignment"], one["notebook"])
    if then is None or today is None:
        old, new = (one or {"score": None, "status": ""} for one in (then, today))
        why = NEW if then is None else WITHDRAWN
        yield Change(*where, "", old["score"], new["score"], old["status"], new["status"], why)
        return
    exercises = [*_of_exercises(where, then, today)]
    same = all(then[what] == today[what] for what in ("score", "max_score", "status"))
    if exercises or not same:
        reasons = [reason for one in exercises for reason in one.why.split(", ")] or _common(then, today)
        why = ", ".join(dict.fromkeys(reasons)) or (AGAIN if exercises else LATE)
        yield Change(*where, "", then["score"], today["score"], then["status"], today["status"], why)
        yield from exercises


def _of_exercises(where: tuple[str, str, str], then: Recorded, today: Recorded) -> Iterator[Change]:
    earlier = ""  # an answer before this one that passed and does not any more, or the other way round
    if not then["exercises"] or not today["exercises"]:
        return  # it was, or is, malformed: all of its exercises have changed
    for name in dict.fromkeys([*then["exercises"], *today["exercises"]]):
        old, new = (one["exercises"].get(name, _NO_EXERCISE) for one in (then, today))
        if any(old[what] != new[what] for what in _NO_EXERCISE):
            why = [*_common(then, today), *_parts(old, new)]
            if NOT_JUDGED in (old["status"], new["status"]):
                why = ["the grader itself had failed" if old["status"] == NOT_JUDGED else "the grader itself failed"]
            elif not why and earlier:
                why = [f"{earlier} before it is judged otherwise"]
            yield Change(*where, name, old["earned"], new["earned"], _said(old), _said(new), ", ".join(why) or AGAIN)
        if standing(old) != standing(new):
            earlier = earlier or name


def _common(then: Recorded, today: Recorded) -> list[str]:
    """Return what has changed for all exercises of a notebook."""
    why = [AGAIN_HANDED_IN] if then["source_sha256"] != today["source_sha256"] else []
    why += ["the seed"] if then["seed"] != today["seed"] else []
    return why + _parts(then, today)


def _parts(then: Recorded, today: Recorded) -> list[str]:
    before, now = (one.get("decided_by", {}) for one in (then, today))
    both = before and now  # an exercise may be new, and a result older than its parts
    return [words for part, words in _PARTS.items() if both and before.get(part) != now.get(part)]


def _said(entry: Recorded) -> str:
    return ", ".join(filter(None, [entry["status"], entry["misconception"]]))


def _points(score: float | None) -> str:
    return "no mark" if score is None else points(score)

"""A student's progress: which exercises and which practice of all notebooks are passed, tried and open."""

import html
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from itertools import groupby

from course_attention.active_course import active, workspace
from course_attention.course.attempts_file import Attempt, add
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.lesson import defences, predictions, reviews
from course_attention.lesson.records import Record, Records
from course_attention.mutants.questions import can_be_asked
from course_attention.practice import PRACTICE
from course_attention.presentation.display import Bundle, frame, paragraphs, show, wrapped
from course_attention.presentation.wording import points, points_of

MARKS = {"passed": "✓", "tried": "~", "open": "○"}
BAR = 20  # characters of a bar in plain text
KEPT = "The best result counts: an exercise that you passed once stays passed, even where its last check failed."

_records = Records()


def record(verdict: Verdict) -> None:
    """Keep a verdict for `progress`: for this session, and in a workspace for all of its notebooks."""
    _records.add(verdict)
    keep_attempt(verdict)
    if verdict.misconception:
        reviews.meet(verdict.misconception)


def keep_attempt(verdict: Verdict) -> None:
    """Add a line to the workspace's file of attempts, where its student wants one."""
    folder = workspace()
    if folder is not None and verdict.status in ("passed", "failed", "errored"):
        found = Attempt(datetime.now(UTC), verdict.exercise, verdict.status, verdict.misconception or "")
        add(folder.parent, found)


def kept_records() -> dict[str, Record]:
    """Return what is remembered of each exercise and each practice that was checked."""
    return _records.all()


def progress() -> None:
    """Show what is passed (✓), tried (~) and open (○) in every notebook, with the points so far."""
    records = _records.all()
    predicted = [*filter(None, [predictions.summary()]), *predictions.remarks()]
    predicted += [*filter(None, [_defended(records)]), *defences.remarks()]
    predicted += [*filter(None, [reviews.summary()]), *reviews.remarks()]
    show(progress_bundle(records, [*_practised(records), *predicted, *_of_course(), *_records.remarks]))


def progress_bundle(records: Mapping[str, Record], remarks: list[str]) -> Bundle:
    """Return the table of all exercises, as HTML and as plain text."""
    states = {name: _state(records.get(name)) for name in CATALOGUE}
    counts = ", ".join(f"{list(states.values()).count(state)} {state}" for state in MARKS)
    total = f"Progress: {counts}; {_points(CATALOGUE, records)}"
    after = [*([KEPT] if any(_failed_since(r) for r in records.values()) else []), *remarks]
    rows, lines = [], []
    for notebook, group in groupby(CATALOGUE.values(), key=lambda exercise: exercise.notebook):
        names = [exercise.name for exercise in group]
        share = _earned(names, records) / _available(names)
        of_notebook = _points(names, records)
        marked = [_marked(name, states[name], records) for name in names]
        rows.append(
            f'<tr><th scope="row">{html.escape(notebook)}</th><td>{"<br>".join(marked)}</td>'
            '<td><span class="ca-bar" aria-hidden="true">'
            f'<span style="width:{share:.0%}"></span></span> {of_notebook}</td></tr>'
        )
        filled = int(share * BAR)
        lines += ["", f"{notebook:<32}{'█' * filled}{'·' * (BAR - filled)}  {of_notebook}"]
        lines += [f"  {line}" for line in marked]
    table = (
        '<table class="ca-list"><thead><tr><th scope="col">Notebook</th><th scope="col">Exercises</th>'
        f'<th scope="col">Points</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )
    head = f'<p class="ca-idea">{total}</p>'
    return Bundle(
        frame("progress", total, head, table, paragraphs("\n\n".join(after))),
        "\n".join([total, *lines, *(["", *map(wrapped, after)] if after else [])]),
    )


def _of_course() -> list[str]:
    """Return what a course of one's own is called, and whom students ask."""
    course = active()
    if course.folder is None:
        return []
    asked = f" Questions go to {course.settings.contact}." if course.settings.contact else ""
    return [f"This course: {course.settings.title}.{asked}"]


def _practised(records: Mapping[str, Record]) -> list[str]:
    """Return a sentence on the practice, which earns no points: how much is done, and what of it was tried."""
    states = {name: _state(records.get(name)) for name in PRACTICE}
    done = list(states.values()).count("passed")
    tried = [name for name, state in states.items() if state == "tried"]
    begun = f" Tried and not right yet: {', '.join(f'`{name}`' for name in tried)}." if tried else ""
    return [f"Practice, for no points: {done} of {len(states)} done.{begun}"] if states else []


def _defended(records: Mapping[str, Record]) -> str:
    """Return a sentence on the answers that were defended, of those that passed; "" where nobody was asked."""
    passed = (name for name in CATALOGUE if _state(records.get(name)) == "passed")
    return defences.summary(filter(can_be_asked, passed))


def _state(record: Record | None) -> str:
    return "open" if record is None else "passed" if record.passed else "tried"


def _failed_since(record: Record) -> bool:
    return record.passed and record.last != "passed"


def _marked(name: str, state: str, records: Mapping[str, Record]) -> str:
    since = " (its last check failed)" if name in records and _failed_since(records[name]) else ""
    best = f", {points(records[name].best * CATALOGUE[name].points)} points" if state == "tried" else ""
    return f"{MARKS[state]} {name}: {state}{best}{since}"


def _available(names: Iterable[str]) -> float:
    return sum(CATALOGUE[name].points for name in names)


def _earned(names: Iterable[str], records: Mapping[str, Record]) -> float:
    return sum(records[name].best * CATALOGUE[name].points for name in names if name in records)


def _points(names: Collection[str], records: Mapping[str, Record]) -> str:
    return points_of(_earned(names, records), _available(names))

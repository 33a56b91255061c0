"""The misconceptions of a class: for each notebook a table of misconceptions × exercises, with counts of answers."""

from dataclasses import dataclass

from course_attention.exercises import CATALOGUE
from course_attention.grading.views.statistics.class_statistics import (
    ERRORED,
    UNNAMED,
    ClassStatistics,
    in_teaching_order,
)
from course_attention.grading.views.wording import misconception_words

SHADES = 5
_WITHOUT_ONE = {UNNAMED: "Another mistake, which no misconception explains", ERRORED: "Stopped with an error"}


@dataclass(frozen=True)
class Count:
    """The answers to an exercise that show a misconception.

    Attributes:
        answers: how many; None where the exercise cannot show the misconception.
        shade: 0 to 5, by their share of all answers to the exercise.
    """

    answers: int | None
    shade: int


@dataclass(frozen=True)
class MisconceptionRow:
    """A misconception: its title, its id ("" where it has none), and a count for each exercise."""

    title: str
    name: str
    counts: list[Count]
    total: int


@dataclass(frozen=True)
class MisconceptionTable:
    """The misconceptions in the answers to one notebook; each exercise comes with the number of its answers."""

    notebook: str
    exercises: list[tuple[str, int]]
    rows: list[MisconceptionRow]


@dataclass(frozen=True)
class HeldMisconception:
    """A misconception in the whole course: how many students hold it, and in how many answers to which exercises."""

    title: str
    name: str
    students: int
    exercises: list[tuple[str, int]]


def misconception_tables(statistics: ClassStatistics) -> list[MisconceptionTable]:
    """Return a table for each notebook that has a wrong answer."""
    notebooks = sorted({exercise.notebook for exercise in statistics.exercises.values()})
    return [table for notebook in notebooks if (table := _table(notebook, statistics)).rows]


def most_held(statistics: ClassStatistics, most: int = 12) -> list[HeldMisconception]:
    """Return the misconceptions that most students hold, the most frequent first."""
    ranked = sorted(statistics.holders.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [
        HeldMisconception(misconception_words(name, exercises[0][0])[0], name, students, exercises)
        for name, students in ranked
        for exercises in [_exercises(name, statistics)]
    ]


def _exercises(name: str, statistics: ClassStatistics) -> list[tuple[str, int]]:
    exercises = in_teaching_order(exercise for exercise, held in statistics.misconceptions if held == name)
    counts = [(exercise, statistics.misconceptions[exercise, name]) for exercise in exercises]
    return sorted(counts, key=lambda count: -count[1])


def _table(notebook: str, statistics: ClassStatistics) -> MisconceptionTable:
    own = [name for name, exercise in statistics.exercises.items() if exercise.notebook == notebook]
    exercises = in_teaching_order(own)
    held = {name for exercise, name in statistics.misconceptions if exercise in exercises}
    rows = [_row(name, exercises, statistics) for name in sorted(held)]
    return MisconceptionTable(
        notebook,
        [(name, statistics.exercises[name].tried) for name in exercises],
        sorted(rows, key=lambda row: (row.name == "", -row.total, row.title)),
    )


def _row(name: str, exercises: list[str], statistics: ClassStatistics) -> MisconceptionRow:
    counts = [_count(exercise, name, statistics) for exercise in exercises]
    first = next(exercise for exercise in exercises if statistics.misconceptions[exercise, name])
    title = _WITHOUT_ONE.get(name) or misconception_words(name, first)[0]
    total = sum(count.answers or 0 for count in counts)
    return MisconceptionRow(title, "" if name in _WITHOUT_ONE else name, counts, total)


def _count(exercise: str, name: str, statistics: ClassStatistics) -> Count:
    answers, tried = statistics.misconceptions.get((exercise, name), 0), statistics.exercises[exercise].tried
    known = name in _WITHOUT_ONE or (exercise in CATALOGUE and name in CATALOGUE[exercise].exercise.misconception_ids)
    if not answers:
        return Count(0 if known else None, 0)
    return Count(answers, min(SHADES, 1 + int(SHADES * answers / max(tried, 1) / 0.5)))

"""Which mistaken ideas a class holds: for each notebook, ideas × exercises, with the number of answers."""

from __future__ import annotations

from dataclasses import dataclass

from course_attention.exercises import CATALOGUE
from course_attention.grading.views.tally import ERRORED, UNNAMED, Tally
from course_attention.grading.views.wording import idea, in_order

SHADES = 5


@dataclass(frozen=True)
class Count:
    """Answers with an idea to an exercise; `shade` is 0 to 5, by their share of the answers; None: cannot be told."""

    answers: int | None
    shade: int


@dataclass(frozen=True)
class Idea:
    """A row: what is mistaken, its id ("" where there is none), and a count for each exercise."""

    title: str
    name: str
    counts: list[Count]
    total: int


@dataclass(frozen=True)
class Grid:
    """The ideas seen in the answers to one notebook."""

    notebook: str
    exercises: list[tuple[str, int]]  # with the number of answers
    ideas: list[Idea]


@dataclass(frozen=True)
class Held:
    """An idea over the whole course: who holds it, and where."""

    title: str
    name: str
    students: int
    exercises: list[tuple[str, int]]


def grids(tally: Tally) -> list[Grid]:
    """A grid for each notebook in whose answers something is wrong."""
    notebooks = sorted({exercise.notebook for exercise in tally.exercises.values()})
    return [grid for notebook in notebooks if (grid := _grid(notebook, tally)).ideas]


def most_held(tally: Tally, most: int = 12) -> list[Held]:
    """The ideas that most students hold."""
    ranked = sorted(tally.holders.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [
        Held(idea(name, places[0][0]), name, students, places)
        for name, students in ranked
        for places in [_places(name, tally)]
    ]


def _places(name: str, tally: Tally) -> list[tuple[str, int]]:
    exercises = in_order(exercise for exercise, held in tally.ideas if held == name)
    places = [(exercise, tally.ideas[exercise, name]) for exercise in exercises]
    return sorted(places, key=lambda place: -place[1])


def _grid(notebook: str, tally: Tally) -> Grid:
    names = in_order(name for name, exercise in tally.exercises.items() if exercise.notebook == notebook)
    seen = {held for exercise, held in tally.ideas if exercise in names}
    rows = [_row(held, names, tally) for held in sorted(seen)]
    return Grid(
        notebook,
        [(name, tally.exercises[name].tried) for name in names],
        sorted(rows, key=lambda row: (row.name == "", -row.total, row.title)),
    )


def _row(held: str, names: list[str], tally: Tally) -> Idea:
    counts = [_count(name, held, tally) for name in names]
    where = next(name for name in names if tally.ideas[name, held])
    titles = {UNNAMED: "Another mistake, which no known idea explains", ERRORED: "Stopped with an error"}
    title = titles.get(held) or idea(held, where)
    return Idea(title, "" if held in titles else held, counts, sum(count.answers or 0 for count in counts))


def _count(name: str, held: str, tally: Tally) -> Count:
    answers, tried = tally.ideas.get((name, held), 0), tally.exercises[name].tried
    known = held in (UNNAMED, ERRORED) or (name in CATALOGUE and held in CATALOGUE[name].misconceptions)
    if not answers:
        return Count(0 if known else None, 0)
    return Count(answers, min(SHADES, 1 + int(SHADES * answers / max(tried, 1) / 0.5)))

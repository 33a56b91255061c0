"""Puts one exercise's answer together from the cells that hold it: copies, parts of a split cell, moved cells."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from course_attention.course.cell_source import facts
from course_attention.grading.reading.submitted_cells import SubmittedCell

MOST_COPIES = 50  # of one answer that are looked at, from the last
MOST_PARTS = 6  # that one cell is split into


@dataclass(frozen=True)
class Answer:
    """What counts as the answer.

    Attributes:
        source: what to run.
        places: the cells that it stands in.
        overruled: the cells of other answers to the same exercise.
        notes: what was odd.
    """

    source: str
    places: tuple[int, ...]
    overruled: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def answer(
    name: str, stub: str, cells: Sequence[SubmittedCell], places: Sequence[int], free: Collection[int]
) -> Answer:
    """Put the answer to an exercise together.

    Of several the last counts, of those that can be run and define the exercise's name, and are not the course's stub.

    Args:
        name: the exercise.
        stub: the source of its answer cell in the course.
        cells: all that was handed in.
        places: where among them this exercise's answer cells are, in order; at least one.
        free: where the cells are that belong to nothing: one may be the second half of a split answer.
    """
    written = [place for place in places if cells[place].source.strip()]
    if not written:
        return Answer("", tuple(places[:1]), tuple(places[1:]), (f"{name}: the answer cell is blank",))
    versions = [_with_tail(name, cells, version, free) for version in _versions(name, cells, written[-MOST_COPIES:])]
    sources = [_joined(name, [cells[place].source for place in version]) for version in versions]

    def rank(index: int) -> tuple[bool, bool, int]:
        return sources[index].strip() != stub.strip(), _complete(name, sources[index]), index

    best = max(range(len(versions)), key=rank)
    notes = []
    if (different := len(set(sources))) > 1:
        which = "the last" if best == len(versions) - 1 else "the last that is worked on and can be run"
        notes.append(f"{name}: {different} different answers; {which} counts")
    if (parts := len(versions[best])) > 1:
        notes.append(f"{name}: the answer stands in {parts} cells, which were put together")
    if any(cells[place].cut for place in versions[best]):
        notes.append(f"{name}: the file is damaged inside the answer, which is taken as far as it can be read")
    others = {place for version in versions for place in version}.union(places) - set(versions[best])
    return Answer(sources[best], tuple(versions[best]), tuple(sorted(others)), tuple(notes))


def _complete(name: str, source: str) -> bool:
    return facts(source).runs and name in facts(source).defines


def _versions(name: str, cells: Sequence[SubmittedCell], places: Sequence[int]) -> list[list[int]]:
    """Group the cells, one group for each answer.

    A new group begins where a cell is an answer by itself, and the cells so far are one too, or cannot be run. Any
    other cell that follows is the rest of a split cell, where it fits.
    """
    groups: list[list[int]] = []
    for place in places:
        source = cells[place].source
        if groups:
            so_far = _joined(name, [cells[other].source for other in groups[-1]])
            preamble = facts(so_far).runs and not _complete(name, so_far)
            both = name in facts(so_far).defines & facts(source).defines  # also where neither can be run
            if not both and (preamble or not _complete(name, source)) and len(groups[-1]) < MOST_PARTS:
                groups[-1].append(place)
                continue
        groups.append([place])
    return [part for group in groups for part in _whole_parts(name, cells, group)]


def _whole_parts(name: str, cells: Sequence[SubmittedCell], group: list[int]) -> list[list[int]]:
    """Keep a group that is one answer; split any other behind the longest beginning that is one."""
    for length in range(len(group), 0, -1):
        if _complete(name, _joined(name, [cells[place].source for place in group[:length]])):
            return [group[:length], *([place] for place in group[length:])]
    return [group]


def _with_tail(name: str, cells: Sequence[SubmittedCell], version: list[int], free: Collection[int]) -> list[int]:
    """Add the cells after an answer that complete it, or that can be run only as a part of it."""
    tail: list[int] = []
    taken = version
    for place in range(version[-1] + 1, len(cells)):
        source = cells[place].source
        if not source.strip():
            continue
        if place not in free or len(tail) == MOST_PARTS:
            break
        tail.append(place)
        longer = [*version, *tail]
        if _complete(name, _joined(name, [cells[part].source for part in longer])):
            needed = not _complete(name, _joined(name, [cells[part].source for part in taken]))
            new = longer[len(taken) :]
            if needed or any(not cells[part].facts.runs for part in new):
                taken = longer
    return taken


def _joined(name: str, sources: Sequence[str]) -> str:
    """Join the parts of a split cell. JupyterLab drops the line ends at the split, but keeps the spaces there."""
    lines = "\n".join(sources)
    if len(sources) == 1:
        return lines
    in_a_line = "".join(part if part.endswith((" ", "\t")) else f"{part}\n" for part in sources[:-1])
    attempts = [in_a_line + sources[-1], lines, "".join(sources)]
    return next((attempt for attempt in attempts if _complete(name, attempt)), lines)

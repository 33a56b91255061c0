"""Reads a submitted notebook: the answers, the cells that the student added, and notes on what was odd."""

import hashlib
from dataclasses import dataclass

from course_attention.course.cells import CourseNotebook
from course_attention.course.colab import STANDING
from course_attention.grading.reading.answer_cells import answer_cells
from course_attention.grading.reading.answers import answer
from course_attention.grading.reading.matched_cells import MatchedCells
from course_attention.grading.reading.submitted_cells import NotANotebook, SubmittedCell, cells_of


@dataclass(frozen=True)
class Added:
    """A cell that the student added.

    Attributes:
        source: what to run.
        after: the id of the course's cell behind which it runs, "" above the first.
    """

    source: str
    after: str


@dataclass(frozen=True)
class Reading:
    """What counts of a submission.

    Attributes:
        answers: exercise → source; an exercise whose answer is not there has no entry.
        added: the cells that the student added, in the order of the submission.
        notes: what is missing, and what was odd, for people.
        malformed: why the file cannot be read as a notebook at all, else "".
        sha256: of the file's bytes.
        defended: the exercises of this notebook that its outputs say were defended.
    """

    answers: dict[str, str]
    added: tuple[Added, ...]
    notes: tuple[str, ...]
    malformed: str
    sha256: str
    defended: tuple[str, ...] = ()


def read_submission(content: bytes, course: CourseNotebook) -> Reading:
    """Read what was handed in for a course notebook, as far as it can be read.

    Time and memory depend on the file alone; `limited.read_limited` does the same under limits.

    Args:
        content: the bytes of the file.
        course: the notebook that it was handed in for.

    Raises:
        MemoryError: there is too little for this file. Nothing else is ever raised.
    """
    digest = hashlib.sha256(content).hexdigest()
    try:
        cells, notes = cells_of(content)
        answers, added, more = _sorted_out(cells, course)
    except NotANotebook as error:
        return Reading({}, (), (), str(error), digest)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever a damaged file brings to light, the class is graded to its end
        return Reading({}, (), (), "the file cannot be read as a notebook", digest)
    said = {name for cell in cells for name in cell.defended}
    defended = tuple(name for name in course.exercises if name in said)
    return Reading(answers, added, (*notes, *more), "", digest, defended)


def _sorted_out(
    cells: list[SubmittedCell], course: CourseNotebook
) -> tuple[dict[str, str], tuple[Added, ...], list[str]]:
    matched = MatchedCells(cells, course)
    stubs = {cell.name: cell.source for cell in course.cells if cell.role == "answer"}
    places_of, notes = answer_cells(cells, matched)
    home: dict[int, str] = dict(matched.home)  # of each cell that counts, the course's cell that it is
    free = {place for place in matched.free if cells[place].kind == "code" and cells[place].source.strip()}
    for places in places_of.values():
        free.difference_update(places)
    answers: dict[str, str] = {}
    for name in course.exercises:
        if name not in places_of:
            continue
        found = answer(name, stubs[name], cells, places_of[name], free)
        answers[name] = found.source
        notes += found.notes
        free.difference_update(found.places, found.overruled)
        for place in found.overruled:  # what stands around an answer that does not count belongs elsewhere
            home.pop(place, None)
        home.update(dict.fromkeys(found.places, matched.answer_id[name]))
    notes += _missing(course, answers, matched)
    notes += _other_points(cells, course)
    return answers, tuple(_added(cells, course, sorted(free), home)), notes


def _missing(course: CourseNotebook, answers: dict[str, str], matched: MatchedCells) -> list[str]:
    notes = []
    if missing := [name for name in course.exercises if name not in answers]:
        notes.append(f"no answer cell for {', '.join(missing)}")
    provided = [cell for cell in course.cells if cell.role == "provided"]
    if not matched.found.difference(STANDING):  # every notebook has those
        notes.append("none of this notebook's cells are in the file; is it another notebook?")
    elif gone := sum(cell.id not in matched.found for cell in provided):
        notes.append(f"provided cells that are missing or not known again: {gone}; the course's own were run")
    if edited := sum(cell.id in matched.edited for cell in provided):
        notes.append(f"provided cells that were edited: {edited}; the course's own were run")
    return notes


def _other_points(cells: list[SubmittedCell], course: CourseNotebook) -> list[str]:
    """Say where the file's metadata have other points: whoever changed them should know that they do not count."""
    worth = {cell.grade_id: cell for cell in course.cells if cell.role == "check"}
    said = {
        f"{own.name} is worth {cell.points:g} points in the file's metadata; the course's own {own.points:g} count"
        for cell in cells
        if (own := worth.get(cell.grade_id)) and cell.points is not None and cell.points != own.points
    }
    return sorted(said)


def _added(cells: list[SubmittedCell], course: CourseNotebook, places: list[int], home: dict[int, str]) -> list[Added]:
    """Place each added cell behind the course's cell before it, but in front of an answer that was moved up to it."""
    order = {cell.id: index for index, cell in enumerate(course.cells)}
    answer_ids = {cell.id for cell in course.cells if cell.role == "answer"}
    known = sorted(home)
    added, passed = [], 0
    for place in places:
        while passed < len(known) and known[passed] < place:
            passed += 1
        after = home[known[passed - 1]] if passed else ""
        following = home[known[passed]] if passed < len(known) else ""
        if after and following in answer_ids and order[following] <= order[after]:
            after = course.cells[order[following] - 1].id if order[following] else ""
        added.append(Added(cells[place].source, after))
    return added

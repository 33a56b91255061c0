"""Tells a notebook's process, before its first submission, what to import and what to withhold."""

from __future__ import annotations

from functools import cache
from typing import Any

from course_attention.course import helper_source
from course_attention.course.cell_source import facts
from course_attention.course.cells import CourseNotebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.ready_made import ready_made
from course_attention.topics import TOPICS


@cache
def notebook_setup(notebook: CourseNotebook) -> dict[str, Any]:
    """Make the message that prepares the process of one notebook.

    Withheld are the helpers of its own topic and of the later ones, which build on them. What the topic has beside its
    exercises (`influence`, say) is free.
    """
    exercises = notebook.exercises
    topic = helper_source.topic_of(exercises[0])
    free = [name for name in helper_source.helpers_of(topic) if name not in exercises]
    withheld = {later: list(helper_source.helpers_of(later)) for later in helper_source.topics_from(topic)}
    answers = {f"course_attention.mechanisms.{later}" for later in withheld}  # never loaded, whoever asks
    refused = {name for exercise in exercises for name in ready_made(exercise)}
    return {
        "notebook": notebook.stem,
        "topic": topic,
        "withheld": withheld,
        "free": {"names": free, "source": helper_source.source_of(topic, free, without=exercises)},
        "imports": [*_earlier(topic), *(name for name in _imports(notebook) if name not in answers)],
        "ready_made": sorted(refused),
    }


def adoption(exercise: str, judged: tuple[str, ...]) -> dict[str, Any]:
    """Make the message that hands over the course's own helper, in the place of an answer that did not pass.

    Args:
        exercise: whose helper it is.
        judged: the exercises that have been judged; a helper of any other is not handed over with it.
    """
    topic = helper_source.topic_of(exercise)
    still_asked = [
        n for n in CATALOGUE if helper_source.topic_of(n) == topic and n not in (*judged, exercise)
    ]
    source = helper_source.source_of(topic, [exercise], without=still_asked)
    return {"do": "adopt", "name": exercise, "topic": topic, "source": source}


def _earlier(topic: str) -> list[str]:
    """Return the modules of the topics taught before: their files cannot be read later on."""
    taught = helper_source.topics_from(TOPICS[0].name)
    return [f"course_attention.mechanisms.{name}" for name in taught[: taught.index(topic)]]


def _imports(notebook: CourseNotebook) -> list[str]:
    """Return the modules that the notebook's own cells import."""
    found: dict[str, None] = {}
    for cell in notebook.cells:
        for one in facts(cell.source).imports if cell.role == "provided" else ():
            found[one.module] = None
            if one.full.startswith("course_attention.") and one.full.startswith(f"{one.module}."):
                found[one.full] = None
    return [name for name in found if not name.startswith("course_attention.lesson")]

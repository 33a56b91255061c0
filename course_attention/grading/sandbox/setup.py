"""What the process of a notebook is told before the first submission: what to import, and what to withhold."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from course_attention.course import helper_source
from course_attention.course.cells import CourseNotebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy import forbidden
from course_attention.topics import TOPICS


@cache
def setup(notebook: CourseNotebook) -> dict[str, Any]:
    """For a notebook of the course.

    Withheld are the helpers of its own topic and of the later ones, which build on them. What the topic has beside its
    exercises (`influence`, say) is free.
    """
    exercises = notebook.exercises
    topic = helper_source.topic_of(exercises[0])
    free = [name for name in helper_source.helpers_of(topic) if name not in exercises]
    withheld = {later: list(helper_source.helpers_of(later)) for later in helper_source.topics_from(topic)}
    ready_made = {name for exercise in exercises for name in forbidden.ready_made(exercise)}
    return {
        "notebook": notebook.stem,
        "topic": topic,
        "withheld": withheld,
        "free": {"names": free, "source": helper_source.source_of(topic, free, without=exercises)},
        "imports": [*_earlier(topic), *_imports(notebook)],
        "ready_made": sorted(ready_made),
    }


def adoption(exercise: str, judged: tuple[str, ...]) -> dict[str, Any]:
    """The message that hands over the course's own helper, with what it stands on and is judged already."""
    topic = helper_source.topic_of(exercise)
    still_asked = [
        n for n in CATALOGUE if helper_source.topic_of(n) == topic and n not in (*judged, exercise)
    ]
    source = helper_source.source_of(topic, [exercise], without=still_asked)
    return {"do": "adopt", "name": exercise, "topic": topic, "source": source}


def _earlier(topic: str) -> list[str]:
    """The modules of the topics taught before: their files cannot be read later on."""
    later = helper_source.topics_from(topic)
    earlier = [one.name for one in TOPICS if one.name not in later]
    return [f"course_attention.mechanisms.{name}" for name in earlier]


def _imports(notebook: CourseNotebook) -> list[str]:
    """The modules that the notebook's own cells import."""
    found: dict[str, None] = {}
    for cell in notebook.cells:
        if cell.role != "provided":
            continue
        try:
            module = ast.parse(cell.source)
        except SyntaxError:  # a magic
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                found |= dict.fromkeys(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found[node.module] = None
                if node.module.startswith("course_attention."):
                    found |= dict.fromkeys(f"{node.module}.{alias.name}" for alias in node.names)
    return [name for name in found if not name.startswith("course_attention.lesson")]

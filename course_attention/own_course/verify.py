"""Says what is not yet right about a course of one's own: `verify` looks at what its author has written or changed."""

from collections.abc import Iterator

from course_attention.active_course import Course, active
from course_attention.course.workspace import course_notebooks
from course_attention.exercises import CATALOGUE
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.own_course.finding import Finding
from course_attention.own_course.verify_exercise import drawing_error, verify_exercise
from course_attention.own_course.verify_notebook import verify_notebook
from course_attention.topics import TOPICS


def verify() -> Iterator[Finding]:
    """Verify the active course: its author's exercises, those with added misconceptions, and the notebooks that differ.

    Yields:
        One finding after the other, as they come.
    """
    course = active()
    modules = [course.module(path) for path in course.files]
    added = {name for module in modules for name in getattr(module, "MISCONCEPTIONS", {})}
    right: dict[str, list] = {}
    for module in modules:
        for name, answers in getattr(module, "RIGHT_ANSWERS", {}).items():
            right.setdefault(name, []).extend(answers)
    for name in course.homes:
        if name not in CATALOGUE and name not in course.left_out:
            asking = f"no notebook asks it: add its cells with `course-attention new-exercise DIR {name} NOTEBOOK`"
            yield Finding(name, "place", "bad", asking)
    for name, entry in CATALOGUE.items():
        if name in course.homes or name in added:
            yield from verify_exercise(entry, right.get(name, ()))
    with Sandbox() as sandbox:
        for path in course_notebooks():
            asked = [entry.exercise for entry in CATALOGUE.values() if entry.notebook == path.stem]
            if _differs(course, path.stem) and not any(map(drawing_error, asked)):
                yield from verify_notebook(path, sandbox)


def _differs(course: Course, stem: str) -> bool:
    """Whether a notebook is the author's, or asks less than the package's own of that name."""
    ours = {topic.notebook: set(topic.exercises) for topic in TOPICS}
    return bool(course.own_notebook(stem)) or not ours[stem].isdisjoint(course.left_out)

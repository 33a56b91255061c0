"""The exercises: a folder for each topic, a file for each exercise, and the catalogue of them all.

>>> from course_attention.exercises import CATALOGUE
>>> CATALOGUE["softmax"].judge(None).status
'not_attempted'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from course_attention.active_course import active
from course_attention.execution.protocol import Device
from course_attention.exercises.of_author import author_data, changed
from course_attention.judging import judge
from course_attention.judging.exercise import Exercise
from course_attention.judging.verdict import Verdict
from course_attention.topics import Topic, topic_of


@dataclass(frozen=True)
class Entry:
    """An exercise in its place in the course, with the judge at hand.

    Attributes:
        exercise: what is asked and what is right, as data.
        topic: the topic that asks it.
    """

    exercise: Exercise
    topic: Topic

    @property
    def name(self) -> str:
        return self.exercise.name

    @property
    def notebook(self) -> str:
        return self.topic.notebook

    @property
    def kind(self) -> str:
        return self.exercise.kind

    @property
    def points(self) -> float:
        return self.exercise.points

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids that a wrong answer can be named by; what is said of each is in the exercise."""
        return self.exercise.misconception_ids

    def judge(self, answer: Any, seed: int = 0, device: Device = "cpu") -> Verdict:
        """Judge an answer, see `judging.judge`."""
        return judge(self.exercise, answer, seed, device)


def _catalogue() -> dict[str, Entry]:
    course, of_author = active(), author_data(active())

    def exercise(name: str) -> Exercise:
        own = of_author.exercises.get(name)
        return own or import_module(f"course_attention.exercises.{topic_of(name).name}.{name}").EXERCISE

    asked = {name: topic for topic in course.topics for name in topic.exercises}
    of_author.require_asked(asked)
    return {
        name: Entry(changed(exercise(name), of_author.misconceptions.get(name, {}), course.settings), topic)
        for name, topic in asked.items()
    }


CATALOGUE: Mapping[str, Entry] = MappingProxyType(_catalogue())
"""Exercises of the active course by name, in the order taught."""

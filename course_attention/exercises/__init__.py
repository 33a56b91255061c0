"""The exercises: a folder for each topic, a file for each exercise, and the catalogue of them all.

>>> from course_attention.exercises import CATALOGUE
>>> CATALOGUE["softmax"].judge(None).status
'not_attempted'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from course_attention.execution.protocol import Device
from course_attention.judging import judge
from course_attention.judging.exercise import Exercise
from course_attention.judging.verdict import Verdict
from course_attention.topics import TOPICS, Topic


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
    def library(self) -> str:
        return self.exercise.library

    @property
    def prompt(self) -> str:
        return self.exercise.prompt

    @property
    def points(self) -> float:
        return self.exercise.points

    @property
    def difficulty(self) -> int:
        return self.exercise.difficulty

    @property
    def minutes(self) -> int:
        return self.exercise.minutes

    @property
    def hints(self) -> tuple[str, ...]:
        return self.exercise.hints

    @property
    def given(self) -> str:
        return self.exercise.given

    @property
    def misconceptions(self) -> tuple[str, ...]:
        return self.exercise.misconceptions

    def judge(self, answer: Any, seed: int = 0, device: Device = "cpu") -> Verdict:
        """Judge an answer, see `judging.judge`."""
        return judge(self.exercise, answer, seed, device)


def _entry(topic: Topic, name: str) -> Entry:
    module = import_module(f"course_attention.exercises.{topic.name}.{name}")
    return Entry(module.EXERCISE, topic)


CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    {name: _entry(topic, name) for topic in TOPICS for name in topic.exercises}
)
"""Exercises by name, in the order taught."""

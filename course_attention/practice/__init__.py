"""Practice: what a student writes beside the exercises, for no points. A folder for each topic, a file for each task.

`check` judges it in the notebook's own process, so that it may take what no grader could send, such as a model. The
grader does not look at it.

>>> from course_attention.practice import PRACTICE
>>> PRACTICE["entropy"].minutes
5
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from course_attention.active_course import active
from course_attention.practice.authoring import Practice
from course_attention.topics import TOPICS


class _Tasks(Mapping[str, Practice]):
    """The tasks by name; a file is imported when its task is asked for, since it may load an experiment."""

    def __getitem__(self, name: str) -> Practice:
        if name not in _topics():
            raise KeyError(name)
        task: Practice = import_module(f"course_attention.practice.{_topics()[name]}.{name}").PRACTICE
        return task

    def __iter__(self) -> Iterator[str]:
        return iter(_topics())

    def __len__(self) -> int:
        return len(_topics())

    def __contains__(self, name: object) -> bool:
        return name in _topics()


@cache
def _topics() -> Mapping[str, str]:
    """Return the topic of each task of the active course, in the order taught."""
    home = {name: topic.name for topic in TOPICS for name in topic.practice}
    return {name: home[name] for topic in active().topics for name in topic.practice}


PRACTICE: Mapping[str, Practice] = _Tasks()
"""The tasks of the active course by name, in the order taught."""

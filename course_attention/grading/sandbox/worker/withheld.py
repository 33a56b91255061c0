"""Withholds the course's own helpers, which an answer may not use before it is judged.

The helpers of this notebook and of those after it are not in this process at all. Stand-ins take their place until the
judge sends a helper's source, after its exercise was judged: no file of the course can be read from here.
"""

import importlib
import sys
import types
from collections.abc import Iterable, Mapping
from typing import Any

import course_attention


class Forbidden(Exception):
    """Something was used that the exercise is there to build."""


used: list[str] = []  # what was used since the judge was last told


class StandIn:
    """Stands where a helper of the course would: refuses until the helper is given, and is the helper afterwards."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name
        self._given: Any = None

    def give(self, helper: Any) -> None:
        self._given = helper

    def _own(self) -> Any:
        if self._given is None:
            refuse(f"course_attention.{self.__name__}")
        return self._given

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._own()(*args, **kwargs)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._own(),)

    def __float__(self) -> float:
        return float(self._own())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._own(), name)


def refuse(name: str) -> None:
    """Note that something was used, and stop the answer.

    Raises:
        Forbidden: always.
    """
    used.append(name)
    raise Forbidden(f"{name} is what this exercise is there to build")


def withhold(topics: Mapping[str, Iterable[str]]) -> None:
    """Put stand-ins in the place of the helpers of these topics, before anything imports them."""
    for topic, names in topics.items():
        module = types.ModuleType(f"course_attention.mechanisms.{topic}")
        for name in names:
            stand_in = StandIn(name)
            setattr(module, name, stand_in)
            setattr(course_attention, name, stand_in)
        sys.modules[module.__name__] = module
        setattr(importlib.import_module("course_attention.mechanisms"), topic, module)


def release(topic: str, source: str, names: Iterable[str]) -> dict[str, Any]:
    """Define helpers from their source, pass them to their stand-ins, and return them by name."""
    module = sys.modules[f"course_attention.mechanisms.{topic}"]
    stand_ins = {name: vars(module).get(name) for name in names}
    exec(compile(source, f"<the course's {topic}>", "exec"), vars(module))
    found = {}
    for name, stand_in in stand_ins.items():
        helper = vars(module)[name]
        if callable(helper):
            from course_attention.mechanisms.contracts import checked

            helper = checked(helper)
        if isinstance(stand_in, StandIn):
            stand_in.give(helper)
        setattr(course_attention, name, helper)
        found[name] = helper
    return found


def give(topic: str, name: str, answer: Any) -> None:
    """Let the stand-in of a helper be the student's own, which passed."""
    stand_in = vars(sys.modules[f"course_attention.mechanisms.{topic}"])[name]
    if isinstance(stand_in, StandIn):
        stand_in.give(answer)

"""Stands in for `course_attention.lesson`, so that a notebook's cells run as they are, without a judge behind them."""

from __future__ import annotations

import sys
import types
from typing import Any

import course_attention


class Silent:
    """Does nothing, whatever is asked of it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Silent:
        return self

    def __getattr__(self, name: str) -> Silent:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class _Lesson(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Silent()


def _mine(name: str) -> Any:
    """Return what the notebook has under this name, else the course's helper, withheld where it is asked for."""
    own = sys._getframe(1).f_globals
    return own[name] if name in own else getattr(course_attention, name)


def _answer(answer: Any, name: str | None = None) -> Any:
    """Return the answer itself, as `check` does where it passed; a name may stand in its place."""
    by_name = name is None and isinstance(answer, str)
    return sys._getframe(1).f_globals.get(answer) if by_name else answer


def replace_lesson(device: str) -> None:
    """Replace the lesson room, which would import the exercises, by one that judges and shows nothing."""
    import torch

    lesson: Any = _Lesson("course_attention.lesson")
    lesson.__path__ = []
    lesson.check = _answer
    lesson.points = lambda name: 0.0
    lesson.mine = _mine
    lesson.device = lambda: torch.device(device)
    sys.modules["course_attention.lesson"] = lesson

"""Withholds what an answer may not use while it is judged: the course's own helpers, and torch's ready-made ones.

The helpers of this notebook and of those after it are not in this process at all. Stand-ins take their place until the
judge sends a helper's source, after its exercise was judged: no file of the course can be read from here. Torch's own
functions are wrapped, and refuse only while an answer is judged.
"""

from __future__ import annotations

import functools
import importlib
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import course_attention

_OPERATORS = "torch.ops.aten."


class Forbidden(Exception):
    """Something was used that the exercise is there to build."""


used: list[str] = []  # what was used since the judge last asked
_watched: frozenset[str] = frozenset()


def watch(names: Iterable[str]) -> None:
    """Refuse these ready-made names from now on; without names, all may be used."""
    global _watched
    _watched = frozenset(names)


class StandIn:
    """Stands where a helper of the course would: refuses until the helper is given, and is the helper afterwards."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name
        self._given: Any = None

    def give(self, helper: Any) -> None:
        self._given = helper

    def _own(self) -> Any:
        if self._given is None:
            _refuse(f"course_attention.{self.__name__}")
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


def _refuse(name: str) -> None:
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


def wrap_ready_made(names: Iterable[str]) -> None:
    """Wrap functions, classes and operators of other libraries, named in full, so that `watch` can refuse them."""
    names = list(names)
    _guard_operators({name for name in names if name.startswith(_OPERATORS)})
    for name in names:
        owner, attribute = (None, "") if name.startswith(_OPERATORS) else _resolve(name)
        if owner is None:
            continue
        if isinstance(getattr(owner, attribute), type):  # a class stays itself; making one is what is refused
            owner, attribute = getattr(owner, attribute), "__init__"
        setattr(owner, attribute, _guarded(getattr(owner, attribute), name))


def _guarded(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @functools.wraps(function, updated=())
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if name in _watched:
            _refuse(name)
        return function(*args, **kwargs)

    del guarded.__wrapped__  # it would lead past the guard
    return guarded


def _guard_operators(names: Iterable[str]) -> None:
    """Have torch's operators, whose objects take no attribute, look at their names when they are called."""
    from torch._ops import OpOverload, OpOverloadPacket

    guarded_names = {f"aten::{name.removeprefix(_OPERATORS)}": name for name in names}

    def guard(kind: Any) -> None:
        own = kind.__call__

        def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            if _watched:
                packet = getattr(self, "_overloadpacket", self)
                name = guarded_names.get(packet._qualified_op_name)
                if name in _watched:
                    _refuse(name)
            return own(self, *args, **kwargs)

        kind.__call__ = call

    if guarded_names:
        guard(OpOverload)
        guard(OpOverloadPacket)


def _resolve(name: str) -> tuple[Any, str]:
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            owner: Any = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:-1]:
            owner = getattr(owner, part, None)
        return (owner, parts[-1]) if hasattr(owner, parts[-1]) else (None, "")
    return None, ""

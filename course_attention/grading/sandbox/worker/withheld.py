"""Withholds what an answer may not use while it is judged: the course's own helpers, and torch's ready-made ones.

The helpers of this notebook and of those after it are not in this process at all. Stand-ins take their place until the
judge sends a helper's source, after its exercise was judged: no file of the course can be read from here. Functions of
other libraries are wrapped, and refuse only while an answer is judged; so do torch's operators, see `operators`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import course_attention
from course_attention.grading.sandbox.worker.operators import refusing, refusing_in_threads

OPERATORS = "torch.ops."
# They take long to load. Where a submission loads them, they are wrapped at the next call of its answer.
_LATE = ("sklearn.", "torch.onnx.")


class Forbidden(Exception):
    """Something was used that the exercise is there to build."""


used: list[str] = []  # what was used since the judge was last told
_watched: frozenset[str] = frozenset()
_ready_made: frozenset[str] = frozenset()  # all that any exercise of the notebook refuses
_is_child = False  # in a process that a submission has started, everything is refused for good


class _Operators:
    """The names of torch's operators that are refused now."""

    def __contains__(self, operator: object) -> bool:
        return any(_is_refused(name) for name in _operators_named.get(operator, ()))


_operators = _Operators()
_operators_named: dict[object, list[str]] = {}  # "softmax" → its full names
_late: list[str] = []


def _is_refused(name: str) -> bool:
    return name in _watched or (_is_child and name in _ready_made)


def _refuse_operator(operator: str) -> None:
    refuse(next(filter(_is_refused, _operators_named[operator])))


@contextlib.contextmanager
def watching(names: Iterable[str], deep: bool = True) -> Iterator[None]:
    """Refuse these ready-made names within it: functions and classes by their guards, operators as torch runs them.

    Args:
        names: in full.
        deep: see `operators.refusing`.
    """
    global _watched
    before, _watched = _watched, frozenset(names)
    _know_operators(_watched)
    wrap_late()
    has_operators = any(name.startswith(OPERATORS) for name in _watched)
    try:
        with refusing(_operators, _refuse_operator, deep) if has_operators else contextlib.nullcontext():
            yield
    finally:
        _watched = before


def watch_what_starts() -> None:
    """From now on, let what is watched here be watched in threads that start, and everything in processes.

    An answer may ask a thread, or a process, that one of the submission's cells has started before.
    """
    if _operators_named:
        _for_good.enter_context(refusing_in_threads(_operators, _refuse_operator))
    os.register_at_fork(after_in_child=_begin_as_child)


_for_good = contextlib.ExitStack()  # is never left


def _begin_as_child() -> None:
    global _is_child
    _is_child = True
    if _operators_named:
        _for_good.enter_context(refusing(_operators, _refuse_operator))


def _know_operators(names: Iterable[str]) -> None:
    for name in names:
        known = (
            _operators_named.setdefault(name.rpartition(".")[2], []) if name.startswith(OPERATORS) else [name]
        )
        if name not in known:
            known.append(name)


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


def wrap_ready_made(names: Iterable[str]) -> None:
    """Wrap functions and classes of other libraries, named in full, so that they can be refused.

    A function may have several names, in several modules and in tables of functions: all of them lead to the guard.
    """
    global _ready_made
    in_order = list(names)
    _ready_made = frozenset(in_order)
    _know_operators(in_order)
    _late[:] = [name for name in in_order if name.startswith(_LATE) and not _is_loaded(name)]
    _wrap([name for name in in_order if name not in _late])


def wrap_late() -> None:
    """Wrap what a submission has loaded since then."""
    if loaded := [name for name in _late if _is_loaded(name)]:
        _late[:] = [name for name in _late if name not in loaded]
        _wrap(loaded)


def _is_loaded(name: str) -> bool:
    return name.rpartition(".")[0] in sys.modules


def _wrap(names: Iterable[str]) -> None:
    guards: dict[int, tuple[Any, Any]] = {}
    for name in names:
        owner, attribute = (None, "") if name.startswith(OPERATORS) else _resolve(name)
        if owner is None:
            continue
        found = getattr(owner, attribute)
        if isinstance(found, StandIn):  # refuses by itself
            continue
        if isinstance(found, type):  # a class stays itself; making one is what is refused
            owner, attribute, found = found, "__init__", vars(found)["__init__"]
        guard = _guarded(found, name)
        setattr(owner, attribute, guard)
        guards[id(found)] = (found, guard)
    for module in list(sys.modules.values()):
        own = getattr(module, "__dict__", {})
        for table in (own, *(value for value in own.values() if isinstance(value, dict))):
            for key, value in list(table.items()):
                if (known := guards.get(id(value))) is not None:
                    table[key] = known[1]


def _guarded(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @functools.wraps(function, updated=())
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if _is_refused(name):
            refuse(name)
        return function(*args, **kwargs)

    del guarded.__wrapped__  # it would lead past the guard
    return guarded


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

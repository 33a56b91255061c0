"""Answers sort themselves by name: `<kind>__<exercise>__<idea>__<number>`, kind as in KINDS."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

KINDS = ("right", "odd", "wrong", "natural", "extra")


class Answers(NamedTuple):
    """The answers of one file, each under its exercise; the idea of a wrong one is its misconception id."""

    RIGHT: dict[str, list[Callable]]
    ODD: dict[str, list[tuple[Callable, str]]]
    WRONG: dict[str, dict[str, list[Callable]]]
    WRONG_NATURAL: dict[str, dict[str, list[Callable]]]
    EXTRA: dict[str, list[tuple[str, str, Callable]]]


def gather(names: dict[str, object]) -> Answers:
    """Sort a module's functions and classes, given its `globals()`. An odd or extra one says why in its docstring."""
    found = Answers({}, {}, {}, {}, {})
    for name, answer in names.items():
        kind, *parts = name.split("__")
        if kind not in KINDS or not callable(answer):
            continue
        exercise, idea = parts[0], parts[1].replace("_", "-")
        if kind == "right":
            found.RIGHT.setdefault(exercise, []).append(answer)
        elif kind == "odd":
            found.ODD.setdefault(exercise, []).append((answer, answer.__doc__ or idea.replace("-", " ")))
        elif kind == "extra":
            found.EXTRA.setdefault(exercise, []).append((idea, answer.__doc__, answer))
        else:
            table = found.WRONG if kind == "wrong" else found.WRONG_NATURAL
            table.setdefault(exercise, {}).setdefault(idea, []).append(answer)
    return found

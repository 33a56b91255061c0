"""Variants of a computation that is written in parts: some of the parts are done in another way."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

Variants = tuple[Callable[..., Any], ...]


def each(compute: Callable, part: str, *ways: Any) -> Variants:
    """Return the computation with one of its parts done in each of these ways."""
    return changed(compute, *({part: way} for way in ways))


def changed(compute: Callable, *changes: Mapping[str, Any]) -> Variants:
    """Return the computation with each of these changes. A change says for some parts what is done instead."""
    return tuple(partial(compute, **change) for change in changes)


def variants(compute: Callable, part: str, ideas: Mapping[str, tuple]) -> dict[str, Variants]:
    """Return the variants for each idea, which is given by the ways in which it does the part."""
    return {idea: each(compute, part, *ways) for idea, ways in ideas.items()}


def made(compute: Callable, ideas: Mapping[str, tuple]) -> dict[str, Variants]:
    """Return the variants for each idea, which is given by the changes that it makes."""
    return {idea: changed(compute, *changes) for idea, changes in ideas.items()}

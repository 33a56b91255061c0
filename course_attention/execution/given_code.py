"""Tells code that was given to be repaired from code that somebody has worked on."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any


def is_given(answer: Callable[..., Any], source: str) -> bool:
    """Whether a function does step by step what the function of a source does; comments and layout play no part.

    Args:
        answer: the function.
        source: defines a function. "" where none was given.

    Example:
        >>> def half(x):
        ...     return x / 2  # a comment
        >>> is_given(half, 'def half(x):\\n    "A docstring."\\n    return x / 2'), is_given(half, "")
        (True, False)
    """
    if not source:
        return False
    code = getattr(answer, "__code__", None)
    constants = compile(source, "<given>", "exec").co_consts
    given = next((constant for constant in constants if isinstance(constant, CodeType)), None)
    if code is None or given is None:
        return False
    return list(_steps(code)) == list(_steps(given))


def _steps(code: CodeType) -> Iterator[tuple[str, Any]]:
    """The instructions of a function and of those within it."""
    for step in dis.get_instructions(code):
        if isinstance(step.argval, CodeType):
            yield from _steps(step.argval)
        else:
            yield step.opname, step.argval

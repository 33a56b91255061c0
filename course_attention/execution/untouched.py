"""Tells an answer that nobody has worked on, a stub or code that was given to be repaired.

A function that a cell defined comes with no source, so what Python has compiled is compared with what the same Python
makes of a stub, or of the code that was given. No instruction is named here: a new version of Python may have others.
"""

import dis
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType
from typing import Any

_STUBS = (
    "pass",
    "return ...",
    "raise NotImplementedError",
    "raise NotImplementedError()",
    "raise NotImplementedError('what is left to do')",
)
_TEXT = ""  # in the place of every text of a stub


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
    code = getattr(answer, "__code__", None)
    return bool(source) and code is not None and list(_steps(code)) == list(_steps(_function(source)))


def is_stub(answer: Callable[..., Any]) -> bool:
    """Whether a function, or a class's forward, is a stub: `...`, `pass`, `return None`, `raise NotImplementedError`.

    A forgotten `return` is no stub.

    Example:
        >>> def stub(x):
        ...     raise NotImplementedError("the softmax")
        >>> is_stub(stub), is_stub(lambda x: ...), is_stub(lambda x: x)
        (True, True, False)
    """
    function = vars(answer).get("forward") if inspect.isclass(answer) else answer
    code = getattr(function, "__code__", None)
    # Reading the instructions takes long. Nearly every answer has more of them than a stub, and need not be read.
    if code is None or (stubs := _compiled_stubs().get(len(code.co_code))) is None:
        return False
    return _textless(code) in stubs


@cache
def _compiled_stubs() -> dict[int, set[tuple[tuple[str, Any], ...]]]:
    """Return the instructions of each stub, by the number of bytes that they take."""
    stubs: dict[int, set[tuple[tuple[str, Any], ...]]] = {}
    for body in _STUBS:
        code = _function(f"def stub():\n    {body}")
        stubs.setdefault(len(code.co_code), set()).add(_textless(code))
    return stubs


def _function(source: str) -> CodeType:
    """Return the function that a source defines, as this Python compiles it."""
    constants = compile(source, "<given>", "exec", dont_inherit=True).co_consts
    return next(constant for constant in constants if isinstance(constant, CodeType))


def _textless(code: CodeType) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, _TEXT if isinstance(value, str) and value not in code.co_names else value)
        for name, value in _steps(code)
    )


def _steps(code: CodeType) -> Iterator[tuple[str, Any]]:
    """Yield the instructions of a function and of those within it."""
    for step in dis.get_instructions(code):
        if isinstance(step.argval, CodeType):
            yield from _steps(step.argval)
        else:
            yield step.opname, step.argval

"""Finds the names that a piece of source takes from around it."""

from __future__ import annotations

import builtins
import dis
from collections.abc import Iterator
from functools import cache
from types import CodeType


@cache  # each answer that passes asks again for all parts of the student's module
def free_names(source: str) -> tuple[str, ...]:
    """The names that a source uses and does not define, Python's own left out, sorted.

    Raises:
        SyntaxError: the source cannot be compiled.

    Example:
        >>> free_names("def f(x):\\n    y = np.exp(x)\\n    return y / total(y, len(x))")
        ('np', 'total')
    """
    code = compile(source, "<part>", "exec", dont_inherit=True)
    defined = {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"}
    used = {name for name in _used(code) if not (name.startswith("__") and name.endswith("__"))}
    return tuple(sorted(used - defined - vars(builtins).keys()))


def _used(code: CodeType) -> Iterator[str]:
    instructions = list(dis.get_instructions(code))
    own = {
        i.argval for i in instructions if i.opname == "STORE_NAME"
    }  # the body of a class names its attributes
    for i in instructions:
        if i.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS") and i.argval not in own:
            yield i.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _used(constant)

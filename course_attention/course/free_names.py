"""Finds the names that a piece of source takes from around it, with Python's own table of symbols."""

import builtins
import symtable
from collections.abc import Iterator
from functools import cache


@cache  # each answer that passes asks again for all parts of the student's module
def free_names(source: str) -> tuple[str, ...]:
    """Return the names that a source uses and does not define, Python's own left out, sorted.

    Raises:
        SyntaxError: the source cannot be compiled.

    Example:
        >>> free_names("def f(x):\\n    y = np.exp(x)\\n    return y / total(y, len(x))")
        ('np', 'total')
    """
    top = symtable.symtable(source, "<part>", "exec")
    defined = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    return tuple(sorted(used_names(source) - defined - vars(builtins).keys()))


@cache
def used_names(source: str) -> frozenset[str]:
    """Return the names that a source looks up at its top or around it: no local name of a function or a class.

    Raises:
        SyntaxError: the source cannot be compiled.

    Example:
        >>> sorted(used_names("def f(x):\\n    y = np.exp(x)\\n    return y\\n\\ng = f"))
        ['f', 'np']
    """
    return frozenset(_used(symtable.symtable(source, "<part>", "exec")))


def _used(table: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        name = symbol.get_name()
        around = symbol.is_global() or table.get_type() == "module"
        used = symbol.is_referenced() or symbol.is_declared_global()  # `total += 1` is no reference to the table
        if around and used and not (name.startswith("__") and name.endswith("__")):
            yield name
    for inner in table.get_children():
        yield from _used(inner)

"""Takes an answer out of a notebook that runs, with the imports and the other functions that it needs."""

import ast
import inspect
import linecache
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from course_attention.course.cell_source import facts
from course_attention.course.free_names import free_names
from course_attention.course.student_module import ORDER

_PLAIN = (int, float, str, bool, type(None))


class NotExtractable(Exception):
    """The answer cannot stand alone; the message says why, and what to do."""


def answer_part(name: str, answer: object, namespace: Mapping[str, Any]) -> str:
    """Return the source that defines an answer anywhere: imports, then other definitions it needs, then the answer.

    Args:
        name: the exercise.
        answer: the function or class, or the number of a value exercise, which becomes a constant.
        namespace: the notebook's names, with IPython's list `In` of the cells that have run.

    Raises:
        NotExtractable: it is not defined in a cell, or uses something that is not a function, class or plain number.

    Example:
        >>> answer_part("score_variance", 256, {})
        'score_variance = 256'
    """
    if not callable(answer):
        number: Any = answer.item() if hasattr(answer, "item") else answer
        return f"{name} = {number if isinstance(number, (int, float)) else float(number)!r}"
    bound = name if namespace.get(name) is answer else getattr(answer, "__name__", name)
    notebook = _Notebook(namespace, earlier=ORDER[: ORDER.index(name)] if name in ORDER else ())
    notebook.add(bound, answer)
    renamed = [] if bound == name else [f"{name} = {bound}"]
    parts = ["\n".join(sorted(notebook.imports)), *notebook.definitions.values(), *renamed]
    return "\n\n\n".join(filter(None, parts))


def definition(name: str, answer: object, namespace: Mapping[str, Any]) -> str:
    """Return the source of the one statement that defines an answer in a cell, comments included.

    Args:
        name: that the answer is bound to.
        answer: the function or class.
        namespace: the notebook's names, with IPython's list `In` of the cells that have run.

    Raises:
        NotExtractable: it is not defined in a cell.

    Example:
        >>> def f(x): return x
        >>> definition("g", f, {"g": f, "In": ["g = lambda x: x  # the same"]})
        'g = lambda x: x  # the same'
    """
    bound = name if namespace.get(name) is answer else getattr(answer, "__name__", name)
    return _Notebook(namespace).definition(bound, answer)


class _Notebook:
    """Collects what a definition needs, each thing once, in the order in which it must be defined."""

    def __init__(self, namespace: Mapping[str, Any], earlier: Sequence[str] = ()) -> None:
        self.namespace = namespace
        self.earlier = earlier  # the exercises that are defined above in the student's module
        self.cells: Sequence[str] = [cell for cell in namespace.get("In", ()) if isinstance(cell, str)]
        self.imports: set[str] = set()
        self.definitions: dict[str, str] = {}
        self._pending: set[str] = set()

    def add(self, name: str, value: object) -> None:
        """Add the definition of a name, after the definitions that it uses."""
        if name in self._pending:  # functions that call each other
            return
        self._pending.add(name)
        source = self.definition(name, value)
        for other in free_names(source):
            if other != name:
                self._need(other, name)
        self.definitions[name] = source

    def _need(self, name: str, user: str) -> None:
        if name not in self.namespace:
            raise NotExtractable(f"`{user}` uses `{name}`, which is defined nowhere")
        value = self.namespace[name]
        home = getattr(value, "__module__", None)
        known = str(home).startswith(("__main__", "my_attention", "course_attention"))
        if name in ORDER:
            if not (known or isinstance(value, _PLAIN)):
                raise NotExtractable(f"`{user}` uses another `{name}` than the course's or yours: give it another name")
        elif statement := self._import(name, value):
            self.imports.add(statement)
        elif known and (first_name := self._first_name(value)):
            self.definitions[name] = f"{name} = {first_name}"
        elif home == "__main__" and callable(value):
            self.add(name, value)
        elif isinstance(value, _PLAIN) or (
            isinstance(value, tuple) and all(isinstance(part, _PLAIN) for part in value)
        ):
            self.definitions[name] = f"{name} = {value!r}"
        else:
            raise NotExtractable(
                f"`{user}` uses `{name}`, which is a {type(value).__name__} of another cell: "
                "make it an argument, or part of the function"
            )

    def _first_name(self, value: object) -> str | None:
        """Return the name of the exercise that a value answers; it may have another name, as `right = attention`."""
        return next((name for name in self.earlier if self.namespace.get(name) is value), None)

    def _import(self, name: str, value: object) -> str | None:
        """Return the statement that imports a value under this name, or None where it is no import."""
        if isinstance(value, ModuleType):
            full = value.__name__
            return f"import {full}" if full == name else f"import {full} as {name}"
        known = [one for cell in self.cells for one in facts(cell).imports if one.name == name]
        for one in reversed(known):
            attribute = one.full.rpartition(".")[2]
            if getattr(sys.modules.get(one.module), attribute, self) is value:
                renamed = "" if attribute == name else f" as {name}"
                return f"from {one.module} import {attribute}{renamed}"
        home = str(getattr(value, "__module__", None))
        if home.startswith("course_attention.practice."):  # lent by a check
            return f"from {home} import {name}"
        return None

    def definition(self, name: str, value: object) -> str:
        """Return the source of the one statement that defines a name, comments included."""
        value = inspect.unwrap(value) if callable(value) else value
        cells = reversed(self.cells)
        if getattr(value, "__name__", None) == name:  # the cell that made it: another may define the name as well
            cells = iter(["".join(linecache.getlines(_file_of(value)))])
        for cell in cells:
            for statement in reversed(facts(cell).tree.body):
                if _defines(statement, name):
                    above = [decorator.lineno for decorator in getattr(statement, "decorator_list", ())]
                    start = min([statement.lineno, *above]) - 1
                    return "\n".join(cell.splitlines()[start : statement.end_lineno])
        raise NotExtractable(f"no cell of this notebook defines `{name}` in a statement of its own")


def _defines(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.FunctionDef(name=found) | ast.ClassDef(name=found):
            return found == name
        case ast.Assign(targets=[ast.Name(id=found)], value=value):
            called = value.func if isinstance(value, ast.Call) else None
            return found == name and not (isinstance(called, ast.Name) and called.id in ("check", "mine"))
    return False


def _file_of(value: object) -> str:
    """Return the file that a function or class comes from: for a cell, a made-up one that linecache knows."""
    inside = vars(value).values() if isinstance(value, type) else [value]
    codes = (getattr(part, "__code__", None) for part in inside)
    return next((code.co_filename for code in codes if code is not None), "")

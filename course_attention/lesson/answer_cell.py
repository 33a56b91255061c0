"""Finds out what became of an answer's cell, where there is nothing to judge or the verdict alone would not help.

It looks at the cells that ran in this session, oldest first, as IPython's history keeps them: a cell that stopped with
an error left no trace in the namespace.
"""

import ast
import linecache
import re
import sys
import traceback
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from course_attention.active_course import active
from course_attention.course.cell_source import facts

_TAUGHT = {name for topic in active().topics for name in (*topic.exercises, *topic.helpers, *topic.practice)}
_DEFINED = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)(?![ \t]*check\()", re.MULTILINE)
_CLOSE = 0.8  # of difflib's ratio: one letter in five may differ


@dataclass(frozen=True)
class Stopped:
    """How a cell stopped.

    Attributes:
        error: the error in a line, as in "SyntaxError in line 3: '(' was never closed".
        line: the line of the cell where it stopped; "" where that is not known.
    """

    error: str
    line: str = ""


class AnswerCell:
    """What the cells that ran say of the answer to one exercise.

    Args:
        name: the exercise.
        is_value: whether its answer is a number, and so assigned instead of defined.
        cells: the sources of the cells that ran, oldest first.
    """

    def __init__(self, name: str, is_value: bool, cells: Sequence[str]) -> None:
        self._name, self._cells = name, cells
        exact = [i for i, source in enumerate(cells) if name in _bound(source)]
        self._at = exact[-1] if exact else None
        self._later = cells[exact[-1] + 1 :] if exact else cells
        self._form = _ASSIGNED if is_value else _DEFINED

    @property
    def source(self) -> str:
        """The source of the newest cell that binds the exercise's name; "" where none does."""
        return "" if self._at is None else self._cells[self._at]

    def stopped(self, answer: object) -> Stopped | None:
        """How that cell stopped; None where it came to its end, or where there is none.

        Args:
            answer: what the exercise's name is bound to; None where that is nothing of the student's.
        """
        return None if self._at is None else _stopped(self.source, answer)

    def meant(self) -> tuple[str, Stopped | None] | None:
        """Return a still newer cell that seems to be meant for the answer; None where there is none.

        Returns:
            A name much like the exercise's that it defines, "" where it mentions the exercise and is no Python, as in
            `dfe softmax(scores):`; and how it stopped.
        """
        for source in reversed(self._later):
            if alike := _misspelling(self._name, self._form.findall(source)):
                return alike, _stopped(source, None)
            if re.search(rf"\b{self._name}\b", source) and (found := _syntax_error(source)):
                return "", found
        return None

    def split_off(self) -> Stopped | None:
        """How a newer cell stopped that is only the rest of one: it is indented, or has a bare `return`."""
        for source in self._later if self._at is not None else ():
            found = _syntax_error(source) if facts(source).problem else None
            if found and (source.lstrip("\n")[:1].isspace() or "outside function" in found.error):
                return found
        return None

    def leftover_stub(self) -> str:
        """Return what is wrong with a `raise NotImplementedError` that was left beside code; "" where there is none."""
        for node in ast.walk(facts(self.source).tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            code = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            # A module's stub begins with `super().__init__()`, which the course gives.
            code = [statement for statement in code if ast.unparse(statement) != "super().__init__()"]
            at = next((i for i, statement in enumerate(code) if _is_stub(statement)), None)
            if at:
                return "Take out `raise NotImplementedError`: there is code above it, and Python stops here"
            if at == 0 and len(code) > 1:
                return "Take out `raise NotImplementedError`: Python stops here, above your code"
        return ""


def cells_run() -> list[str]:
    """Return the sources of the cells that ran in this session, oldest first; none outside IPython."""
    try:
        from IPython import get_ipython
    except ImportError:
        return []
    shell = get_ipython()
    return [] if shell is None else list(shell.history_manager.input_hist_raw)


def _bound(source: str) -> set[str]:
    return {*_DEFINED.findall(source), *_ASSIGNED.findall(source)}


def _misspelling(name: str, candidates: Iterable[str]) -> str:
    own = [candidate for candidate in candidates if candidate not in _TAUGHT]
    plain = {candidate: candidate.replace("_", "").lower() for candidate in own}
    close = get_close_matches(name.replace("_", "").lower(), plain.values(), n=1, cutoff=_CLOSE)
    return next((candidate for candidate in own if close and plain[candidate] == close[0]), "")


def _is_stub(statement: ast.stmt) -> bool:
    raised = statement.exc if isinstance(statement, ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _stopped(source: str, answer: object) -> Stopped | None:
    return _syntax_error(source) or _error_in(source, answer)


def _syntax_error(source: str) -> Stopped | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(_as_python(source), "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        where = f" in line {error.lineno}" if error.lineno else ""
        return Stopped(f"{type(error).__name__}{where}: {error.msg}", (error.text or "").rstrip())
    except ValueError as error:  # a null byte
        return Stopped(f"{type(error).__name__}: {error}")
    return None


def _as_python(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


def _error_in(source: str, answer: object) -> Stopped | None:
    """Return the error that this session showed last, where it stopped this cell before it had defined its answer."""
    error = getattr(sys, "last_value", None)  # where Python's prompt and IPython leave it
    code = _code_of(answer)
    python = _as_python(source)
    if error is None or (answer is not None and (code is None or _text_of(code.co_filename) == python)):
        return None
    for frame, line in traceback.walk_tb(error.__traceback__):
        if _text_of(frame.f_code.co_filename) == python:
            said = traceback.format_exception_only(error)[-1].strip()
            kind, _, message = said.partition(": ")
            about = f"{kind} in line {line}" + (f": {message}" if message else "")
            return Stopped(about, linecache.getline(frame.f_code.co_filename, line).rstrip())
    return None


def _code_of(answer: object):
    """Return the code of a function, or of a method of a class."""
    functions = vars(answer).values() if isinstance(answer, type) else [answer]
    return next((code for f in functions if (code := getattr(f, "__code__", None)) is not None), None)


def _text_of(filename: str) -> str:
    return "".join(linecache.getlines(filename))

"""A student's code on a page: in colours, and without what could tell whose it is."""

import ast
from functools import cache

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from course_attention.course.cell_source import facts

# Characters, twice as many as any answer that we know has. For some texts, thousands of blank lines for one, the time
# that Pygments takes grows with the square of the length.
LONGEST_COLOURED = 6_000

_Prose = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module


def highlighted(code: str) -> Markup:
    """Code as HTML with syntax colours. Pygments escapes it; the colours are classes, which the style sheet knows.

    What is longer than any answer is escaped and has no colours.

    Example:
        >>> highlighted("x < 1")
        Markup('<span class="n">x</span> <span class="o">&lt;</span> <span class="mi">1</span>')
    """
    if len(code) > LONGEST_COLOURED:
        return escape(code.rstrip("\n"))
    return Markup(highlight(code, *_pygments()).rstrip("\n"))


@cache  # a page asks for it many times
def _pygments() -> tuple[PythonLexer, HtmlFormatter]:
    return PythonLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)


def anonymous(code: str) -> str:
    """Code without imports, comments and docstrings, in which people write their names; "" where it is not Python.

    Example:
        >>> print(anonymous("import torch\\ndef f(x):\\n    '''Ada's.'''\\n    return x+1  # mine"))
        def f(x):
            return x + 1
    """
    try:
        tree = facts(code).new_tree()
        for node in ast.walk(tree):
            if isinstance(node, _Prose):
                node.body = [one for one in node.body if not _is_prose(one)] or [ast.Pass()]
        tree.body = [one for one in tree.body if not isinstance(one, (ast.Import, ast.ImportFrom, ast.Pass))]
        return ast.unparse(tree)
    except (RecursionError, ValueError):  # nested more deeply than Python's own tools can follow
        return ""


def _is_prose(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def clipped(text: str, lines: int, columns: int = 100) -> str:
    """Return the first lines of a text, each cut to so many characters; what is left out shows as "…".

    Example:
        >>> clipped("one\\ntwo\\nthree", 2, 3)
        'one\\ntwo\\n…'
    """
    every = text.split("\n")
    short = [line if len(line) <= columns else f"{line[: columns - 1]}…" for line in every[:lines]]
    return "\n".join([*short, *(["…"] if len(every) > lines else [])])

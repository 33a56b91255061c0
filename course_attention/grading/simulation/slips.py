"""Slips that nobody means: an answer that was right, and raises an error since it was last touched."""

import ast


def returns_once(source: str) -> bool:
    """Whether a slip in an answer is sure to raise: of several places where it returns, not all need be reached.

    >>> returns_once("def f(x):\\n    if x:\\n        return 1\\n    return 2")
    False
    """
    return sum(isinstance(node, ast.Return) for node in ast.walk(ast.parse(source))) <= 1


def bracket_left(source: str) -> str:
    """Leave a bracket over that nothing opens: the cell cannot be run.

    >>> print(bracket_left("n = 2 * 3"))
    n = 2 * 3
    )
    """
    return f"{source.rstrip()}\n)"


def misspelt(source: str) -> str:
    """Give what is returned last, or assigned, a name that does not exist.

    >>> print(misspelt("def f(x):\\n    return 2 * x"))
    def f(x):
        return resutl
    """
    ends = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Return, ast.Assign))]
    end = max(ends, key=lambda node: (isinstance(node, ast.Return), node.lineno))
    lines = source.splitlines()
    first = lines[end.lineno - 1]
    kept = "return" if isinstance(end, ast.Return) else first.split("=")[0] + "="
    indent = first[: len(first) - len(first.lstrip())]
    return "\n".join([*lines[: end.lineno - 1], f"{indent}{kept.strip()} resutl", *lines[end.end_lineno :]])


SLIPS = (bracket_left, misspelt)

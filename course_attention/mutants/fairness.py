"""Which changes are worth a question: they can show, and who thinks about attention can tell."""

import ast
import re
from itertools import pairwise

from course_attention.mutants.choices import likeness
from course_attention.mutants.own_text import Change

PLAIN_TO_SEE = (".detach()", ".double()", ".float()")  # the change nearly says what it breaks
_SAME_FUNCTION = ({"transpose", "swapaxes"}, {"bmm", "matmul"}, {"mT", "T"})


def is_fair(change: Change) -> bool:
    """Whether a change can show, and is a slip that somebody may make.

    A default does not show, since the judge gives every argument, and neither does the refusal of wrong arguments.
    Nobody writes a number where a tensor was. What keeps a division from zero may be twice as large or negative: only
    tiny inputs tell.

    Example:
        >>> from course_attention.mutants.making import mutants
        >>> from course_attention.mutants.own_text import change_of
        >>> text = "def f(x, n=2):\\n    return x + n"
        >>> {mutant.change: is_fair(change_of(text, mutant)) for mutant in mutants(text, False) if "2" in mutant.change}
        {'2 → 3': False, '2 → 1': False, '2 → -2': False}
    """
    if (_is_tiny(change.before) and _is_tiny(change.after)) or _leaves_out_tiny(change.before, change.after):
        return False
    if _is_number(change.after) and not _is_number(change.before):
        return False
    for outer, inner in pairwise([*change.around, change.before]):
        if isinstance(outer, ast.arguments) or isinstance(inner, ast.Raise | ast.Assert):
            return False
        if isinstance(inner, ast.If) and all(isinstance(one, ast.Raise) for one in inner.body):
            return False
    return True


def _is_number(node: ast.AST) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_tiny(node: ast.AST) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value < 1e-3


def _leaves_out_tiny(before: ast.AST, after: ast.AST) -> bool:
    """Whether a call loses an argument such as eps=1e-6, for which torch has a tiny default as well."""
    if not (isinstance(before, ast.Call) and isinstance(after, ast.Call)):
        return False
    kept = {one.arg for one in after.keywords}
    return any(one.arg not in kept and _is_tiny(one.value) for one in before.keywords)


def is_idle(change: str) -> bool:
    """Whether a change that breaks nothing is not worth a question: another name of the same, or a cut of nothing.

    That a maximum may be detached is worth one: it is taken off again, and no gradient has to come through it.

    Example:
        >>> is_idle("x.transpose(-3, -2) → x.swapaxes(-3, -2)"), is_idle("~allowed → (~allowed).detach()")
        (True, True)
        >>> is_idle("x.amax(-1) → x.amax(-1).detach()")
        False
    """
    gone, come = likeness(change)
    turns = re.search(r"\b(transpose|swapaxes)\(", change)
    if change.endswith(PLAIN_TO_SEE):
        return not re.search(r"max\(", change)
    return {*gone, *come} in _SAME_FUNCTION or bool(turns and not gone and not come)


def is_python(source: str) -> bool:
    """Whether a text can be read: a method of a whole number cannot be written down.

    Example:
        >>> is_python("n.detach()"), is_python("2.detach()")
        (True, False)
    """
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True

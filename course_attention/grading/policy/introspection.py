"""Finds cells that inspect Python or the grader, which no answer needs; the instructor is asked to read them.

An answer shares its process with what calls it. It can fake what only that process can see:

- on which device its results are, and how large its largest tensor was;
- that its inputs are as they were: it can keep a copy of them, and have that sent to the judge;
- that a module called once more gives the same;
- that nothing ready-made was used: only its source is read.

It cannot fake its numbers: the judge compares those, in the dtype that their bytes have. So a point for the device, for
instance, is believed rather than proved, and the note of this module is advice to read the cell. It is no proof of
cheating, and costs no points.

The parsed code is read: a comment, or a text that is printed, names nothing.
"""

import ast
import re
from collections.abc import Iterator, Mapping

from course_attention.course.cell_source import facts
from course_attention.grading.policy.forbidden import COMMON, dotted, full_name

_ROOMS = ("grading", "execution", "judging", "exercises")
_NAMES = {
    "LocalRunner",
    "_getframe",
    "currentframe",
    "getouterframes",
    "f_back",
    "f_globals",
    "f_locals",
    "tb_frame",
    "__closure__",
    "cell_contents",
    "getclosurevars",
    "__globals__",
    "__subclasses__",
    "settrace",
    "setprofile",
    "addaudithook",
    "DisableTorchFunction",
    "_DisableTorchDispatch",
    "CompilationUnit",
    "_simulated_place",
    "_simulated_origin",
    "ctypes",
    "exec",
}
# Switches off what looks at torch's functions and operators.
_BLINDFOLD = r"\b_\w*(?:pop_mode|disable_current_modes|DispatchKeyGuard|torch_(?:function|dispatch)_stack)\w*"
# What the worker itself calls: whoever replaces it is asked for the numbers in its place.
_LIBRARIES = {
    *("torch", "torch.nn", "torch.nn.functional", "torch.nn.Module", "torch.Tensor", "torch.autograd"),
    *("numpy", "builtins", "contextlib", "dis", "functools"),
    *("inspect", "json", "socket", "struct", "threading"),
}
_LONGEST = 80  # characters of a name that is told
_OF_A_NOTEBOOK = {"print", "input", "display"}
_PATTERN = re.compile(
    rf"course_attention\.(?:{'|'.join(_ROOMS)})\b|\bsys\.modules\b|\bgc\.get_\w+|/proc/|\bfileno=\d"
    rf"|\binspect\.(?:stack|trace)\b|\bos\.(?:readv?|dup2?|fdopen)\b|\btorch\.jit\b|{_BLINDFOLD}"
    rf"|\b(?:{'|'.join(sorted(_NAMES))})\b"
)


def named_in(source: str) -> str:
    """Find the first thing of that kind that a cell's code names; "" where there is none.

    Whether a module is among `sys.modules` may be asked: that is how a notebook finds out that it runs on Colab.

    Example:
        >>> named_in("import sys; del sys.modules['torch']")
        'sys.modules'
        >>> named_in("on_colab = 'google.colab' in sys.modules  # no gc.get_objects here")
        ''
    """
    tree = facts(source).tree
    if not tree.body and not facts(source).runs:  # it cannot be parsed, or is too long: then its text is read
        words = _PATTERN.search(source)
        return words[0][:_LONGEST] if words else ""
    harmless = {id(part) for node in ast.walk(tree) for part in _harmless(node)}
    read = sorted((node for node in ast.walk(tree) if id(node) not in harmless), key=_end)
    aliases = COMMON | {one.name: one.full for one in facts(source).imports}
    for node in read:
        if found := next(filter(None, map(_inspecting, _names(node))), "") or _replaced(node, aliases):
            return found[:_LONGEST]
    return ""


def _end(node: ast.AST) -> tuple[int, int]:
    """Return where a node ends: in `a.b.c`, b is told before c."""
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def _harmless(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is free where it stands: `"google.colab" in sys.modules`, a docstring, a text that is printed."""
    match node:
        case ast.Compare(ops=operators, comparators=searched):
            if all(isinstance(operator, ast.In | ast.NotIn) for operator in operators):
                yield from searched
        case ast.Subscript(value=owner, slice=ast.Name(id="__name__") | ast.Constant(value="__main__")):
            yield owner  # the notebook itself, as in `sys.modules[__name__]`
        case ast.Expr(value=ast.Constant() as text):
            yield text
        case ast.Call(func=ast.Name(id="print"), args=printed):
            yield from (one for one in printed if isinstance(one, ast.Constant))


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the dotted names, and the texts that may be names, which a node holds itself."""
    match node:
        case ast.Import(names=imported):
            yield from (one.name for one in imported)
        case ast.ImportFrom(module=str(module), names=imported):
            yield from (f"{module}.{one.name}" for one in imported)
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            yield f"{owner}.{name}"
        case ast.Attribute(attr=name) | ast.Name(id=name):
            yield name
        case ast.keyword(arg="fileno", value=ast.Constant(value=int(number))):
            yield f"fileno={number}"
        case ast.Constant(value=str(text)):
            yield text
        case ast.Call(func=ast.Name(id="exec")):
            yield "exec"


def _replaced(node: ast.AST, aliases: Mapping[str, str]) -> str:
    """Return what of a library a statement puts something else in the place of, as in "json.loads = …"; else ""."""
    places: list[tuple[ast.AST, str]] = []
    match node:
        case ast.Assign(targets=targets):
            places += [(one.value, one.attr) for one in targets if isinstance(one, ast.Attribute)]
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(name)), _]):
            places.append((owner, name))
    for holder, attribute in places:
        full = full_name(dotted(holder), aliases)
        if full in _LIBRARIES and attribute not in _OF_A_NOTEBOOK:
            return f"{full}.{attribute} = …"
    return ""


def _inspecting(name: str) -> str:
    """Return what is told of a name that inspects Python or the grader; "" for any other."""
    found = _PATTERN.match(name)
    if found is None and not name.startswith("/"):
        found = _PATTERN.fullmatch(name.rpartition(".")[2])
    return found[0] if found else ""

"""The skeleton of an answer: its signature, its steps and what each of them is made of, without the formulas."""

import ast
import re
from typing import Any

GAP = "..."
CLOSED = "False"  # a loop's condition that is still to be written: the loop does nothing
_MODULES = ("torch", "np", "nn", "F", "math", "copy", "statistics")
LONGEST = 100  # characters of a signature in one line
_DOTTED = re.compile(r"\w+(\.\w+)+")  # a name in a module, and not what is made of a call
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[ ,.]\d+)*(?!\w)")
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.MatMult: "@",
    ast.Pow: "**",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.Invert: "~",
}


def skeleton_of(source: str) -> str:
    """Return the skeleton of the statement that defines an answer.

    Loops, branches and the names of results stay. What is computed becomes `...`, and a comment names what is used for
    it, in the order of the alphabet. The condition of a `while` becomes `False`, so that a skeleton that somebody runs
    as it is comes to an end.

    Args:
        source: of a function or a class, or of a number with the comment above it, whose numbers are left out.

    Example:
        >>> print(skeleton_of("def f(x, y):\\n    both = x @ y.mT\\n    return both / 2"))
        def f(x, y):
            both = ...  # from x and y, with .mT and @
            return ...  # from both, with /
        >>> print(skeleton_of("# Two matrices of 3 × 4.\\nn = 2 * 3 * 4"))
        # … matrices of … × ….
        n = ...
    """
    (statement,) = ast.parse(source).body
    if isinstance(statement, ast.Assign):
        comments = [_NUMBER.sub("…", line) for line in source.splitlines() if line.startswith("#")]
        comments = [re.sub(r"\bTwo\b|\bThree\b|\bFour\b", "…", line) for line in comments]
        return "\n".join([*comments, f"{ast.unparse(statement.targets[0])} = {GAP}"])
    return "\n".join(_lines(statement, ""))


def ingredients(node: ast.AST) -> tuple[list[str], list[str]]:
    """Return what a computation starts from, and what it does with it, each in the order of the alphabet.

    Example:
        >>> ingredients(ast.parse("nn.Linear(2, n)(x).softmax(dim=-1)"))
        (['n', 'x'], ['.softmax', 'nn.Linear'])
    """
    names: set[str] = set()
    tools: set[str] = set()
    _gather(node, names, tools)
    return sorted(names), sorted(tools, key=str.lower)


def _gather(node: ast.AST, names: set[str], tools: set[str]) -> None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        tools.add(node.func.id)
        children: list[ast.AST] = [*node.args, *(one.value for one in node.keywords)]
    elif isinstance(node, ast.Attribute):
        whole = ast.unparse(node)
        root = whole.partition(".")[0] if _DOTTED.fullmatch(whole) else ""
        is_own = root == "self"
        is_whole = is_own or root in _MODULES
        (names if is_own else tools).add(whole if is_whole else f".{node.attr}")
        children = [] if is_whole else [node.value]
    else:
        if isinstance(node, ast.Name):
            names.add(node.id)
        if isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) in _OPERATORS:
            tools.add(_OPERATORS[type(node.op)])
        children = list(ast.iter_child_nodes(node))
    for child in children:
        _gather(child, names, tools)


def _lines(node: ast.stmt, indent: str) -> list[str]:
    """Return the lines of one statement."""
    inner = f"{indent}    "
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            told = ast.get_docstring(node)
            head = _head(node).replace("\n", f"\n{indent}")
            first = [f'{inner}"""{told.splitlines()[0]}"""'] if told else []
            was_definition = False
            for one in node.body[1:] if told else node.body:
                is_definition = isinstance(one, ast.FunctionDef)
                first += [""] if first and (is_definition or was_definition) else []
                first += _lines(one, inner)
                was_definition = is_definition
            return [f"{indent}{head}", *first]
        case ast.For():
            return [f"{indent}for {_target(node.target)} in {_gap(node.iter)}", *_body(node.body, inner)]
        case ast.While():
            # `while ...:` would go on for ever: `...` is true.
            return [f"{indent}while {CLOSED}:{_made_of(node.test)}", *_body(node.body, inner)]
        case ast.If():
            lines = [f"{indent}if {_condition(node.test)}", *_body(node.body, inner)]
            return [*lines, *([f"{indent}else:", *_body(node.orelse, inner)] if node.orelse else [])]
        case ast.With():
            return [f"{indent}{ast.unparse(node).splitlines()[0]}", *_body(node.body, inner)]
        case ast.Try():
            caught = [f"except {ast.unparse(one.type)}" if one.type else "except" for one in node.handlers]
            handlers = zip(caught, node.handlers, strict=True)
            refused = [line for head, one in handlers for line in [f"{indent}{head}:", *_body(one.body, inner)]]
            return [f"{indent}try:", *_body(node.body, inner), *refused]
        case ast.Return(value=ast.Tuple(elts=parts)):
            shown = ", ".join(one.id if isinstance(one, ast.Name) else GAP for one in parts)
            return [f"{indent}return {shown}{_made_of(node.value)}"]
        case ast.Return():
            is_name = isinstance(node.value, ast.Name | ast.Constant)
            return [f"{indent}{ast.unparse(node)}" if is_name else f"{indent}return {GAP}{_made_of(node.value)}"]
        case ast.Assign():
            return [f"{indent}{' = '.join(map(_target, node.targets))} = {GAP}{_made_of(node.value)}"]
        case ast.AnnAssign():
            return [f"{indent}{_target(node.target)} = {GAP}{_made_of(node.value)}"]
        case ast.AugAssign():
            return [f"{indent}{ast.unparse(node.target)} = {GAP}{_made_of(node)}"]
        case ast.Expr() if "super()" not in ast.unparse(node):
            return [f"{indent}{GAP}{_made_of(node.value)}"]
    return [f"{indent}{line}" for line in ast.unparse(node).splitlines()]


def _body(statements: list[ast.stmt], indent: str) -> list[str]:
    return [line for one in statements for line in _lines(one, indent)]


def _head(node: ast.FunctionDef | ast.ClassDef) -> str:
    """Return the signature, with a line for each parameter where it is long."""
    line = next(line for line in ast.unparse(node).splitlines() if line.startswith(("def ", "class ")))
    if isinstance(node, ast.ClassDef):
        return line
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    listed = [_parameter(one) for one in re.split(r", (?=\*+|\w+(?::|=|,|$))", ast.unparse(node.args)) if one]
    whole = f"def {node.name}({', '.join(listed)}){returned}:".replace("'", '"')
    if len(whole) <= LONGEST:
        return whole
    return "\n".join([f"def {node.name}(", *(f"    {one}," for one in listed), f"){returned}:"]).replace("'", '"')


def _parameter(text: str) -> str:
    """Return a parameter with spaces around its default, as it is written where it has a type."""
    return re.sub(r"(: .+?)=(?!=)", r"\1 = ", text, count=1)


def _target(node: ast.expr) -> str:
    return ast.unparse(node).removeprefix("(").removesuffix(")") if isinstance(node, ast.Tuple) else ast.unparse(node)


def _gap(node: ast.AST) -> str:
    return f"{GAP}:{_made_of(node)}"


def _condition(test: ast.expr) -> str:
    """Return a question about None as it is, and a gap for every other."""
    match test:
        case ast.Compare(left=ast.Name(), ops=[ast.Is() | ast.IsNot()]):
            return f"{ast.unparse(test)}:"
    return _gap(test)


def _made_of(node: Any) -> str:
    """Return a comment on what is used."""
    names, tools = ingredients(node)
    if not names and not tools:
        return ""
    start = f"from {_listed(names)}" if names else ""
    return f"  # {', '.join(filter(None, [start, f'with {_listed(tools)}' if tools else '']))}"


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))

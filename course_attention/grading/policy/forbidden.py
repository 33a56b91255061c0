"""What an answer may not consist of: ready-made attention from elsewhere, and helpers of the course that contain it.

Naming one is free; using one in the answer is not. The answer's own code is read here, before it runs; what it uses in
other ways is refused in the sandbox, while it is judged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache

from course_attention.exercises import CATALOGUE
from course_attention.topics import topic_of

_ATTENTION = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch._C._nn.scaled_dot_product_attention",
    "torch._scaled_dot_product_attention_math",
    "torch._scaled_dot_product_flash_attention_for_cpu",
    "torch._native_multi_head_attention",
    "torch.ops.aten.scaled_dot_product_attention",
    "torch.ops.aten._scaled_dot_product_attention_math",
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu",
    "torch.ops.aten._native_multi_head_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.attention.flex_attention.flex_attention",
    "torch.nn.MultiheadAttention",
    "torch.nn.TransformerEncoderLayer",
    "torch.nn.TransformerDecoderLayer",
    "torch.nn.TransformerEncoder",
    "torch.nn.TransformerDecoder",
    "torch.nn.Transformer",
)
_SOFTMAX = (
    "torch.softmax",
    "torch.nn.functional.softmax",
    "torch.special.softmax",
    "torch.Tensor.softmax",
    "torch._softmax",
    "torch._safe_softmax",
    "torch.ops.aten.softmax",
    "torch.ops.aten._softmax",
    "torch.ops.aten._safe_softmax",
    "torch.log_softmax",
    "torch.special.log_softmax",
    "torch.Tensor.log_softmax",
    "torch.ops.aten.log_softmax",
    "torch.ops.aten._log_softmax",
    "torch.nn.functional.log_softmax",
    "torch.nn.functional.softmin",
    "torch.nn.Softmax",
    "torch.nn.LogSoftmax",
    "torch.nn.Softmin",
    "scipy.special.softmax",
    "scipy.special.log_softmax",
)
_MASKED_SOFTMAX = ("torch.masked.softmax", "torch._masked_softmax")

# Exercise → what is ready-made for it elsewhere. Of a multi-head attention, parts of PyTorch's are no use: `transplant`
# is handed one, and the parameter counts are numbers.
READY_MADE = {
    "softmax": _SOFTMAX,
    "masked_softmax": _MASKED_SOFTMAX,
    **dict.fromkeys(
        (
            "attend_and_concat",
            "attention",
            "attention_columns",
            "cross_attention",
            "self_attention",
            "SelfAttention",
            "multi_head_attention",
            "MultiHeadAttention",
            "EncoderBlock",
            "DecoderBlock",
            "cached_attention",
            "grouped_query_attention",
            "blockwise_attention",
        ),
        _ATTENTION,
    ),
}

# Exercise → helpers of earlier notebooks that contain it: with them, nothing is left to build.
CONTAINING = {
    "self_attention": ("cross_attention",),
    "SelfAttention": ("cross_attention",),
    "masked_softmax": (
        "attention_distribution",
        "attend_and_concat",
        "attention",
        "self_attention",
        "SelfAttention",
        "multi_head_attention",
        "MultiHeadAttention",
    ),
}


def ready_made(exercise: str) -> tuple[str, ...]:
    """Names, in full, of what is ready-made for an exercise outside the course."""
    return READY_MADE.get(exercise, ())


def found_in(exercise: str, source: str, added: Sequence[str] = ()) -> str:
    """The forbidden thing that an answer cell's code uses for its answer, by name; "" where there is none.

    Read are the definition of the answer and what it calls in the same cell, or in cells of the student's own;
    comments, texts and the rest of the cells are free. A cell that cannot be read holds nothing.

    Example:
        >>> found_in("attention", "import torch.nn.functional as F\\nattention = F.scaled_dot_product_attention")
        'torch.nn.functional.scaled_dot_product_attention'
        >>> found_in("attention", "def attention(query, key, value):  # not F.scaled_dot_product_attention\\n    ...")
        ''
    """
    sources = [*added, source]
    words = {name.rpartition(".")[2] for name in (*ready_made(exercise), "course_attention")}
    if not any(word in one for word in words for one in sources):
        return ""
    *around, module = map(_parsed, sources)
    aliases = dict(_COMMON)
    for node in (node for one in (*around, module) for node in ast.walk(one)):
        aliases |= dict(_imports(node))
    for name in _used(exercise, module, around):
        first, *rest = name.split(".")
        full = ".".join([aliases.get(first, first), *rest])
        if full in _forbidden(exercise):
            return full
    return ""


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


# What the notebooks' first cells import; a name of one's own for it is followed as well.
_COMMON = {"F": "torch.nn.functional", "nn": "torch.nn", "np": "numpy"}


@cache
def _forbidden(exercise: str) -> frozenset[str]:
    own = {f"course_attention.{name}" for name in (exercise, *CONTAINING.get(exercise, ()))}
    later = [name for name, other in CATALOGUE.items() if other.notebook > CATALOGUE[exercise].notebook]
    own |= {f"course_attention.{name}" for name in later}
    homes = {
        f"course_attention.mechanisms.{topic_of(name.split('.')[1]).name}.{name.split('.')[1]}"
        for name in own
    }
    return frozenset({*ready_made(exercise), *own, *homes})


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, alias.name
            else:
                yield alias.name.split(".")[0], alias.name.split(".")[0]
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _used(exercise: str, module: ast.Module, around: Sequence[ast.Module]) -> Iterator[str]:
    """The dotted names in the answer's definition, and in what it names of the other definitions.

    A name that a function binds itself is no other's.
    """
    defined: dict[str, list[ast.stmt]] = {}
    for other in around:
        found = _definitions(other)
        defined |= {
            name: nodes for name, nodes in found.items() if name not in CATALOGUE and _stands_for(nodes)
        }
    defined |= _definitions(module)
    seen, left = set(), [exercise]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in defined.get(name, ()):
            bound = _bound(node)
            for inner in ast.walk(node):
                if not isinstance(inner, (ast.Name, ast.Attribute)):
                    continue
                dotted = _dotted(inner)
                if dotted and dotted.split(".")[0] not in bound:
                    yield dotted
                    left.append(dotted)


def _definitions(module: ast.Module) -> dict[str, list[ast.stmt]]:
    defined: dict[str, list[ast.stmt]] = {}
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            defined.setdefault(node.name, []).append(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    defined.setdefault(target.id, []).append(node)
    return defined


def _stands_for(nodes: Sequence[ast.stmt]) -> bool:
    """Whether a name is a function, a class, or another name for one, rather than the result of a call."""
    value = getattr(nodes[-1], "value", None)
    partial = isinstance(value, ast.Call) and _dotted(value.func).endswith("partial")
    return partial or not isinstance(value, ast.Call)


def _bound(node: ast.stmt) -> set[str]:
    """The names that a function or class binds: its arguments and what it assigns."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return set()
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (owner := _dotted(node.value)):
        return f"{owner}.{node.attr}"
    return ""

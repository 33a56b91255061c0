"""Pages on the public functions, made from their docstrings."""

import ast
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from course_attention.topics import TOPICS

# What a reader may call beside the helpers: the module, its title, and the names.
DOORS: Sequence[tuple[str, str, tuple[str, ...]]] = (
    ("course_attention.testing", "The judge for code of your own", ("judge", "assert_right")),
    (
        "course_attention.lesson",
        "What a notebook calls",
        ("check", "points", "hint", "progress", "predict", "show", "mine", "look_back"),
    ),
    ("course_attention.authoring", "For authors of exercises", ()),
)


def pages() -> dict[str, str]:
    """Return the pages: the name of each file, and its text."""
    found = {}
    for topic in TOPICS:
        names = [name for name in (*topic.exercises, *topic.helpers) if _documents(topic.name, name)]
        if names:
            title = f"{topic.notebook[:2]} · {topic.name.replace('_', ' ')}"
            found[f"{topic.name}.md"] = _page(title, f"course_attention.mechanisms.{topic.name}", names)
    for module, title, names in DOORS:
        found[f"{module.rsplit('.', 1)[1]}.md"] = _page(title, module, names or _exported(module))
    return {"index.md": _index(found), **found}


def _page(title: str, module: str, names: Sequence[str]) -> str:
    entries = "\n".join(
        f".. {'autoclass' if name[:1].isupper() else 'autofunction'}:: {module}.{name}\n" for name in names
    )
    return f"# {title}\n\n```{{eval-rst}}\n{entries}\n```\n"


def _index(found: dict[str, str]) -> str:
    listed = "\n".join(name.removesuffix(".md") for name in found)
    return (
        "# Public functions\n\n"
        "Each exercise has a helper of its own name. Its docstring is the contract that an answer is held to. Import "
        "them from the top, as in `from course_attention import attention`: there they check their arguments.\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    )


def _documents(topic: str, name: str) -> bool:
    """Whether a topic's module defines a function or a class of this name."""
    spec = find_spec(f"course_attention.mechanisms.{topic}")
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8")) if spec and spec.origin else ast.Module([], [])
    return any(isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name for node in tree.body)


def _exported(module: str) -> tuple[str, ...]:
    from importlib import import_module

    loaded = import_module(module)
    return tuple(name for name in loaded.__all__ if callable(getattr(loaded, name)))

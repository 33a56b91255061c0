"""Imports point one way, rooms keep to their libraries, modules stay short, and importing the package costs nothing.

The table is the README's picture of the house in a form that can be checked. Its reader is tested on planted imports.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import course_attention
from course_attention.topics import TOPICS

PACKAGE = Path(course_attention.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")
}
TAUGHT = [topic.name for topic in TOPICS]
NAMES = {module.removesuffix(".__init__") for module in MODULES}
OUTSIDE_WORLD = {
    "multiprocessing",
    "os",
    "pathlib",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
}
LONGEST = 200


@dataclass(frozen=True)
class Rule:
    """What a room may import beside itself and the standard library."""

    libraries: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    inside_functions: tuple[str, ...] = ()  # of the package, and only when it is called: these load torch
    pure: bool = True  # knows no files, processes or environment


RULES = {
    "topics": Rule(),
    "active_course": Rule((), ("topics",), pure=False),
    "mechanisms": Rule(("numpy", "torch", "jaxtyping")),
    "experiments": Rule(("numpy", "torch", "jaxtyping", "babel", "tqdm", "sklearn"), ("mechanisms",)),
    "experiments.common.process_memory": Rule(("numpy", "psutil"), pure=False),
    "figures": Rule(("numpy", "matplotlib")),
    "models": Rule(pure=False),
    "models.language_model": Rule(("torch", "safetensors"), ("mechanisms", "models.tokenizer")),
    "models.reading": Rule(("torch",), ("mechanisms", "models.language_model")),
    "execution": Rule(("numpy",), pure=False),
    "execution.tensors": Rule(("numpy", "torch"), ("execution",), pure=False),
    "execution.simulated_cuda": Rule(("torch",), ("execution.simulated_cuda",)),
    "execution.largest_tensor": Rule(("torch",), ("execution.started_threads",)),
    "execution.protocol": Rule(("numpy",)),
    "judging": Rule(
        ("numpy",),
        ("execution.protocol", "execution.nesting"),
        ("execution.local", "execution.tensors"),
    ),
    "exercises": Rule(("numpy",), ("judging", "execution.protocol", "topics", "active_course")),
    "presentation": Rule(("numpy", "IPython"), ("judging.verdict",)),
    "course": Rule(("nbformat",), ("topics", "active_course"), ("exercises",), pure=False),
    "course.jupyter": Rule(("nbformat", "jupyter_server"), pure=False),
    "lesson": Rule(
        ("numpy", "torch", "matplotlib", "IPython", "ipywidgets", "filelock"),
        (
            "exercises",
            "judging",
            "execution",
            "presentation",
            "mechanisms",
            "experiments",
            "figures",
            "course",
            "topics",
            "active_course",
        ),
        pure=False,
    ),
    "authoring": Rule(rooms=("judging", "execution.protocol")),
    "own_course": Rule(
        ("numpy", "nbformat", "nbclient"),
        ("authoring", "exercises", "judging", "execution", "course", "grading", "topics", "active_course"),
        pure=False,
    ),
    "grading": Rule(
        ("numpy", "nbformat", "filelock", "tqdm", "distributed", "jinja2", "markupsafe", "pygments"),
        (
            "exercises",
            "judging",
            "execution.protocol",
            "execution.inputs",
            "execution.number_formats",
            "course",
            "presentation",
            "topics",
            "active_course",
        ),
        pure=False,
    ),
    "grading.intake.layouts": Rule(("yaml",), ("grading",), pure=False),
    "grading.views.gradebook": Rule(
        ("nbgrader", "sqlalchemy"), ("grading", "exercises", "course"), pure=False
    ),
    # what runs beside a student's code knows neither questions nor right answers
    "grading.sandbox.worker": Rule(
        ("torch", "matplotlib", "IPython", "traitlets"),
        (
            "grading.sandbox.worker",
            "grading.sandbox.channel",
            "grading.sandbox.messages",
            "execution",
            "mechanisms",
        ),
        pure=False,
    ),
    "cli": Rule((), ("course", "lesson", "grading", "own_course", "active_course"), pure=False),
    "__main__": Rule((), ("cli",)),
    "": Rule(
        (), ("topics", "mechanisms", "lesson", "execution", "active_course")
    ),  # course_attention/__init__.py, the public door
}


def imports(source: str, module: str, is_package: bool) -> list[tuple[str, bool]]:
    """Every module that a source imports, and whether a function does it, when called."""
    found: list[tuple[str, bool]] = []

    def visit(node: ast.AST, inside: bool) -> None:
        if isinstance(node, ast.Import):
            found.extend((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                parts = parts[: len(parts) - node.level + is_package]
                base = ".".join([*parts, *([base] if base else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
            found.extend((name if name in MODULES else base, inside) for name in names)
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(ast.parse(source), False)
    return found


def inside(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def rule_of(place: str) -> tuple[str, Rule]:
    """The rule of a module, named without the package: its own where it has one, else its room's."""
    names = place.split(".")
    for cut in range(len(names), 1, -1):
        if (inner := ".".join(names[:cut])) in RULES:
            return inner, RULES[inner]
    room = names[0]
    assert room in RULES, f"no rule for the room {room!r}: write down what it may import"
    return room, RULES[room]


def violations(source: str, module: str, is_package: bool = False) -> list[str]:
    """The imports of a module that its room may not have."""
    place = module.removeprefix("course_attention").removeprefix(".")
    place = f"{place}.__init__" if f"{place}.__init__" in RULES and is_package else place
    room, rule = rule_of(place)
    own_room = place.split(".")[0]
    found = []
    for name, late in imports(source, module, is_package):
        top = name.split(".")[0]
        if top == "course_attention":
            target = name.removeprefix("course_attention").removeprefix(".").removesuffix(".__init__")
            allowed = (*rule.rooms, *(rule.inside_functions if late else ()))
            if room == own_room:
                allowed = (*allowed, *([own_room] if own_room else []))
            ok = inside(target, allowed) or (
                target == "" and own_room in ("lesson", "cli", "grading", "course", "own_course")
            )
            if own_room == "mechanisms" and (topic := target.removeprefix("mechanisms.")) in TAUGHT:
                here = place.removeprefix("mechanisms.")
                ok = ok and here in TAUGHT and TAUGHT.index(topic) < TAUGHT.index(here)
        elif top in sys.stdlib_module_names:
            ok = not (rule.pure and top in OUTSIDE_WORLD)
        else:
            ok = top in rule.libraries
        if not ok:
            found.append(f"{module} ({room or 'the public door'}) may not import {name}")
    return found


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_point_one_way(module):
    """A module imports what its room may, inside functions as well."""
    path = MODULES[module]
    name = module.removesuffix(".__init__")
    assert violations(path.read_text(encoding="utf-8"), name, path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("mechanisms.attention", "from course_attention.exercises import attention"),
        ("mechanisms.attention", "import matplotlib.pyplot as plt"),
        ("mechanisms.softmax", "from course_attention.mechanisms.attention import attention"),
        ("mechanisms.softmax", "from . import attention"),
        ("mechanisms.softmax", "from .attention import attention"),
        ("exercises.attention", "from course_attention import attention"),
        ("exercises.attention", "from course_attention.mechanisms import attention"),
        ("exercises.attention", "def late():\n    from ..mechanisms.attention import attention"),
        ("exercises.attention", "import torch"),
        ("exercises.attention", "from course_attention.execution.tensors import make"),
        ("judging.verdict", "def late():\n    import torch"),
        ("judging.verdict", "class A:\n    def f(self):\n        from torch import Tensor"),
        ("judging.verdict", "from pathlib import Path"),
        ("judging.verdict", "from course_attention.execution.local import LocalRunner"),
        ("judging.verdict", "from course_attention.exercises import CATALOGUE"),
        ("execution.protocol", "import torch"),
        ("execution.protocol", "from course_attention.execution import tensors"),
        ("execution.local", "from course_attention.judging.verdict import Verdict"),
        ("figures.style", "import torch"),
        ("figures.style", "from course_attention.mechanisms import softmax"),
        ("figures.style", "import os"),
        ("experiments.dates", "from course_attention.lesson.check import check"),
        ("lesson.check", "from course_attention.grading import reader"),
        ("course.workspace", "import torch"),
        ("cli", "import torch"),
        ("cli", "if True:\n    import jupyterlab"),
        ("presentation.card", "import os"),
        ("topics", "from course_attention.exercises import CATALOGUE"),
        ("", "import numpy as np"),
    ],
)
def test_planted_import_is_found(module, source):
    """The reader finds an import that a room may not have, wherever in the file it stands."""
    assert violations(source, f"course_attention.{module}".removesuffix("."), is_package=module == "")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("mechanisms.attention", "import math\nimport torch\nfrom .softmax import softmax"),
        ("judging.calls", "def late():\n    from course_attention.execution.local import LocalRunner"),
        ("exercises.attention", "import numpy as np\nfrom ..judging.case import Case"),
        ("execution.local", "def late():\n    from course_attention.execution import tensors"),
    ],
)
def test_allowed_import_is_not_found(module, source):
    """The reader lets pass what the table allows."""
    assert violations(source, f"course_attention.{module}") == []


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of one circle of imports, the first again at its end; an empty list where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_circles():
    """No module imports, over however many others, a module that imports it: not when it is loaded, nor when called."""
    graph = {}
    for module, path in MODULES.items():
        name = module.removesuffix(".__init__")
        found = imports(path.read_text(encoding="utf-8"), name, path.name == "__init__.py")
        targets = {target.removesuffix(".__init__") for target, _ in found}
        graph[name] = {target for target in targets if target in NAMES} - {name, "course_attention"}
    assert circle(graph) == []


def test_planted_circle_is_found():
    """The search finds a circle, also one over three modules, and none where there is none."""
    assert circle({"a": {"b"}, "b": {"a"}})
    assert len(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == 4
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_utils():
    """No module is named for nothing in particular; what topics share stands in `common`, and only there."""
    names = {part for module in MODULES for part in module.split(".")}
    assert names.isdisjoint({"utils", "util", "helpers", "misc"})
    rooms = {module.split(".")[1] for module in MODULES if "common" in module.split(".")}
    assert rooms <= {"exercises", "experiments"}


def figure_deeds(source: str) -> list[str]:
    """Calls that show a figure or write it to a file."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    names = (func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "") for func in calls)
    return [name for name in names if name in {"show", "savefig", "imsave", "open"}]


def test_figures_only_draw():
    """No figure is shown or written by the room that draws it; a planted call is found."""
    assert figure_deeds("plt.show()\nfig.savefig('a.png')") == ["show", "savefig"]
    for path in (PACKAGE / "figures").glob("*.py"):
        assert figure_deeds(path.read_text(encoding="utf-8")) == [], path.name


def code_lines(source: str) -> int:
    """Lines that hold code: no blank ones, comments or docstrings."""
    lines: set[int] = set()
    skip = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in skip:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def test_code_lines():
    """Code is counted, prose is not."""
    assert code_lines('"""Prose,\nprose."""\n\n# why\nx = (\n    1\n)\n') == 3


DATA = (
    "course_attention.exercises.",
    "course_attention.judging.error_meanings",
    "course_attention.judging.properties",
    "course_attention.topics",
)


@pytest.mark.parametrize("module", sorted(name for name in MODULES if not name.startswith(DATA)))
def test_modules_are_short(module):
    """A module holds one idea, in at most 200 lines of code; what holds data or texts is as long as there are any."""
    lines = code_lines(MODULES[module].read_text(encoding="utf-8"))
    assert lines <= LONGEST, f"{module} has {lines} lines of code: which two ideas are in it?"


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import course_attention", {"torch", "matplotlib", "numpy"}),
        ("import course_attention.exercises", {"torch", "matplotlib"}),
        ("import course_attention.judging", {"torch", "matplotlib"}),
        ("import course_attention.figures", {"torch"}),
    ],
)
def test_import_loads_little(statement, absent):
    """Importing the package loads nothing heavy, and a grader's process never needs torch."""
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "course_attention" in loaded
    assert absent.isdisjoint(loaded)

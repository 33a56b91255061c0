"""Rooms keep to their libraries, topics build on those taught earlier, modules stay short, and imports cost nothing.

Which room may import which stands in pyproject.toml, where import-linter reads it; here a planted import breaks each of
those contracts.
"""

from __future__ import annotations

import ast
import io
import shutil
import subprocess
import sys
import tokenize
import tomllib
from pathlib import Path

import grimp
import pytest

import course_attention
from course_attention.topics import TOPICS

PACKAGE = Path(course_attention.__file__).parent
SETTINGS = PACKAGE.parent / "pyproject.toml"
MODULES = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")}
GRAPH = grimp.build_graph("course_attention", include_external_packages=True, cache_dir=None)
LONGEST = 200
# What a room may import beside the package and the standard library. A room within it has an entry of its own.
LIBRARIES = {
    "mechanisms": {"numpy", "torch", "jaxtyping"},
    "experiments": {"numpy", "torch", "jaxtyping", "babel", "tqdm", "sklearn"},
    "experiments.real_models": {"torch", "transformers"},
    "experiments.common.process_memory": {"numpy", "psutil"},
    "figures": {"numpy", "matplotlib"},
    "models": {"torch", "safetensors"},
    "models.tokenizer": set(),
    "execution": {"numpy"},
    "execution.tensors": {"numpy", "torch"},
    "execution.simulated_cuda": {"torch"},
    "execution.largest_tensor": {"torch"},
    "execution.operator_mode": {"torch"},
    "judging": {"numpy"},
    "exercises": {"numpy"},
    "practice": {"numpy", "torch"},
    "presentation": {"numpy", "IPython"},
    "course": {"nbformat"},
    "course.jupyter": {"nbformat", "jupyter_server"},
    "lesson": {"numpy", "torch", "matplotlib", "IPython", "ipywidgets", "filelock"},
    "lesson.checked_notebook": {"nbformat", "nbclient"},
    "mutants": {"numpy"},
    "own_course": {"numpy", "nbformat", "nbclient"},
    "encyclopedia": {"numpy"},
    "grading": {"numpy", "nbformat", "filelock", "tqdm", "distributed", "jinja2", "markupsafe", "pygments"},
    "grading.intake.layouts": {"yaml"},
    "grading.views.gradebook": {"nbgrader", "sqlalchemy"},
    "grading.sandbox.worker": {"torch", "matplotlib", "IPython", "traitlets"},
    "testing": {"numpy", "torch"},
}


def libraries_of(place: str) -> set[str]:
    """Return what a module, named without the package, may import: its own entry, else that of a room around it."""
    names = place.split(".")
    around = (".".join(names[:cut]) for cut in range(len(names), 0, -1))
    return next((LIBRARIES[room] for room in around if room in LIBRARIES), set())


@pytest.mark.parametrize("module", sorted(GRAPH.find_descendants("course_attention")))
def test_libraries(module: str) -> None:
    """A module imports only what is taken for its room, inside functions as well."""
    imported = {name.split(".")[0] for name in GRAPH.find_modules_directly_imported_by(module)}
    libraries = imported - {"course_attention"} - sys.stdlib_module_names
    assert libraries <= libraries_of(module.removeprefix("course_attention."))


def test_topics_build_on_earlier_ones() -> None:
    """The helpers of a topic use those of topics that are taught before it."""
    modules = [f"course_attention.mechanisms.{topic.name}" for topic in TOPICS]
    taught = [module for module in modules if module in GRAPH.modules]
    for number, module in enumerate(taught):
        assert GRAPH.find_modules_directly_imported_by(module).isdisjoint(taught[number:]), module


# One import for each contract, in its order: the module in which it is planted, and the statement.
PLANTED = [
    ("judging/verdict", "def late():\n    from ..exercises import CATALOGUE"),
    ("figures/alignment", "from . import scaling"),
    ("exercises/attention/attention", "def late():\n    from ...mechanisms.attention import attention"),
    ("presentation/card", "from course_attention.exercises import CATALOGUE"),
    ("grading/errors", "from course_attention.practice import PRACTICE"),
    ("course/cells", "from course_attention.judging import judge"),
    ("judging/verdict", "from course_attention.execution import tensors"),
    ("judging/case", "from course_attention.topics import TOPICS"),
    ("grading/sandbox/worker/worker", "if True:\n    from course_attention.judging.verdict import Verdict"),
    ("judging/scoring", "class A:\n    def f(self):\n        from pathlib import Path"),
    ("encyclopedia/museum", "def late():\n    import sphinx"),
]


def test_each_contract_can_be_broken(tmp_path: Path) -> None:
    """Planted imports break every contract of pyproject.toml, each its own, wherever in a file they stand."""
    contracts = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    shutil.copy(SETTINGS, tmp_path)
    for module in MODULES.values():
        copy = tmp_path / module.relative_to(PACKAGE.parent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(module, copy)
    for place, statement in [*PLANTED, ("figures/scaling", "from . import alignment")]:
        with (tmp_path / "course_attention" / f"{place}.py").open("a", encoding="utf-8") as file:
            file.write(f"\n\n{statement}\n")
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f"Contracts: 0 kept, {len(contracts)} broken" in done.stdout, done.stdout


def test_contracts_are_kept() -> None:
    """Imports point one way; `make lint` says so as well."""
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=SETTINGS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_utils():
    """No module is named for nothing in particular; what topics share stands in `common`, and only there."""
    names = {part for module in MODULES for part in module.split(".")}
    assert names.isdisjoint({"utils", "util", "helpers", "misc"})
    rooms = {module.split(".")[1] for module in MODULES if "common" in module.split(".")}
    assert rooms <= {"exercises", "experiments"}


def figure_deeds(source: str) -> list[str]:
    """Return the calls that show a figure or write it to a file."""
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
    kinds = "COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"
    skip = {getattr(tokenize, kind) for kind in kinds}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in skip:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def test_code_lines():
    """Code is counted, prose is not."""
    assert code_lines('"""Prose,\nprose."""\n\n# why\nx = (\n    1\n)\n') == 3


DATA = (
    "course_attention.exercises.",
    "course_attention.practice.",
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
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "course_attention" in loaded
    assert absent.isdisjoint(loaded)

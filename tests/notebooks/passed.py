"""Leaves a notebook out of `make test` that has passed on this machine, until something that it computes with changes.

That is the notebook itself, the modules of the course that it imports, over however many others, with the data files
of their rooms, what is installed, Python and the device. Continuous integration and `--exhaustive` leave nothing out.

`progress()` reads the points of every exercise, also of those that the notebook does not name. Their files do not
count: nbval does not compare what it shows.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

import pytest

from course_attention.topics import TOPICS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "course_attention"
PRACTICE = {name: topic.name for topic in TOPICS for name in topic.practice}
TOPIC_OF = {name: topic.name for topic in TOPICS for name in (*topic.exercises, *topic.helpers)}


def fingerprint(notebook: Path) -> str:
    """Return a digest of everything that decides what a notebook shows.

    Args:
        notebook: its file.
    """
    files = sorted(computes_with(notebook))
    rooms = {file.relative_to(PACKAGE).parts[0] for file in files}
    data = [file for file in _data() if file.relative_to(PACKAGE).parts[0] in rooms]
    digest = sha256(
        repr((sys.version, sys.platform, _installed(), os.environ.get("COURSE_ATTENTION_DEVICE", "cpu"))).encode()
    )
    for file in (notebook, ROOT / "conftest.py", *files, *data):
        digest.update(file.relative_to(file.anchor).as_posix().encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def computes_with(notebook: Path) -> set[Path]:
    """Return the files of the package that a notebook imports, directly or over others.

    Two imports are not written as such: `course_attention` loads a helper, and the catalogue an exercise, by its name.
    So each name of a helper or an exercise that occurs in the notebook's code counts as an import of both, and each
    name of practice as an import of its file.

    Args:
        notebook: its file.
    """
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    words = set(re.findall(r"\w+", "\n".join(sources)))
    modules = {module for source in sources for module in _mentioned(_parsed(source))}
    for name in words & set(TOPIC_OF):
        modules |= {
            f"course_attention.mechanisms.{TOPIC_OF[name]}",
            f"course_attention.exercises.{TOPIC_OF[name]}.{name}",
        }
    modules |= {f"course_attention.practice.{PRACTICE[name]}.{name}" for name in words & set(PRACTICE)}
    found: set[Path] = set()
    waiting = [file for module in modules for file in _files(module)]
    while waiting:
        if (file := waiting.pop()) not in found:
            found.add(file)
            waiting += _imported(file)
    return found


def _parsed(source: str) -> ast.AST:
    """Return a cell's tree; a line for IPython alone is left out."""
    return ast.parse(
        "\n".join("pass" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())
    )


@cache
def _imported(file: Path) -> list[Path]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [other for module in _mentioned(tree) for other in _files(module)]


def _mentioned(tree: ast.AST) -> Iterator[str]:
    """Yield what may be a module's name: it is imported, or a text of this form, for a process of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"course_attention(?:\.\w+)+", node.value)


@cache
def _files(module: str) -> list[Path]:
    """Return the files that run when a module, or a name of a module, is imported; none for what is not ours."""
    parts = module.split(".")
    if parts[0] != PACKAGE.name:
        return []
    places = [ROOT.joinpath(*parts[:end]) for end in range(1, len(parts) + 1)]
    return [file for place in places for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file()]


@cache
def _data() -> list[Path]:
    return sorted(
        file
        for file in PACKAGE.rglob("*")
        if file.is_file() and file.suffix != ".py" and "__pycache__" not in file.parts
    )


@cache
def _installed() -> list[str]:
    # Those of the environment: what a test puts on the path besides is not what a notebook computes with.
    environment = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    return sorted({f"{one.metadata['Name']} {one.version}" for one in distributions(path=environment)})


class PassedNotebooks:
    """A plugin of pytest that keeps the record, and leaves out what stands in it.

    Args:
        config: of a run. A worker leaves out what the process says that has started it.
    """

    def __init__(self, config: pytest.Config) -> None:
        worker: dict | None = getattr(config, "workerinput", None)
        self._record = config.rootpath / ".cache" / "passed_notebooks"
        self._waiting: dict[Path, set[str]] = {}  # the cells of each notebook that have not passed yet
        self._fingerprints: dict[Path, str] = {}
        self._left_out: list[str] = []
        if worker is not None:
            self._left_out = worker["notebooks left out"]
        elif config.getoption("--leave-out-passed") and not (config.getoption("--exhaustive") or os.environ.get("CI")):
            notebooks = sorted((config.rootpath / "notebooks").glob("*.ipynb"))
            self._left_out = [path.stem for path in notebooks if self._has_passed(path)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node) -> None:
        """Tell a worker what to leave out: all workers have to collect the same."""
        node.workerinput["notebooks left out"] = self._left_out

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out what has passed."""
        return (collection_path.suffix == ".ipynb" and collection_path.stem in self._left_out) or None

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Wait for each cell of a notebook, also for one that is left out of this run."""
        if item.path.suffix == ".ipynb":
            self._waiting.setdefault(item.path, set()).add(item.nodeid)
            if item.path not in self._fingerprints:  # before it runs: what changes meanwhile has not passed
                self._fingerprints[item.path] = fingerprint(item.path)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo):
        """Write a notebook down when the last of its cells has passed."""
        report = yield
        waiting = self._waiting.get(item.path)
        if (
            waiting
            and report.when == "call"
            and (report.passed or (report.skipped and not hasattr(report, "wasxfail")))
        ):
            waiting.discard(item.nodeid)
            if not waiting:
                self._record.mkdir(parents=True, exist_ok=True)
                (self._record / item.path.stem).write_text(self._fingerprints[item.path])
        return report

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out and why."""
        if self._left_out:
            terminalreporter.section("notebooks left out")
            terminalreporter.write_line(
                f"{len(self._left_out)} passed on this machine, and nothing that they compute with has changed since "
                f"(make test FRESH=1 executes all): {', '.join(self._left_out)}"
            )

    def _has_passed(self, notebook: Path) -> bool:
        record = self._record / notebook.stem
        return record.is_file() and record.read_text() == fingerprint(notebook)

"""Leaves a notebook out of `make test` that has passed on this machine, until something that it computes with changes.

That is the notebook itself, the modules of the course that it imports, over however many others, with the data files
of their rooms, what is installed, Python and the device. Continuous integration and `--exhaustive` leave nothing out.

`progress()` reads the points of every exercise, also of those that the notebook does not name. Their files do not
count: nbval does not compare what it shows.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tools.computes_with import PACKAGE, ROOT, code_of, computes_with


def fingerprint(notebook: Path) -> str:
    """Return a digest of everything that decides what a notebook shows.

    Args:
        notebook: its file.
    """
    files = sorted(computes_with(code_of(notebook)))
    rooms = {file.relative_to(PACKAGE).parts[0] for file in files}
    data = [file for file in _data() if file.relative_to(PACKAGE).parts[0] in rooms]
    digest = sha256(
        repr((sys.version, sys.platform, installed(), os.environ.get("COURSE_ATTENTION_DEVICE", "cpu"))).encode()
    )
    for file in (notebook, ROOT / "conftest.py", *files, *data):
        digest.update(file.relative_to(file.anchor).as_posix().encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()


@cache
def _data() -> list[Path]:
    return sorted(
        file
        for file in PACKAGE.rglob("*")
        if file.is_file() and file.suffix != ".py" and "__pycache__" not in file.parts
    )


@cache
def installed() -> list[str]:
    """Return the name and version of each distribution in the environment."""
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

"""Leaves a file out of `make test` that has passed on this machine, until something that decides over it changes.

`fingerprint` says what that is. Continuous integration and `--exhaustive` leave nothing out.
"""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.passed.fingerprint import fingerprint, look_again

# Options of pytest that leave out some of a file's tests.
_CHOOSE = ("keyword", "markexpr", "lf", "deselect", "stepwise")


class PassedFiles:
    """A plugin of pytest that keeps the record, and leaves out what stands in it.

    The process that shares the tests out hears of each, so it keeps the record. A worker leaves out what it is told.

    Args:
        config: of a run.
    """

    def __init__(self, config: pytest.Config) -> None:
        worker: dict | None = getattr(config, "workerinput", None)
        self._root = config.rootpath
        self._record = config.rootpath / ".cache" / "passed"
        self._keeps = worker is None and not _chosen(config)
        self._before: dict[str, str] = {}  # the fingerprint of each file that is tested, before its tests run
        self._waiting: dict[str, set[str]] = defaultdict(set)  # the tests of a file that have not passed yet
        self._left_out: list[str] = []
        if worker is not None:
            self._left_out = worker["passed files"]
        elif config.getoption("--leave-out-passed") and not (config.getoption("--exhaustive") or os.environ.get("CI")):
            self._left_out = [name for name in self._recorded() if self._has_passed(name)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node) -> None:
        """Tell a worker what to leave out: all workers have to collect the same."""
        node.workerinput["passed files"] = self._left_out

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out what has passed."""
        if not collection_path.is_relative_to(self._root):
            return None
        return collection_path.relative_to(self._root).as_posix() in self._left_out or None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Wait for each test of a run without workers."""
        self._wait_for([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids: Sequence[str]) -> None:
        """Wait for each test that the workers have found."""
        self._wait_for(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Stop waiting for a test that is through, if no step of it has failed."""
        file = report.nodeid.partition("::")[0]
        if report.failed or hasattr(report, "wasxfail"):
            self._before.pop(file, None)
        elif report.when == "teardown":
            self._waiting[file].discard(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write down which files have passed. A run from which all was left out has succeeded."""
        if self._left_out and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK
        look_again()
        for name, before in self._before.items():
            if not self._waiting[name] and before == self._fingerprint(name):  # else it has changed meanwhile
                record = self._record / name
                record.parent.mkdir(parents=True, exist_ok=True)
                record.write_text(before)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out and why."""
        if self._left_out:
            terminalreporter.section("left out")
            terminalreporter.write_line(
                f"{len(self._left_out)} files passed on this machine, and nothing that decides over them has changed "
                f"since (make test FRESH=1 runs all): {', '.join(_by_folder(self._left_out))}"
            )

    def _recorded(self) -> list[str]:
        files = sorted(path for path in self._record.rglob("*") if path.is_file())
        return [path.relative_to(self._record).as_posix() for path in files]

    def _has_passed(self, name: str) -> bool:
        return (self._root / name).is_file() and (self._record / name).read_text() == self._fingerprint(name)

    def _wait_for(self, tests: Sequence[str]) -> None:
        if not self._keeps or self._before:
            return
        for test in tests:
            self._waiting[test.partition("::")[0]].add(test)
        self._before = {name: found for name in self._waiting if (found := self._fingerprint(name))}

    def _fingerprint(self, name: str) -> str:
        """Return a file's fingerprint; "" where there is none, as there is no git."""
        try:
            return fingerprint(self._root / name)
        except (OSError, subprocess.CalledProcessError):
            return ""


def _chosen(config: pytest.Config) -> bool:
    """Whether a run may hold a part of a file's tests, so that it cannot say of a file that it passes."""
    return any("::" in argument for argument in config.args) or any(
        config.getoption(option, default=None) for option in _CHOOSE
    )


def _by_folder(names: Sequence[str]) -> list[str]:
    """Return each notebook's name, and for each room of tests how many files of it there are."""
    count: dict[str, int] = defaultdict(int)
    for name in names:
        folder, _, file = name.rpartition("/")
        room = "/".join(folder.split("/")[:2])
        count[file.removesuffix(".ipynb") if file.endswith(".ipynb") else f"{room} (%d)"] += 1
    return [name % number if "%d" in name else name for name, number in count.items()]

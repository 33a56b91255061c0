"""Leaves a file out of `make test` that has passed on this machine, until something that decides over it changes.

`fingerprint` says what that is. In some folders, the tests of a file that are about one exercise are left out by
themselves, as a part of the file. Continuous integration and `--exhaustive` leave nothing out.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.passed.fingerprint import fingerprint, look_again, task_of

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
        self._before: dict[str, str] = {}  # the fingerprint of each file or part that is tested, before its tests run
        self._waiting: dict[str, set[str]] = defaultdict(set)  # the tests of a file or part that have not passed yet
        self._left_out: list[str] = []  # files and parts
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

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out the parts of files that have passed."""
        passed = {*self._left_out}
        kept: list[pytest.Item] = []
        left_out: list[pytest.Item] = []
        for item in items:
            (left_out if _part(item.nodeid) in passed else kept).append(item)
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept

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
        part = _part(report.nodeid)
        if report.failed or hasattr(report, "wasxfail"):
            self._before.pop(part, None)
        elif report.when == "teardown":
            self._waiting[part].discard(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write down which files have passed. A run from which all was left out has succeeded."""
        if self._left_out and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK
        look_again()
        passed = {part for part in self._before if not self._waiting[part]}
        passed = {part for part in passed if self._before[part] == self._fingerprint(part)}  # else it changed meanwhile
        passed -= {_file(part) for part in self._waiting.keys() - passed}  # a file passes with all of its parts
        for part in passed:
            record = self._record / part
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(self._before[part])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out and why."""
        if not self._left_out:
            return
        files = {part for part in self._left_out if part == _file(part)}
        of_tasks = Counter(_file(part) for part in self._left_out if _file(part) not in files)
        terminalreporter.section("left out")
        terminalreporter.write_line(
            f"{len(files)} files passed on this machine, and nothing that decides over them has changed since "
            f"(make test FRESH=1 runs all): {', '.join(_by_folder(sorted(files)))}"
        )
        for file, number in sorted(of_tasks.items()):
            terminalreporter.write_line(f"{file}: the same, the tests of {number} exercises or tasks of practice")

    def _recorded(self) -> list[str]:
        files = sorted(path for path in self._record.rglob("*") if path.is_file())
        return [path.relative_to(self._record).as_posix() for path in files]

    def _has_passed(self, part: str) -> bool:
        return (self._root / _file(part)).is_file() and (self._record / part).read_text() == self._fingerprint(part)

    def _wait_for(self, tests: Sequence[str]) -> None:
        if not self._keeps or self._before:
            return
        for test in tests:
            self._waiting[_part(test)].add(test)
            self._waiting.setdefault(_file(test), set())  # empty where each of its tests belongs to a part
        self._before = {part: found for part in self._waiting if (found := self._fingerprint(part))}

    def _fingerprint(self, part: str) -> str:
        """Return the fingerprint of a file or a part; "" where there is none, as there is no git."""
        try:
            return fingerprint(self._root / _file(part), task_of(part))
        except (OSError, subprocess.CalledProcessError):
            return ""


def _part(test: str) -> str:
    """Return the part of a file that a test belongs to: the file and its exercise, or the file alone.

    Example:
        >>> _part("tests/mutants/test_mutants.py::test_changes[softmax-2]"), _part("tests/test_cli.py::test_help")
        ('tests/mutants/test_mutants.py[softmax]', 'tests/test_cli.py')
    """
    task = task_of(test)
    return f"{_file(test)}[{task}]" if task else _file(test)


def _file(name: str) -> str:
    """Return the file of a test or of a part."""
    return name.partition("::")[0].partition("[")[0]


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

"""At the end of a long run: which files took the time. Who wants to make the tests faster begins there."""

from __future__ import annotations

from collections import Counter

import pytest

LONG = 300.0  # seconds, all workers together
SHOWN = 20


class TimeByFile:
    """Adds up what the tests of each file took, their fixtures included."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one phase of a test; with xdist, the process that shares out the tests hears of each."""
        self.seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the files that took longest."""
        whole = self.seconds.total()
        if whole < LONG:
            return
        terminalreporter.section("where the time went")
        for name, seconds in self.seconds.most_common(SHOWN):
            terminalreporter.line(f"{seconds:6.0f} s {seconds / whole:4.0%}  {name}")

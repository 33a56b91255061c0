"""Keeps coverage.py's measurement of a test process whole, in `make coverage`.

CPython takes a tracer away for good where the tracer itself meets an error: that happens at the end of the stack or of
the memory, to which some answers of the corpus go. And pytest-xdist may kill a worker before its exit handlers, with
which coverage.py would write down what ran, are through.
"""

from __future__ import annotations

import sys

import pytest
from coverage import Coverage


class MeasurementKept:
    """A plugin of pytest that starts the tracer again where a test has lost it, and saves before the process ends."""

    def __init__(self) -> None:
        # Otherwise the interpreter itself counts, and nothing can be lost.
        self._traces = sys.gettrace() is not None

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Trace on after a test that has lost the tracer."""
        measurement = Coverage.current()
        if measurement is not None and self._traces and sys.gettrace() is None:
            measurement.stop()
            measurement.start()

    def pytest_sessionfinish(self) -> None:
        """Write down what ran."""
        if (measurement := Coverage.current()) is not None:
            measurement.save()

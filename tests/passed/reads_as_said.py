"""Fails a test that reads more of the project than `fingerprint.READS` says: it would be left out too often.

What a process reads that a test starts is not seen, nor what a test before it has read and kept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from tests.passed.fingerprint import ROOT, folder_of, may_read

_NOT_OF_THE_PROJECT = (".git", ".venv", ".cache", ".pytest_cache", ".hypothesis")
_ROOT = f"{ROOT}{os.sep}"


class ReadsAsSaid:
    """A plugin of pytest that hears of each file that is opened."""

    def __init__(self) -> None:
        self._allowed: tuple[str, ...] = ()  # none while no test of a folder in the table runs
        self._found: set[str] = set()
        sys.addaudithook(self._heard)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Listen while a test runs."""
        folder = folder_of(item.path) if item.path.suffix == ".py" and item.path.is_relative_to(ROOT) else None
        self._found = set()
        self._allowed = (f"tests{os.sep}__pycache__", *may_read(folder)) if folder else ()
        try:
            return (yield)
        finally:
            self._allowed = ()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        """Fail the test."""
        yield
        found, self._found = self._found, set()
        if found:
            raise AssertionError(
                f"tests/passed/fingerprint.py says that tests in {folder_of(item.path)} do not read {sorted(found)}"
            )

    def _heard(self, event: str, arguments: tuple) -> None:
        if event != "open" or not self._allowed or not isinstance(arguments[0], str):
            return
        if (path := arguments[0]).startswith(_ROOT):
            name = path.removeprefix(_ROOT)
            if not name.startswith((*_NOT_OF_THE_PROJECT, *self._allowed)) and os.path.dirname(name) != "tests":
                self._found.add(name)

"""What pytest needs outside of tests/ too: to compare the notebooks with their saved outputs, and to close figures."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count the notebooks' cells: nbval takes a saved cell without an execution count for one that never ran."""
    for item in items:
        if (cell := getattr(item, "cell", None)) is not None:
            cell.execution_count = 1


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    """Close what a test, or an example in a docstring, has drawn: more than twenty open figures are warned of."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")

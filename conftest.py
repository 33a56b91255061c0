"""What pytest needs to compare the notebooks with their saved outputs."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count the notebooks' cells: nbval takes a saved cell without an execution count for one that never ran."""
    for item in items:
        if (cell := getattr(item, "cell", None)) is not None:
            cell.execution_count = 1

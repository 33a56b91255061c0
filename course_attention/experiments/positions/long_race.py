"""The long race of notebook 06: what `tools/long_runs/race.py` measured, in arrays."""

from typing import Any

import numpy as np

from course_attention.experiments.common.long_runs import long_run

LENGTHS = np.array([32, 64, 128, 256])  # lines of the tests


def at_best_rates(question: str) -> dict[str, np.ndarray]:
    """Accuracies of each reader at its best learning rate: reader → `(n_seeds, n_lengths)`.

    The best rate is the one that more than one seed has; it had the lowest loss on books of 32 lines.

    Args:
        question: one of `log_book.QUESTIONS`.
    """
    rows = _rows(question)
    readers = dict.fromkeys(row["reader"] for row in rows if not row["variant"])
    return {name: _accuracies(_chosen(rows, name)) for name in readers}


def first_seeds(question: str, reader: str) -> dict[tuple[float, float], list[float]]:
    """Accuracies of a reader's first seed at each learning rate: (rate, rate of the table) → one for each length."""
    rows = [row for row in _rows(question) if row["reader"] == reader and not row["variant"] and row["seed"] == 0]
    return {(row["rate"], round(row["rate"] * row["table_factor"], 6)): row["accuracy"] for row in rows}


def variants(question: str, reader: str) -> dict[str, np.ndarray]:
    """Accuracies of a reader with other settings, such as another base: setting → `(n_seeds, n_lengths)`."""
    rows = [row for row in _rows(question) if row["reader"] == reader]
    names = dict.fromkeys(row["variant"] for row in rows if row["variant"])
    return {name: _accuracies([row for row in rows if row["variant"] == name]) for name in names}


def _rows(question: str) -> list[dict[str, Any]]:
    return [row for row in long_run("positions", "race") if row["question"] == question]


def _chosen(rows: list[dict[str, Any]], reader: str) -> list[dict[str, Any]]:
    """Return the rows of a reader at the rate that has most seeds."""
    mine = [row for row in rows if row["reader"] == reader and not row["variant"]]

    def seeds(row: dict[str, Any]) -> int:
        return sum((one["rate"], one["table_factor"]) == (row["rate"], row["table_factor"]) for one in mine)

    most = max(map(seeds, mine))
    return [row for row in mine if seeds(row) == most]


def _accuracies(rows: list[dict[str, Any]]) -> np.ndarray:
    return np.array([row["accuracy"] for row in sorted(rows, key=lambda row: row["seed"])])

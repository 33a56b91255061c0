"""Keeps the rows of a long run as package data, whole after each row, so that a run that was stopped goes on."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch

EXPERIMENTS = Path(__file__).resolve().parents[2] / "course_attention" / "experiments"


class Store:
    """The file of one script's figures.

    Args:
        topic: whose experiments it belongs to.
        script: the script's own `__file__`; the file of figures has its name.
        settings: the keys of a row that say what was set. No two rows agree in all of them.
        folder: where the topics' folders are.

    Example:
        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> store = Store("", "race.py", ("rate", "seed"), folder=Path(folder.name))
        >>> store.has(rate=0.1, seed=0)
        False
        >>> store.add(rate=0.1, seed=0, accuracy=0.93)
        >>> Store("", "race.py", ("rate", "seed"), folder=Path(folder.name)).has(rate=0.1, seed=0)
        True
        >>> folder.cleanup()
    """

    def __init__(self, topic: str, script: str, settings: tuple[str, ...], folder: Path = EXPERIMENTS) -> None:
        self.script, self.settings = Path(script), settings
        self.file = folder / topic / f"{self.script.stem}.json"
        self.rows: list[dict[str, Any]] = json.loads(self.file.read_text())["rows"] if self.file.exists() else []

    def has(self, **settings: Any) -> bool:
        """Whether this has been run."""
        return any(all(row[key] == settings[key] for key in self.settings) for row in self.rows)

    def missing(self, settings: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield each of these settings that has not been run, when its turn comes.

        So what a later one is may depend on the row of an earlier one, and what comes again is not run again.

        Args:
            settings: each with a value for each of the store's settings. What else it says plays no part.

        Example:
            >>> store = Store("", "race.py", ("rate", "seed"), folder=Path("nowhere"))
            >>> store.rows = [{"rate": 0.1, "seed": 0, "accuracy": 0.93}]
            >>> list(store.missing({"rate": 0.1, "seed": seed} for seed in (0, 1)))
            [{'rate': 0.1, 'seed': 1}]
        """
        return (one for one in settings if not self.has(**one))

    def add(self, **row: Any) -> None:
        """Write one more row; one with the same settings is replaced."""
        same = [all(old[key] == row[key] for key in self.settings) for old in self.rows]
        self.rows = [old for old, is_same in zip(self.rows, same, strict=True) if not is_same] + [row]
        data = {
            "script": f"tools/long_runs/{self.script.name}",
            "made_with": {"Python": platform.python_version(), "torch": torch.__version__},
            "rows": self.rows,
        }
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        os.replace(part, self.file)

"""The results of the measurement as a page."""

from __future__ import annotations

import json
from pathlib import Path

RESULTS = Path("artifacts/mutants")


def write(path: Path) -> None:
    """Write the page from the results that are saved."""
    path.write_text("")

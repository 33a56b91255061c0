"""One headless Chromium for all tests that open one, the course's notebooks' and the site's."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",  # a container's root has no sandbox of its own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 30_000  # milliseconds for whatever a page has to show


def missing(*modules: str) -> str | None:
    """Return what a test in the browser lacks here, or None. In CI nothing may be missing, so nothing is left out.

    Args:
        modules: what it needs beside playwright.
    """
    if os.environ.get("CI", "").lower() == "true":
        return None
    for module in (*modules, "playwright"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed: pip install course-attention[lab,dev]"
    return None if Path(CHROMIUM).exists() else f"no {CHROMIUM}: apt install chromium"


@contextmanager
def started() -> Iterator[object]:
    """Start the browser. Playwright allows one at a time in a process, so tests/conftest.py does it for all."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()

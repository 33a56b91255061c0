"""A fresh session for each test of the lesson, outside any workspace, and what its cells display."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import course_attention.lesson  # noqa: F401 - loads the modules below
from course_attention.lesson import defences, reviews
from course_attention.lesson.records import Records
from course_attention.presentation.display import Bundle

# Each function hides its module's name in the package, so the modules are taken by their full names.
CHECK, CHOICE, DEFEND, HINTS, LOOK_BACK, PROGRESS, REVIEW, SOLUTION, WATCH = (
    sys.modules[f"course_attention.lesson.{name}"]
    for name in ("check", "choice", "defend", "hints", "look_back", "progress", "review", "solution", "watch")
)


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing checked, no hint given, the CPU, and an empty current folder."""
    monkeypatch.setattr(CHECK, "_last", {})
    monkeypatch.setattr(CHECK, "_lent", {})
    monkeypatch.setattr(HINTS, "_given", {})
    monkeypatch.setattr(PROGRESS, "_records", Records())
    monkeypatch.setattr(defences, "_memory", {})
    monkeypatch.setattr(reviews, "_memory", {})
    monkeypatch.setenv("COURSE_ATTENTION_DEVICE", "cpu")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def when_looping(shown: list[Bundle]) -> Callable[[int, Callable[[], object]], threading.Thread]:
    """Do something as soon as so many cards have named a `while`, however long the check takes to come to it."""

    def start(cards: int, do: Callable[[], object]) -> threading.Thread:
        def look() -> None:
            while sum("while" in bundle.text for bundle in list(shown)) < cards:
                time.sleep(0.01)
            do()

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        return looking

    return start


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Bundle]:
    """Return what the lesson has displayed so far."""
    bundles: list[Bundle] = []
    for module in (CHECK, CHOICE, DEFEND, HINTS, LOOK_BACK, PROGRESS, REVIEW, SOLUTION, WATCH):
        monkeypatch.setattr(module, "show", lambda bundle, _earlier=None: bundles.append(bundle))
    return bundles

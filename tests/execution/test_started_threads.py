"""Whatever starts a thread, the thread runs within the context."""

from __future__ import annotations

import _thread
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from course_attention.execution.started_threads import started_within

STARTS = ["start_new_thread", "start_new", "start_joinable_thread"]


def test_high_level() -> None:
    """Threads and pools of threads do."""
    inside = threading.local()
    within = started_within(lambda: contextlib.nullcontext(setattr(inside, "yes", True)))
    with within, ThreadPoolExecutor(1) as pool:
        assert pool.submit(getattr, inside, "yes", False).result()
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(getattr, inside, "yes", False).result()


@pytest.mark.parametrize("name", STARTS)
def test_low_level(name: str) -> None:
    """So do those that `_thread` starts, under each of its names."""
    if not hasattr(_thread, name):
        pytest.skip(f"this Python has no {name}")
    said: list[str] = []
    ended = threading.Event()
    with started_within(lambda: contextlib.nullcontext(said.append("begins"))):
        arguments = () if name == "start_joinable_thread" else ((),)
        getattr(_thread, name)(ended.set, *arguments)
        assert ended.wait(10)
    assert said == ["begins"]


def test_every_start_is_known() -> None:
    """A newer Python may have other functions that start threads."""
    known = {"start_new_thread", "start_new", "start_joinable_thread"}
    assert {name for name in dir(_thread) if name.startswith("start")} <= known

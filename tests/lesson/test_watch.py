"""A check that takes long: where it is, and what comes of it when it is stopped."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

import course_attention
from course_attention.lesson import check, points
from tests.lesson.conftest import WATCH


def softmax(scores, axis=-1):
    """An answer that does not end before somebody stops it."""
    print("scores of shape", np.shape(scores))
    total = 0
    while total < 1:
        for _ in range(3):
            total = total * 2
    return scores / total


def sleepy(scores, axis=-1):
    """A right answer that takes its time, once."""
    while not slept:
        time.sleep(0.2)
        slept.append(True)
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


slept: list[bool] = []


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, as in a kernel; what a shell starts in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.timeout(60)
@pytest.mark.usefixtures("interruptible")
def test_endless(shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card says at which loop it is, again and again; stopped, a last one says the same, with what was printed."""
    monkeypatch.setattr(WATCH, "SECONDS", 0.1)
    before = set(threading.enumerate())
    stop = threading.Timer(0.5, _thread.interrupt_main)
    stop.start()
    assert check(softmax) is course_attention.softmax
    *running, last = (" ".join(bundle.text.split()) for bundle in shown)
    assert len(running) > 1
    assert all("is still running at `while total < 1:`" in text for text in running)
    assert "You stopped `softmax` at `while total < 1:`" in last
    assert "scores of shape" in shown[-1].html
    assert points("softmax") == 0.0
    assert set(threading.enumerate()) - before - {stop} == set()


def test_slow(shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow answer is judged when it ends."""
    monkeypatch.setattr(WATCH, "SECONDS", 0.05)
    assert check(sleepy, "softmax") is sleepy
    assert "time.sleep" not in shown[0].text  # the head of the loop, not the line in it
    assert "while not slept:" in shown[0].text
    assert "✓ passed" in shown[-1].text


def test_quick(shown) -> None:
    """A check that ends in time shows its verdict and nothing else."""
    check(sleepy, "softmax")
    assert len(shown) == 1

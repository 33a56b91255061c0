"""A check that takes long: where it is, and what comes of it when it is stopped."""

from __future__ import annotations

import _thread
import threading
import time

import numpy as np
import pytest

import course_attention
from course_attention.lesson import check, points
from tests.lesson.conftest import WATCH


def softmax(scores, axis=-1):
    """Return an answer that does not end before somebody stops it."""
    print("scores of shape", np.shape(scores))
    total = 0
    while total < 1:
        for _ in range(3):
            total = total * 2
    return scores / total


def sleepy(scores, axis=-1):
    """Return a right answer that takes its time, until it is told to go on."""
    while not go_on.is_set():
        time.sleep(0.05)
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


go_on = threading.Event()


@pytest.mark.timeout(60)
@pytest.mark.usefixtures("interruptible")
def test_endless(shown, when_looping, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card says at which loop it is, again and again; stopped, a last one says the same, with what was printed."""
    monkeypatch.setattr(WATCH, "SECONDS", 0.1)
    before = set(threading.enumerate())
    stop = when_looping(2, _thread.interrupt_main)
    assert check(softmax) is course_attention.softmax
    *running, last = (" ".join(bundle.text.split()) for bundle in shown)
    looping = [text for text in running if " at `" in text]  # a slow machine may be slow before the loop, too
    assert len(looping) > 1
    assert all("is still running at `while total < 1:`" in text for text in looping)
    assert all("the condition of the loop" in text for text in looping)
    assert "You stopped `softmax` at `while total < 1:`" in last
    assert "scores of shape" in shown[-1].html
    assert points("softmax") == 0.0
    assert set(threading.enumerate()) - before - {stop} == set()


def test_slow(shown, when_looping, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow answer is judged when it ends."""
    monkeypatch.setattr(WATCH, "SECONDS", 0.05)
    go_on.clear()
    when_looping(1, go_on.set)
    assert check(sleepy, "softmax") is sleepy
    said = " ".join(" ".join(bundle.text for bundle in shown).split())
    assert "time.sleep" not in said  # the head of the loop, not the line in it
    assert "still running at `while not go_on.is_set():`" in said
    assert "✓ passed" in shown[-1].text


def slow_once(scores, axis=-1):
    """Return a right answer that takes its time in the first call, in a loop that ends by itself."""
    for _ in range(0 if go_on.is_set() else 40):
        time.sleep(0.05)
    go_on.set()
    return sleepy(scores, axis)


@pytest.mark.timeout(60)
def test_slow_without_while(shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no `while` runs, the card does not speak of its condition."""
    monkeypatch.setattr(WATCH, "SECONDS", 0.05)
    go_on.clear()
    check(slow_once, "softmax")
    looping = [" ".join(bundle.text.split()) for bundle in shown if "at `for _" in bundle.text]
    assert looping and all("the computer busy" in text and "the condition of the loop" not in text for text in looping)


def test_quick(shown) -> None:
    """A check that ends in time shows its verdict and nothing else."""
    go_on.set()
    check(sleepy, "softmax")
    assert len(shown) == 1

"""A function that is not judged is used where it works; otherwise a line says why it is not."""

from __future__ import annotations

import _thread
import time

import pytest
from torch import nn

from course_attention.lesson import usable
from tests.lesson.conftest import WATCH


def ours(x):
    return x + 1


def right(x):
    return 1 + x


def wrong(x):
    return x


def unwritten(x):
    raise NotImplementedError


def broken(x):
    raise KeyError(x)


def calls_a_list(x):
    return nn.ModuleList([nn.Identity()])(x)


def waits(seconds):
    time.sleep(seconds)


def endless(x):
    found = x
    while found == x:
        waits(0.01)
    return found


def adds_one(function) -> bool:
    return function(1) == 2


@pytest.mark.parametrize(
    ("yours", "used", "said"),
    [
        (right, right, "Your right does what it should."),
        (wrong, ours, "Your wrong gives another result than it should."),
        (unwritten, ours, "Your unwritten is still to be written."),
        (broken, ours, "Your broken raised KeyError: 1."),
        (calls_a_list, ours, "Your calls_a_list raised NotImplementedError: Module [ModuleList]"),
    ],
)
def test_which_is_used(yours, used, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Theirs where it works; ours where it is wrong, missing, or raises."""
    assert usable(yours, ours, adds_one) is used
    assert capsys.readouterr().out.startswith(said)


def test_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """A test that knows what is wrong says it."""
    assert usable(right, ours, lambda function: "takes 9 steps where 4 are enough") is ours
    assert "Your right takes 9 steps where 4 are enough. The notebook" in capsys.readouterr().out


def test_a_second_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the notebook's own was handed back before, nobody reads that it is theirs."""
    assert usable(usable(wrong, ours, adds_one), ours, adds_one) is ours
    assert capsys.readouterr().out.splitlines()[-1].startswith("The notebook already goes on with its own.")


@pytest.mark.timeout(60)
@pytest.mark.usefixtures("interruptible")
def test_endless(shown, when_looping, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A card names the loop, not what it calls; where it is stopped, the notebook goes on with its own."""
    monkeypatch.setattr(WATCH, "SECONDS", 0.1)
    when_looping(1, _thread.interrupt_main)
    assert usable(endless, ours, adds_one) is ours
    *running, last = (" ".join(bundle.text.split()) for bundle in shown)
    looping = [text for text in running if " at `" in text]
    assert looping and all("`endless` is still running at `while found == x:`" in text for text in looping)
    assert "You stopped `endless` at `while found == x:`" in last
    assert capsys.readouterr().out == ""

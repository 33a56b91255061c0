"""A sandbox that dies while it is asked for a session: another one is started, and nothing of the first stays open."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from course_attention.course.cells import course_notebook
from course_attention.grading.sandbox.channel import Channel, ChannelClosed
from course_attention.grading.sandbox.notebook_setup import notebook_setup
from course_attention.grading.sandbox.sandbox import Sandbox
from tests.grading.conftest import FIRST


def test_first_try_closes_its_sockets(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sockets of the session that did not begin are closed at once, and not by the collector some day."""
    setup = notebook_setup(course_notebook(FIRST))
    with sandbox.open(setup):
        pass
    made: list[socket.socket] = []
    tries: list[Any] = []
    pair, send = socket.socketpair, Channel.send

    def kept() -> tuple[socket.socket, socket.socket]:
        made.extend(two := pair())
        return two

    def first_fails(self: Channel, message: Any, seconds: float | None = None) -> None:
        tries.append(message)
        if len(tries) == 1:
            raise ChannelClosed
        send(self, message, seconds)

    monkeypatch.setattr(socket, "socketpair", kept)
    monkeypatch.setattr(Channel, "send", first_fails)
    with sandbox.open(setup):
        assert len(tries) == 2
        assert [one.fileno() for one in made[:4]] == [-1] * 4  # the channel and the status, two ends each

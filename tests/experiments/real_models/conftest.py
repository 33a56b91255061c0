"""What these tests share: nothing reaches the network, and a function is called as the library calls it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.refused_sockets import refuse


@pytest.fixture(autouse=True)
def attempts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Refuse every connection; a test in which one was tried fails."""
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, getattr(socket.socket, name))  # undone afterwards
    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, getattr(socket, name))
    tried: list[str] = []
    refuse(tried)
    yield tried
    assert tried == []


@pytest.fixture
def register() -> Callable[..., list[str]]:
    """Return a function that registers attention under a name; what it returns counts the calls."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    def registered(name: str, function: Callable[..., Any], masked: bool = True) -> list[str]:
        calls: list[str] = []

        def called(module, query, key, value, attention_mask, scaling=None, s_aux=None, **others):
            calls.append(type(module).__name__)
            scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
            return function(query, key, value, attention_mask, scaling, s_aux)

        AttentionInterface.register(name, called)
        if masked:
            AttentionMaskInterface.register(name, eager_mask)
        return calls

    return registered

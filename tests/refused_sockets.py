"""No connection leaves this process: each attempt is refused, and remembered."""

from __future__ import annotations

import socket
from typing import Any


class ConnectionRefused(AssertionError):
    """Something tried to reach the network."""


def refuse(attempts: list[str]) -> None:
    """Refuse every connection and every look-up of a name from now on, in this process.

    Args:
        attempts: gets a line for each.
    """

    def refused(what: str) -> Any:
        def call(*given: Any, **named: Any) -> None:
            attempts.append(f"{what}{given[-1:]}")
            raise ConnectionRefused(attempts[-1])

        return call

    socket.socket.connect = refused("connect")  # type: ignore[method-assign]
    socket.socket.connect_ex = refused("connect_ex")  # type: ignore[method-assign]
    socket.create_connection = refused("create_connection")  # type: ignore[assignment]
    socket.getaddrinfo = refused("getaddrinfo")

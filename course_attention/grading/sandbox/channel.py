"""Carries messages between the judge and a sandboxed worker: plain data and arrays of numbers, nothing executable.

A message is a frame: two lengths, a JSON text, and the bytes of its arrays. The reader trusts nothing in it. It refuses
what is too long or too deep, has too many arrays, or has the wrong form.
"""

import json
import math
import socket
import struct
from typing import Any

import numpy as np

from course_attention.grading.sandbox.running_time import now

_LENGTHS = struct.Struct("!II")
_DTYPES = {"f": np.dtype("<f8"), "i": np.dtype("<i8"), "b": np.dtype("|b1"), "u": np.dtype("|u1")}
_ARRAY = "array"  # the one key of a JSON object that stands for an array

MAX_TEXT = 4 * 2**20
MAX_VALUES = 1_000_000  # lists and elements in the text; each takes a hundred bytes when it is read
MAX_BYTES = 64 * 2**20
MAX_ARRAYS = 500
MAX_DEPTH = 12
MAX_AXES = 16


class ChannelClosed(Exception):
    """The other side is gone."""


class TooLate(Exception):
    """No whole message came in time."""


class Refused(Exception):
    """What came is not a message, or too much of one."""


class Channel:
    """One end of a stream of messages.

    Args:
        stream: a connected stream socket; the channel owns it.
        most_arrays: how many arrays a message may hold that comes.

    Example:
        >>> here, there = socket.socketpair()
        >>> Channel(here).send({"do": "add", "numbers": np.arange(2.0)})
        >>> Channel(there).receive(seconds=1.0)
        {'do': 'add', 'numbers': array([0., 1.])}
        >>> here.close()
        >>> there.close()
    """

    def __init__(self, stream: socket.socket, most_arrays: int = MAX_ARRAYS) -> None:
        self._stream, self._most_arrays = stream, most_arrays

    def send(self, message: Any, seconds: float | None = None) -> None:
        """Send one message.

        Raises:
            ChannelClosed, TooLate: the other side is gone, or does not read.
            TypeError: the message holds what cannot be sent.
        """
        arrays: list[bytes] = []
        text = json.dumps(_packed(message, arrays)).encode()
        body = b"".join(arrays)
        self._stream.settimeout(seconds)
        try:
            self._stream.sendall(_LENGTHS.pack(len(text), len(body)) + text + body)
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise ChannelClosed from None

    def receive(self, seconds: float | None = None) -> Any:
        """Receive one message.

        Raises:
            ChannelClosed, TooLate: nothing more comes, or not in time.
            Refused: what came is not a message.
        """
        deadline = None if seconds is None else now() + seconds
        n_text, n_bytes = _LENGTHS.unpack(self._exactly(_LENGTHS.size, deadline))
        if n_text > MAX_TEXT or n_bytes > MAX_BYTES:
            raise Refused(f"a message of {n_text + n_bytes} bytes")
        message = self._exactly(n_text + n_bytes, deadline)
        text, body = message[:n_text], memoryview(message)[n_text:]  # a view: the arrays are not copied
        try:
            if sum(text.count(mark) for mark in (b",", b"[", b"{")) > MAX_VALUES:
                raise ValueError("too many values")
            plain = json.loads(text)
            return _unpacked(plain, body, [self._most_arrays], MAX_DEPTH)
        except (ValueError, TypeError, KeyError, RecursionError, MemoryError, OverflowError) as error:
            raise Refused(f"a message that cannot be read: {type(error).__name__}") from None

    def _exactly(self, n_bytes: int, deadline: float | None) -> bytearray:
        found = bytearray()
        while len(found) < n_bytes:
            left = None if deadline is None else deadline - now()
            if left is not None and left <= 0:
                raise TooLate
            if left is not None or self._stream.gettimeout() is not None:  # each call asks the system
                self._stream.settimeout(left)
            try:
                piece = self._stream.recv(min(n_bytes - len(found), 2**20))
            except TimeoutError:  # unless this process was stopped meanwhile, no time is left
                continue
            except OSError:
                raise ChannelClosed from None
            if not piece:
                raise ChannelClosed
            found += piece
        return found

    def close(self) -> None:
        self._stream.close()


def _packed(value: Any, arrays: list[bytes]) -> Any:
    if isinstance(value, np.ndarray):
        kind = value.dtype.kind
        wanted = _DTYPES.get(kind)
        if wanted is None or (kind == "u" and value.dtype != wanted):
            raise TypeError(f"arrays of float64, int64, bool and bytes can be sent; got {value.dtype}")
        arrays.append(np.ascontiguousarray(value, dtype=wanted).tobytes())
        return {_ARRAY: [kind, list(value.shape)]}
    if isinstance(value, dict):
        return {"of": [[key, _packed(item, arrays)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return [_packed(item, arrays) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"plain data and arrays can be sent; got {type(value).__name__}")


def _unpacked(plain: Any, body: memoryview, arrays_left: list[int], depth: int, start: list[int] | None = None) -> Any:
    start = [0] if start is None else start
    if depth < 0:
        raise ValueError("too deep")
    if isinstance(plain, list):
        return [_unpacked(item, body, arrays_left, depth - 1, start) for item in plain]
    if not isinstance(plain, dict):
        return plain
    if _ARRAY not in plain:
        (pairs,) = plain.values()
        found = {}
        for key, item in pairs:
            if not isinstance(key, str):
                raise TypeError("names are texts")
            found[key] = _unpacked(item, body, arrays_left, depth - 1, start)
        return found
    kind, shape = plain[_ARRAY]
    arrays_left[0] -= 1
    whole = all(isinstance(n, int) and 0 <= n < 2**31 for n in shape)
    if arrays_left[0] < 0 or len(shape) > MAX_AXES or not whole:
        raise ValueError("too many arrays, or a malformed shape")
    dtype, count = _DTYPES[kind], math.prod(shape)
    end = start[0] + count * dtype.itemsize
    if end > len(body):
        raise ValueError("an array longer than its data")
    array = np.frombuffer(body, dtype, count, offset=start[0]).reshape(shape).copy()
    start[0] = end
    if kind == "b":  # a byte that is neither 0 nor 1 is not a bool
        array = array.view(np.uint8) != 0
    return array

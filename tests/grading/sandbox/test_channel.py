"""Messages arrive as they were sent; what is no message is refused."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from course_attention.grading.sandbox import channel as channels
from course_attention.grading.sandbox.channel import Channel, ChannelClosed, Refused, TooLate


@pytest.fixture
def ends() -> Iterator[tuple[Channel, socket.socket]]:
    here, there = socket.socketpair()
    with here, there:
        yield Channel(here), there


def frame(text: bytes, body: bytes = b"") -> bytes:
    return struct.pack("!II", len(text), len(body)) + text + body


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ARRAYS = arrays.arrays(
    dtype=st.sampled_from([np.float64, np.int64, np.bool_]),
    shape=arrays.array_shapes(min_dims=0, min_side=0, max_dims=3),
)


@given(PLAIN, ARRAYS)
def test_arrives_as_sent(plain: object, array: np.ndarray) -> None:
    """Plain data and arrays come out as they went in; keys may be any text, "array" and "of" too."""
    here, there = socket.socketpair()
    with here, there:
        Channel(here).send({"plain": plain, "array": array, "of": {"array": 1}})
        came = Channel(there).receive(seconds=5)
    assert came["plain"] == plain and came["of"] == {"array": 1}
    assert came["array"].dtype == array.dtype
    np.testing.assert_array_equal(came["array"], array)


@pytest.mark.parametrize("value", [object(), {1, 2}, np.array(["text"]), np.array([None]), b"bytes"])
def test_plain_data_only(ends: tuple[Channel, socket.socket], value: object) -> None:
    """What is neither plain nor numbers cannot be sent."""
    with pytest.raises(TypeError):
        ends[0].send({"value": value})


@pytest.mark.parametrize(
    "sent",
    [
        frame(b"not json"),
        frame(b"\xff\xfe"),
        frame(b"[" * 100_000),
        frame(json.dumps([[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]).encode()),
        frame(b'{"array": ["f", [3]]}', b"too short"),
        frame(b'{"array": ["f", [-1]]}', b""),
        frame(b'{"array": ["f", [1.5]]}', b"12345678"),
        frame(b'{"array": ["f", [2147483647, 2147483647, 2147483647]]}', b""),
        frame(b'{"array": ["O", [1]]}', b"12345678"),
        frame(b'{"array": ["f"]}', b""),
        frame(b'{"array": "f"}', b""),
        frame(b'{"of": [[1, 2]]}'),
        frame(b'{"of": [[["a"], 2]]}'),
        frame(b'{"a": 1, "b": 2}'),
        frame(json.dumps([{"array": ["b", [0]]}] * 1000).encode()),
        frame(b"1" * 10_000),
        struct.pack("!II", channels.MAX_TEXT + 1, 0),
        struct.pack("!II", 2, channels.MAX_BYTES + 1),
    ],
)
def test_no_message(ends: tuple[Channel, socket.socket], sent: bytes) -> None:
    """What is no message, or too much of one, is refused; nothing else is raised."""
    ends[1].sendall(sent)
    ends[1].shutdown(socket.SHUT_WR)
    with pytest.raises(Refused):
        ends[0].receive(seconds=5)


def test_a_byte_is_true_or_false(ends: tuple[Channel, socket.socket]) -> None:
    """A bool of another byte than 0 or 1 is a plain True: NumPy would reckon with it as it is."""
    ends[1].sendall(frame(b'{"array": ["b", [2]]}', b"\x07\x00"))
    came = ends[0].receive(seconds=5)
    assert came.astype(int).tolist() == [1, 0]


def test_too_late_and_gone(ends: tuple[Channel, socket.socket]) -> None:
    """Half a message is too late; none, from one who is gone, is told apart."""
    ends[1].sendall(frame(b"[1, 2]")[:9])
    with pytest.raises(TooLate):
        ends[0].receive(seconds=0.05)
    ends[1].close()
    with pytest.raises(ChannelClosed):
        ends[0].receive(seconds=1)
    with pytest.raises(ChannelClosed):
        ends[0].send(np.zeros(1_000_000), seconds=1)

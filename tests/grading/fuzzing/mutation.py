"""Makes inputs for the fuzzer: real ones, changed at random. All of it is drawn from the `Random` that is given."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import numpy as np

# What readers and parsers stumble over, in bytes and in texts.
PIECES = (
    *"[]{}()\"\\,:'#@=-~%!?;<>&|01\t",
    *(" ", "\n", "\r", "\0", "\ufeff", "\u2028", "😀", "é", "\x1b[31m", "\u202e", "\ud800"),
    *('{"id":', '{"cell_type": "code", "source": ["', '"source"', '"cells"', "\\u12", "\\ud800"),
    *("NaN", "1e999", "null"),
    *("<<<<<<< HEAD\n", "=======\n", ">>>>>>> theirs\n", "||||||| base\n", "</script>", "{{", "/*"),
    *("def attention(", "lambda: ", "f'{", "f'{a}", "a.b", "a[b]", "f(", "not ", "await ", "if 1:\n", "else ", "**a, "),
    *("@a\n", "a = ", "a; ", "import a, ", "%%time\n", "F.softmax", "return ", "yield ", "'''", "global a\n", "x: "),
)  # fmt: skip
_MOST_PLACES = 30_000
_LENGTHS = (1, 1, 2, 5, 50, 500, 20_000)

# What a forged message may hold in the place of anything.
VALUES: tuple[Callable[[Random], Any], ...] = (
    lambda rng: rng.choice([None, True, False, 0, 1, -1, 2, 2**31, 2**62, 2**64, -(2**63), 10**400, 10**4000]),
    lambda rng: rng.choice([0.0, -0.0, 0.5, math.nan, math.inf, -math.inf, 1e308, 5e-324]),
    lambda rng: rng.choice(["", "attention", "cpu", "float64", "array", "tensor", "tuple", "mapping", "missing"]),
    lambda rng: rng.choice(["function", "class", "number", "other", "nothing", "call", "load", "ValueError"]),
    lambda rng: rng.choice(PIECES) * rng.choice(_LENGTHS),
    lambda rng: [[1]] * rng.choice(_LENGTHS),
    lambda rng: [rng.choice([0, 1, 2, 10**6, 2**40])] * rng.choice(_LENGTHS[:5]),
    lambda rng: {f"name {i}": None for i in range(rng.choice(_LENGTHS[:6]))},
    lambda rng: {rng.choice(PIECES): rng.choice(PIECES)},
    lambda rng: array(rng),
)


def array(rng: Random) -> np.ndarray:
    """Make an array as the channel delivers one, of any shape, and of any numbers."""
    shape = [rng.choice([0, 1, 1, 2, 3, 7]) for _ in range(rng.choice([0, 1, 2, 2, 3, 4, 16]))]
    if rng.random() < 0.2:
        shape = rng.choice([[10**6, 0], [0, 10**6, 0], [1000, 1000], [200_000], [2] * 14, [1] * 16])
    if math.prod(shape) > 2_000_000:
        shape = [3]
    values = np.full(shape, rng.choice([0.0, 1.0, -1.0, math.nan, math.inf, 1e308, -5e-324]))
    with np.errstate(invalid="ignore"):
        return values.astype(rng.choice([np.float64, np.float64, np.int64, bool]), casting="unsafe")


def changed_text(text: str, rng: Random, longest: int = 2_000_000) -> str:
    """Change a text a few times: cut out, repeat or swap parts, and put in pieces, often many times."""
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        place = rng.randrange(len(text) + 1)
        length = min(rng.choice([1, 2, 10, 100, 5_000, len(text)]), len(text) - place)
        part, piece = text[place : place + length], rng.choice(PIECES) * rng.choice(_LENGTHS)
        put = rng.choice(
            [
                "",
                piece,
                piece + part,
                part * rng.choice(_LENGTHS[:5]),
                part[::-1],
                "".join(rng.choice(PIECES) for _ in range(rng.choice(_LENGTHS[:5]))),
            ]
        )
        text = (text[:place] + put + text[place + length :])[:longest]
    return text


def changed_bytes(content: bytes, rng: Random) -> bytes:
    """As `changed_text`, and sometimes with bytes that are no text, or in another encoding."""
    text = changed_text(content.decode("utf-8", "replace"), rng)
    encoding = rng.choice(["utf-8"] * 8 + ["utf-16", "utf-32", "latin-1"])
    changed = bytearray(text.encode(encoding, "replace" if encoding == "latin-1" else "surrogatepass"))
    for _ in range(rng.choice([0, 0, 1, 5])):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def changed_data(value: Any, rng: Random, changes: int | None = None) -> Any:
    """Plain data with a few of its parts replaced, left out, or repeated."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice([1, 1, 2, 4]) if changes is None else changes):
        places = list(islice(_places(value), _MOST_PLACES + 1))
        if not places:
            return rng.choice(VALUES)(rng)
        if len(places) > _MOST_PLACES:  # the channel refuses what is larger by far
            break
        holder, key = rng.choice(places)
        what = rng.random()
        if what < 0.7:
            holder[key] = rng.choice(VALUES)(rng)
        elif what < 0.85:
            del holder[key]
        elif isinstance(holder, list):
            holder.extend([holder[key]] * rng.choice(_LENGTHS[:6]))
        else:
            holder[rng.choice(PIECES)] = holder[key]
    return value


def _places(value: Any) -> Any:
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        keys = range(len(holder)) if isinstance(holder, list) else holder if isinstance(holder, dict) else ()
        for key in keys:
            yield holder, key
            waiting.append(holder[key])


def source(real: str, rng: Random) -> str:
    """Make a cell's source: a real one that was changed, or a bomb of one piece, nested or in a row."""
    if rng.random() < 0.5:
        return changed_text(real, rng, longest=80_000)
    ends = (*PIECES, "", real, "def attention(query):\n    return ", f"\ndef mask(): return 0x{'f' * 5000}\n")
    start, end = (rng.choice(ends) for _ in range(2))
    times = rng.choice([5, 50, 90, 150, 3_000, 60_000])
    return (start + rng.choice(PIECES) * times + rng.choice(PIECES) * rng.choice([0, times]) + end)[:100_000]


def notebook(real: bytes, rng: Random) -> bytes:
    """Change a notebook: its bytes, or the values in it, or a source."""
    if rng.random() < 0.5:
        return changed_bytes(real, rng)
    data = json.loads(real)
    if rng.random() < 0.5:
        cells = rng.sample(data["cells"], k=min(len(data["cells"]), rng.choice([1, 2, 10])))
        for cell in cells:
            cell["source"] = source("".join(cell["source"]), rng)
        if rng.random() < 0.2:
            data["cells"] *= rng.choice([2, 30, 200])
    else:
        data = changed_data(data, rng)
    return json.dumps(data, default=lambda one: one.tolist()).encode("utf-8", "surrogatepass")

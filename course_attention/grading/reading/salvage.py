"""Saves the cells of a notebook that is cut off or damaged: each is read by itself where the whole is not JSON."""

import json
import re
from itertools import islice, pairwise
from typing import Any

# Nobody writes a number of thousands of digits in a cell, and Python refuses to read one.
DECODER = json.JSONDecoder(strict=False, parse_int=lambda digits: int(digits) if len(digits) < 18 else 0)

_KEYS = "attachments|cell_type|collapsed|execution_count|id|input|language|level|metadata|outputs|prompt_number|source"
_START = re.compile(rf'\{{\s*+"(?:{_KEYS})"\s*+:')
_TYPED = re.compile(r'\{[^{}]{0,200}"cell_type"')
# The quantifiers are possessive: whatever follows, no character is looked at a second time.
_STRING = re.compile(r'\s*+,?\s*+"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)("|,?\n|\\?\Z)')

# Characters that may be read in vain, so that no text takes longer than its length allows; and what each failure
# counts as at least. Behind that many, what is left is read by its patterns alone.
_MOST_READ_AGAIN = 10_000_000
_COST_OF_FAILURE = 200
_COST_OF_DEPTH = 10_000  # of a failure from nesting
_FIRST_WINDOW = 4_000  # characters; most cells are shorter


def salvage(text: str, most: int) -> list[dict[str, Any]]:
    """Read the cells that can be read, in order; a damaged one has "cut": True and what could be read of it.

    Args:
        text: of the file.
        most: cells to read; there are more where as many come back.
    """
    cells: list[dict[str, Any]] = []
    end, left = 0, _MOST_READ_AGAIN
    broken: list[int] = []
    for match in _START.finditer(text):
        start = match.start()
        if start < end:
            continue
        value, length = _decoded(text, start) if left > 0 else (None, 0)
        if value is None:
            broken.append(start)
            left -= length
            continue
        end = start + length
        if _is_cell(value):
            cells += _fragments(text, broken, start, most - len(cells))
            broken = []
            cells.append(value)
            if len(cells) >= most:
                return cells[:most]
    return cells + _fragments(text, broken, len(text), most - len(cells))


def _decoded(text: str, start: int) -> tuple[Any, int]:
    """Decode the JSON value that begins at a place.

    It is decoded from a window of the text, and from one that is four times as wide where the window ends inside the
    value. For an error's message Python counts the lines from the start of the text: in a window they are few.

    Returns:
        The value and its length; None, and what the failure counts as, where none can be decoded.
    """
    width = _FIRST_WINDOW
    while True:
        window = text[start : start + width]
        try:
            return DECODER.raw_decode(window)
        except json.JSONDecodeError as error:
            cut_off = error.msg.startswith("Unterminated string") or error.pos > len(window) - 12
            if not cut_off or start + width >= len(text):
                return None, max(error.pos, _COST_OF_FAILURE)
        except RecursionError:
            return None, _COST_OF_DEPTH
        width *= 4


def _is_cell(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("cell_type"), str)


def _fragments(text: str, starts: list[int], end: int, most: int) -> list[dict[str, Any]]:
    """Read so many of the damaged cells that begin at these places; what begins inside another one is a part of it."""
    cells = []
    own = list(islice((start for start in starts if _TYPED.match(text, start)), most))
    for start, stop in pairwise([*own, end]):
        fragment = text[start:stop]
        cell: dict[str, Any] = {"cell_type": _value("cell_type", fragment), "cut": True}
        cell["id"] = _value("id", fragment)
        cell["metadata"] = {"nbgrader": {"grade_id": _value("grade_id", fragment)}}
        cell["source"] = _source(fragment)
        if cell["cell_type"]:
            cells.append(cell)
    return cells


def _value(key: str, fragment: str) -> str:
    match = re.search(rf'"{key}"\s*+:\s*+"([^"\\\n]{{1,200}})"', fragment)
    return match[1] if match else ""


def _source(fragment: str) -> list[str]:
    """Return the lines of the source, as far as they can be read."""
    found = re.search(r'"(?:source|input)"\s*+:\s*+\[?', fragment)
    if not found:
        return []
    lines, place = [], found.end()
    while place < len(fragment) and (match := _STRING.match(fragment, place)):
        lines.append(_unescaped(match[1]))
        place = match.end()
        if not found[0].endswith("["):
            break
    return lines


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", _escaped_character, text)


def _escaped_character(match: re.Match[str]) -> str:
    escape = match[1]
    return chr(int(escape[1:], 16)) if len(escape) > 1 else {"n": "\n", "t": "\t"}.get(escape, escape)

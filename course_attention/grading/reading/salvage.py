"""Saves the cells of a notebook that is cut off or damaged: each is read by itself where the whole is not JSON."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

# A number of thousands of digits is no one's cell, and Python refuses to read it.
DECODER = json.JSONDecoder(strict=False, parse_int=lambda digits: int(digits) if len(digits) < 18 else 0)

_KEYS = "attachments|cell_type|collapsed|execution_count|id|input|language|level|metadata|outputs|prompt_number|source"
_START = re.compile(rf'\{{\s*"(?:{_KEYS})"\s*:')
_TYPED = re.compile(r'\{[^{}]{0,200}"cell_type"')
_STRING = re.compile(r'\s*,?\s*"((?:[^"\\\n]|\\.)*)("|,?\n|\\?\Z)')
_MOST_READ_AGAIN = 10_000_000  # characters read in vain, so that no text takes longer than its length allows
_COST_OF_DEPTH = 10_000  # what a failure from nesting counts as


def salvage(text: str) -> list[dict[str, Any]]:
    """Read the cells that can be read, in order; a damaged one has "cut": True and what could be read of it."""
    starts = [match.start() for match in _START.finditer(text)]
    cells: list[dict[str, Any]] = []
    end = budget = 0
    broken: list[int] = []
    for start in starts:
        if start < end:
            continue
        try:
            value, end = DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            broken.append(start)
            budget += error.pos - start if isinstance(error, json.JSONDecodeError) else _COST_OF_DEPTH
            if budget > _MOST_READ_AGAIN:
                break
            continue
        if _is_cell(value):
            cells += _fragments(text, broken, start)
            broken = []
            cells.append(value)
    return cells + _fragments(text, broken, len(text))


def _is_cell(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("cell_type"), str)


def _fragments(text: str, starts: list[int], end: int) -> list[dict[str, Any]]:
    """Read the damaged cells that begin at these places; what begins inside another one is a part of it."""
    cells = []
    own = [start for start in starts if _TYPED.match(text, start)]
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
    match = re.search(rf'"{key}"\s*:\s*"([^"\\\n]{{1,200}})"', fragment)
    return match[1] if match else ""


def _source(fragment: str) -> list[str]:
    """The lines of the source, as far as they can be read."""
    found = re.search(r'"(?:source|input)"\s*:\s*\[?', fragment)
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

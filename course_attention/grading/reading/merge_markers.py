"""Removes the markers of an unresolved merge from a text or a notebook; the first side is the student's and stays."""

import html
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

Part = TypeVar("Part")

_MARKER = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: .*)?")
_TAG = re.compile(r"</?[a-z][^<>]*>")


def first_side(text: str) -> str:
    """Keep the first side of each conflict, without the markers. A text without conflicts stays the same."""
    if "<<<<<<<" not in text:
        return text
    lines = text.splitlines(keepends=True)
    return "".join(without_others(lines, map(_marker, lines)))


def cell_marker(source: str) -> str:
    """Return the marker, as in "<<<<<<<", where a cell holds nothing else, be it in backticks or in red; else ""."""
    if len(source) > 300:
        return ""
    return _marker(html.unescape(_TAG.sub("", source)).strip("*` \n"))


def without_others(parts: Sequence[Part], markers: Iterable[str]) -> list[Part]:
    """Keep the parts outside conflicts and on the first side of each, and what follows a conflict that never ends."""
    kept: list[Part] = []
    others: list[Part] | None = None  # behind the first side, until the end of the conflict
    inside = False
    for part, marker in zip(parts, markers, strict=True):
        if marker == "<<<<<<<":
            kept += others or []
            inside, others = True, None
        elif marker == ">>>>>>>":
            inside, others = False, None
        elif not inside:
            kept.append(part)  # also a row of "=": there it underlines a heading
        elif marker:
            others = others or []
        elif others is not None:
            others.append(part)
        else:
            kept.append(part)
    return kept + (others or [])


def _marker(line: str) -> str:
    match = _MARKER.fullmatch(line.rstrip("\r\n"))
    return match[1] if match else ""

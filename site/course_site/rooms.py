"""The drawing of the package's rooms, from the imports in its files and the layers in `pyproject.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from html import escape

import grimp

from course_site.repository_links import ROOT

PACKAGE = "course_attention"
WIDTH, ROW, BOX_HEIGHT, LETTER, GAP = 760, 74, 30, 8.2, 20


def layers() -> list[list[str]]:
    """Return the rooms by layer, the highest first, as the contract has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return [[room.strip() for room in layer.split("|")] for layer in contract["layers"]]


def imports() -> dict[str, set[str]]:
    """Return the rooms that each room imports."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    found: dict[str, set[str]] = {room: set() for layer in layers() for room in layer}
    for module in graph.modules:
        room = _room(module)
        if room in found:
            others = {_room(other) for other in graph.find_modules_directly_imported_by(module)}
            found[room] |= {other for other in others if other in found and other != room}
    return found


def drawn() -> str:
    """Return the drawing as SVG: an arrow goes from a room to one that it imports, unless a longer way leads there."""
    rows, found = layers(), imports()
    places = _places(rows)
    arrows = [
        _arrow(places[room], places[other])
        for room in found
        for other in sorted(found[room])
        if not _implied(room, other, found)
    ]
    boxes = [_box(room, *place) for room, place in places.items()]
    height = ROW * len(rows) + 10
    about = "The rooms of the package in layers. Each imports rooms below it alone; the table below says which."
    return (
        f'<div class="drawing" tabindex="0" role="group" aria-label="drawing of the rooms"><svg role="img" '
        f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{about}</title><defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' "
        f"markerHeight='7' orient='auto'><path d='M0 0L8 4L0 8z' fill='currentColor'/></marker></defs>"
        f"{''.join(arrows)}{''.join(boxes)}</svg></div>"
    )


def table() -> str:
    """Return the same in words, as a table of Markdown."""
    found = imports()
    rows = [f"| `{room}` | {', '.join(f'`{other}`' for other in sorted(found[room])) or 'nothing'} |" for room in found]
    return "| room | imports |\n|---|---|\n" + "\n".join(rows)


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _places(rows: Sequence[Sequence[str]]) -> dict[str, tuple[float, float, float]]:
    """Return the middle of each room's box, from left and from top, and its width."""
    places = {}
    for number, row in enumerate(rows):
        widths = [len(room) * LETTER + 24 for room in row]
        left = (WIDTH - sum(widths) - GAP * (len(row) - 1)) / 2
        for room, width in zip(row, widths, strict=True):
            places[room] = (left + width / 2, ROW * number + BOX_HEIGHT / 2 + 5, width)
            left += width + GAP
    return places


def _implied(room: str, other: str, found: Mapping[str, set[str]]) -> bool:
    """Whether a longer way leads from a room to another."""
    waiting, seen = list(found[room] - {other}), set()
    while waiting:
        one = waiting.pop()
        if one == other:
            return True
        if one not in seen:
            seen.add(one)
            waiting += found[one]
    return False


def _arrow(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    (x, y, _), (to_x, to_y, _) = start, end
    y, to_y = y + BOX_HEIGHT / 2, to_y - BOX_HEIGHT / 2 - 1
    bend = (to_y - y) / 2
    path = f"M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}"
    return f"<path d='{path}' fill='none' stroke='currentColor' opacity='.55' marker-end='url(#tip)'/>"


def _box(room: str, x: float, y: float, width: float) -> str:
    return (
        f"<rect x='{x - width / 2:.0f}' y='{y - BOX_HEIGHT / 2:.0f}' width='{width:.0f}' height='{BOX_HEIGHT}' rx='4' "
        f"class='room' stroke='currentColor'/><text x='{x:.0f}' y='{y + 5:.0f}' text-anchor='middle' font-size='14' "
        f"font-family='monospace' fill='currentColor'>{escape(room)}</text>"
    )

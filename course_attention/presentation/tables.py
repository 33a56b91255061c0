"""A matrix drawn: as an HTML table, where shades show the values, or as lines of text."""

from __future__ import annotations

import html

import numpy as np

from course_attention.presentation.arrays import Matrix

# The ends of the scale of shades. Brightness alone tells the values apart, so that it works in greyscale.
LIGHT, DARK = np.array([250.0, 247.0, 232.0]), np.array([0.0, 44.0, 95.0])


def as_html(matrix: Matrix, scale: tuple[float, float] | None = None) -> str:
    """A matrix as an HTML table; with `scale`, the lowest and highest value, as a heat map of its values."""
    head = ""
    if matrix.columns is not None:
        corner = '<td style="border:0"></td>' if matrix.rows is not None else ""
        indices = "".join(f'<th scope="col">{j}</th>' for j in matrix.columns)
        head = f"<thead><tr>{corner}{indices}</tr></thead>"
    body = ""
    for i, row in enumerate(matrix.texts):
        body += "<tr>" + (f'<th scope="row">{matrix.rows[i]}</th>' if matrix.rows is not None else "")
        for j, entry in enumerate(row):
            shade = _shade(matrix.values[i, j], scale) if scale is not None else ""
            if matrix.first == (i, j):
                aloud = '<span class="ca-unseen"> first difference</span>'
                body += f'<td class="ca-first"{shade}>▸ {html.escape(entry)}{aloud}</td>'
            else:
                body += f"<td{shade}>{html.escape(entry)}</td>"
        body += "</tr>"
    return f"<table><caption>{html.escape(matrix.name)}</caption>{head}<tbody>{body}</tbody></table>"


def scale_of(*arrays: object) -> tuple[float, float]:
    """The lowest and the highest finite value of all the arrays."""
    several = [array for array in map(np.asarray, arrays) if array.dtype.kind in "fiub"]
    values = np.concatenate([np.zeros(0), *(array[np.isfinite(array)].astype(float) for array in several)])
    return (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)


def _shade(entry: object, scale: tuple[float, float]) -> str:
    low, high = scale
    if not isinstance(entry, (float, int, np.number, np.bool_)) or not np.isfinite(entry) or high <= low:
        return ""
    share = min(max((float(entry) - low) / (high - low), 0.0), 1.0)
    ground = (LIGHT + (DARK - LIGHT) * share).round()
    ink = max([0, 0, 0], [255, 255, 255], key=lambda colour: contrast(ground, colour))
    return f' style="background-color:{_hex(ground)};color:{_hex(ink)}"'


def _hex(colour: object) -> str:
    return "#" + "".join(f"{int(channel):02x}" for channel in colour)


def contrast(one: object, other: object) -> float:
    """How far two sRGB colours (channels 0 to 255) differ in brightness, 1 to 21: WCAG's contrast ratio.

    Example:
        >>> contrast([0, 0, 0], [255, 255, 255])
        21.0
    """
    channels = np.array([one, other], dtype=float) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    darker, lighter = sorted(linear @ [0.2126, 0.7152, 0.0722])
    return round(float((lighter + 0.05) / (darker + 0.05)), 6)


def as_lines(matrix: Matrix) -> list[str]:
    """A matrix as lines of text under its name; the first difference stands in ▸ ◂."""
    texts = [
        [f"▸{entry}◂" if matrix.first == (i, j) else f" {entry} " for j, entry in enumerate(row)]
        for i, row in enumerate(matrix.texts)
    ]
    wide = max((len(entry) for row in texts for entry in row), default=0)
    return [matrix.name, *("".join(entry.rjust(wide) for entry in row).rstrip() for row in texts)]


def beside(blocks: list[list[str]], width: int, gap: int = 4) -> list[str]:
    """Blocks of lines side by side as far as `width` allows, the others below them.

    Example:
        >>> beside([["one", "1"], ["two", "2"]], width=80)
        ['one    two', '1      2']
    """
    lines: list[str] = []
    while blocks:
        count = 1
        while count < len(blocks) and sum(_width(b) + gap for b in blocks[: count + 1]) - gap <= width:
            count += 1
        row, blocks = blocks[:count], blocks[count:]
        height = max(map(len, row))
        padded = [block + [""] * (height - len(block)) for block in row]
        columns = [[line.ljust(_width(block)) for line in block] for block in padded]
        lines += [(" " * gap).join(parts).rstrip() for parts in zip(*columns, strict=True)]
    return lines


def _width(block: list[str]) -> int:
    return max(map(len, block))

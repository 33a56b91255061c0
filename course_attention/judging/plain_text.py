"""The smallest failing case as plain text, for a verdict's message."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_attention.judging.verdict import Example


def example_lines(example: Example) -> list[str]:
    """The smallest failing case in lines of text: its inputs, what was expected, and what came."""
    lines = [f"The smallest failing case ({example.title}):"]
    lines += [f"  {name} = {_shown(value, len(name) + 5)}" for name, value in example.inputs.items()]
    if example.expected is not None and example.received is not None:
        lines.append(f"  expected {example.part} = {_shown(example.expected, len(example.part) + 14)}")
        lines.append(f"  received {example.part} = {_shown(example.received, len(example.part) + 14)}")
    if example.where is not None:
        expected, received = example.expected[example.where], example.received[example.where]
        index = f"[{', '.join(map(str, example.where))}]" if example.where else ""
        wanted, came = _told_apart(expected, received)
        lines.append(f"  They part at {example.part}{index}: expected {wanted}, got {came}.")
    if example.note:
        lines.append(f"  {example.note}.")
    return lines


def _told_apart(expected: Any, received: Any) -> tuple[str, str]:
    """Two numbers with four digits, or with as many as it takes to see that they differ.

    Example:
        >>> _told_apart(0.25, 0.5), _told_apart(0.123456789, 0.123456781)
        (('0.25', '0.5'), ('0.12345679', '0.12345678'))
    """
    for digits in range(4, 18):
        texts = _number(expected, digits), _number(received, digits)
        if texts[0] != texts[1]:
            break
    return texts


def _number(value: Any, digits: int = 4) -> str:
    if not isinstance(value, float):
        return str(value)
    # Whole numbers in full: they were counted.
    return f"{value:.15g}" if float(value).is_integer() else f"{value:.{digits}g}"


def _shown(value: Any, indent: int) -> str:
    if not isinstance(value, np.ndarray):
        return "None" if value is None else f"{value:.12g}"
    if not value.ndim:
        return _number(value[()])
    text = np.array2string(
        value,
        precision=4,
        suppress_small=True,
        separator=", ",
        threshold=60,
        edgeitems=2,
        max_line_width=100 - indent,
    )
    return text.replace("\n", "\n" + " " * indent)

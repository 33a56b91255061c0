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
        lines.append(
            f"  They part at {example.part}{index}: expected {_number(expected)}, got {_number(received)}."
        )
    if example.note:
        lines.append(f"  {example.note}.")
    return lines


def _number(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    # Whole numbers in full: they were counted.
    return f"{value:.15g}" if float(value).is_integer() else f"{value:.4g}"


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

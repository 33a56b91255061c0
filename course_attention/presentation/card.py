"""A verdict as a card: what came of an answer, why, and the smallest case where it shows."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

import numpy as np

from course_attention.judging.verdict import Example, Verdict
from course_attention.presentation.arrays import matrices, places, text
from course_attention.presentation.display import WIDTH, Bundle, frame, number, paragraphs, rich, wrapped
from course_attention.presentation.tables import as_html, as_lines, beside, scale_of

MARKS = {"passed": "✓", "failed": "✗", "errored": "!", "not_attempted": "○"}
WORDS = {
    "passed": "passed",
    "failed": "not right yet",
    "errored": "stopped with an error",
    "not_attempted": "not attempted",
}


def verdict_card(verdict: Verdict, prompt: str = "") -> Bundle:
    """The card of a verdict.

    Args:
        verdict: what the judge says.
        prompt: the question in a line, shown while there is no answer.
    """
    name, word = verdict.exercise, f"{MARKS[verdict.status]} {WORDS[verdict.status]}"
    score = f"{number(verdict.earned)} of {number(verdict.points)} points"
    explanation = prompt if verdict.status == "not_attempted" else _explanation(verdict)
    shows_example = verdict.example is not None and verdict.status in ("failed", "errored")
    holds = [f"{'✓' if holds else '✗'} {what}" for what, holds in verdict.properties if holds is not None]
    looked_at = "What holds" if verdict.status == "passed" else "What holds so far"
    misconception = verdict.misconception or ""

    in_html = [
        f'<p><span class="ca-badge">{word}</span>&ensp;<code class="ca-key">{name}</code>&ensp;{score}</p>',
        f'<p class="ca-idea">{rich(verdict.idea)}</p>' if verdict.idea else "",
        f"<p>Name of this idea: <code>{misconception}</code></p>" if misconception else "",
        paragraphs(explanation),
        _example_html(verdict.example) if shows_example else "",
        _head(looked_at) + _row(f"<span>{rich(line)}</span>" for line in holds) if holds else "",
        paragraphs(_next(verdict)),
    ]
    in_text = [
        f"{word}   {name}   {score}",
        wrapped(verdict.idea + (f" [{misconception}]" if misconception else "")),
        wrapped(explanation),
        "\n".join(_example_lines(verdict.example)) if shows_example else "",
        wrapped(f"{looked_at}: " + "  ".join(line.replace(" ", "\xa0") for line in holds)) if holds else "",
        wrapped(_next(verdict)),
    ]
    label = f"{name}: {WORDS[verdict.status]}, {score}"
    return Bundle(
        without_addresses(frame(verdict.status, label, *in_html)),
        without_addresses("\n\n".join(part for part in in_text if part).replace("\xa0", " ")),
    )


def without_addresses(text: str) -> str:
    """Text without memory addresses, which differ from run to run.

    Example:
        >>> without_addresses("<function f at 0x7f3a5c0d>")
        '<function f at 0x…>'
    """
    return re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", text)


def _explanation(verdict: Verdict) -> str:
    """The explanation; the whole message where a failed verdict has no parts to show."""
    if verdict.status == "passed":
        return ""
    return verdict.explanation or ("" if verdict.idea or verdict.example else verdict.message)


def _next(verdict: Verdict) -> str:
    name = verdict.exercise
    if verdict.status == "passed":
        return f"The cells below use your own `{name}`."
    if verdict.status == "not_attempted":
        todo = "Write your answer into the cell above, run it, then run this cell again."
    else:
        todo = "Change your answer above, run its cell, then run this one again."
    return f'{todo} For help: `hint("{name}")`.\nUntil then the cells below use the course\'s own `{name}`.'


def _head(title: str) -> str:
    return f'<div class="ca-head" role="heading" aria-level="4">{html.escape(title)}</div>'


def _row(parts: Iterable[str]) -> str:
    return f'<div class="ca-row">{"".join(parts)}</div>'


def _first_difference(example: Example, decimals: int) -> str:
    """Where the two part, in words: the mark in the table alone would not be read aloud."""
    if example.where is None or example.received is None:
        return ""
    came, right = (_entry(array, example.where, decimals) for array in (example.received, example.expected))
    place = f" at [{', '.join(map(str, example.where))}]" if example.where else ""
    return f"First difference{place}: expected {right}, received {came}." if came and right else ""


def _entry(array: object, where: tuple[int, ...], decimals: int) -> str:
    shown = [matrix for matrix in matrices("", array, where, decimals) if matrix.first is not None]
    return shown[0].texts[shown[0].first[0]][shown[0].first[1]] if shown else ""


def _pair(example: Example) -> tuple[list, int]:
    """Expected and received as matrices, and their digits."""
    both = [array for array in (example.expected, example.received) if array is not None]
    decimals = places(*both, where=example.where if len(both) == 2 else None)
    named = zip(("expected", "received"), (example.expected, example.received), strict=True)
    return [
        matrix
        for name, array in named
        if array is not None
        for matrix in matrices(f"{name} {example.part}", array, example.where, decimals)
    ], decimals


def _example_html(example: Example) -> str:
    inputs = [as_html(matrix) for name, array in _arrays(example) for matrix in matrices(name, array)]
    pair, decimals = _pair(example)
    scale = scale_of(*(array for array in (example.expected, example.received) if array is not None))
    return "\n".join(
        [
            _head(f"Smallest case: {example.title}"),
            paragraphs(_plain_inputs(example)),
            _row(inputs),
            _row(as_html(matrix, scale) for matrix in pair),
            paragraphs(_first_difference(example, decimals)),
            paragraphs(example.note),
        ]
    )


def _example_lines(example: Example) -> list[str]:
    inputs = [as_lines(matrix) for name, array in _arrays(example) for matrix in matrices(name, array)]
    pair, decimals = _pair(example)
    return [
        wrapped(f"Smallest case: {example.title}"),
        *([_plain_inputs(example)] if _plain_inputs(example) else []),
        *beside(inputs, WIDTH),
        *([""] if inputs else []),
        *beside([as_lines(matrix) for matrix in pair], WIDTH),
        *(wrapped(line) for line in (_first_difference(example, decimals), example.note) if line),
    ]


def _arrays(example: Example) -> list[tuple[str, object]]:
    return [(name, given) for name, given in example.inputs.items() if np.ndim(given)]


def _plain_inputs(example: Example) -> str:
    """The inputs that are no arrays, in a line: `axis = -1, allowed = None`."""
    arrays = dict(_arrays(example))
    return ", ".join(f"{name} = {_scalar(v)}" for name, v in example.inputs.items() if name not in arrays)


def _scalar(value: object) -> str:
    return "None" if value is None else value if isinstance(value, str) else text(value, places(value))

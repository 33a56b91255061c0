"""What a cell displays: HTML for a notebook, and the same as plain text for a terminal."""

from __future__ import annotations

import html
import re
import sys
import textwrap

from course_attention.presentation.card_style import STYLE

WIDTH = 80  # columns of a terminal


class Bundle:
    """Something to display: `html` for a notebook, `text` for everything else.

    Example:
        >>> Bundle("<b>two</b>", "two")
        two
    """

    def __init__(self, html: str, text: str) -> None:
        self.html = html
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}


def show(bundle: Bundle) -> None:
    """Displays a bundle: in the cell's output under IPython, else printed."""
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        shell = None
    else:
        shell = get_ipython()
    if shell is not None:
        display(bundle)
        return
    encoding = sys.stdout.encoding or "utf-8"  # a Windows console may know neither ✓ nor √
    print(bundle.text.encode(encoding, "replace").decode(encoding))


def frame(status: str, label: str, *parts: str) -> str:
    """The frame of a card around HTML parts. A screen reader reads `label` as its name."""
    opening = f'<div class="ca-card ca-{status}" role="group" aria-label="{html.escape(label)}">'
    return "\n".join(part for part in (opening, STYLE, *parts, "</div>") if part)


def rich(text: str) -> str:
    """Plain text as HTML: escaped, with `backticks` as code.

    Example:
        >>> rich("where `n < 2` holds")
        'where <code>n &lt; 2</code> holds'
    """
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def paragraphs(text: str) -> str:
    """Text with blank lines between its paragraphs as HTML paragraphs; other line breaks are kept."""
    blocks = [block.strip("\n") for block in text.split("\n\n") if block.strip()]
    return "\n".join("<p>" + rich(block).replace("\n", "<br>") + "</p>" for block in blocks)


def wrapped(text: str) -> str:
    """Text wrapped for a terminal, line by line."""
    wrapper = textwrap.TextWrapper(width=WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrapper.fill(line) for line in text.split("\n"))

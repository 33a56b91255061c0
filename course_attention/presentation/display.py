"""What a cell displays: HTML for a notebook, and the same as plain text for a terminal."""

import html
import re
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

from course_attention.presentation.card_style import STYLE

WIDTH = 80  # columns of a terminal


class Bundle:
    """Something to display: `html` for a notebook, `text` for everything else.

    Args:
        html: for a notebook.
        text: for a terminal.
        kept: by MIME type, what a saved notebook keeps beside them for programs; nobody sees it.

    Example:
        >>> Bundle("<b>two</b>", "two")
        two
    """

    def __init__(self, html: str, text: str, kept: Mapping[str, Any] | None = None) -> None:
        self.html = html
        self.text = text
        self.kept = dict(kept or {})

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {"text/html": self.html, "text/plain": self.text, **self.kept}


class Unseen(float):
    """A number that a notebook keeps as a cell's result, where nbgrader reads it, and that nobody has to look at.

    Example:
        >>> Unseen(0.25), Unseen(0.25)._repr_mimebundle_()
        (0.25, {'text/html': '', 'text/plain': '0.25'})
    """

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": "", "text/plain": repr(self)}


def show(bundle: Bundle, earlier: Any = None) -> Any:
    """Display a bundle: in the cell's output under IPython, else printed.

    Args:
        bundle: what is displayed.
        earlier: what `show` returned for a bundle that is to make room for this one. None: there is no such bundle.

    Returns:
        What a later `show` needs to replace this bundle; None where nothing can be replaced.
    """
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        shell = None
    else:
        shell = get_ipython()
    if earlier is not None:
        earlier.update(bundle)
        return earlier
    if shell is not None:
        return display(bundle, display_id=True)
    encoding = sys.stdout.encoding or "utf-8"  # a Windows console may know neither ✓ nor √
    print(bundle.text.encode(encoding, "replace").decode(encoding))
    return None


def frame(status: str, label: str, *parts: str) -> str:
    """Return the frame of a card around HTML parts. A screen reader reads `label` as its name."""
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


def folded(title: str, text: str) -> str:
    """Text as HTML that a reader can unfold under its title; nothing where there is no text."""
    inside = f'<pre tabindex="0">{html.escape(text.rstrip())}</pre>'
    return f"<details><summary>{rich(title)}</summary>{inside}</details>" if text.strip() else ""


def announced(part: str) -> str:
    """Return a part of a card, or a line under controls, as one that a screen reader reads out when it appears.

    Args:
        part: HTML whose text has an element around it: Orca reads bare text of a status only once.
    """
    return f'<div role="status">{part}</div>'


def status_line(text: str) -> str:
    """Return a line under controls as HTML. A screen reader reads it out when it changes.

    Example:
        >>> status_line("No prediction yet.")
        '<div role="status"><p style="margin:0">No prediction yet.</p></div>'
    """
    return announced(f'<p style="margin:0">{html.escape(text)}</p>')


def remark(label: str, text: str) -> Bundle:
    """Return a text in a card of its own, whose name a screen reader reads.

    Example:
        >>> remark("A hint", "First.\\n\\nThen.")
        First.
        <BLANKLINE>
        Then.
    """
    return Bundle(frame("hint", label, paragraphs(text)), wrapped(text))


def wrapped(text: str) -> str:
    """Text wrapped for a terminal, line by line."""
    wrapper = textwrap.TextWrapper(width=WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrapper.fill(line) for line in text.split("\n"))

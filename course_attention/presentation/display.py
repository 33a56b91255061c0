"""What a cell displays: HTML for a notebook, and the same in plain text for a terminal and for nbval."""

from __future__ import annotations

import html
import re
import sys
import textwrap

WIDTH = 80

# Text and ground come as a pair from JupyterLab's theme, else from VS Code's, else from the system's. All
# other colours (badges, heat maps) bring their own ground with them: a dark theme needs no others.
STYLE = """<style>
.ca-card{--ca-t:#1a1a1a;--ca-g:#ffffff;--ca-l:#8a8a8a}
@media (prefers-color-scheme:dark){.ca-card{--ca-t:#ececec;--ca-g:#1c1c1c;--ca-l:#8f8f8f}}
.ca-card{color:var(--jp-content-font-color0,var(--vscode-editor-foreground,var(--ca-t)));
background:var(--jp-layout-color0,var(--vscode-editor-background,var(--ca-g)));
font-family:var(--jp-content-font-family,system-ui,sans-serif);font-size:var(--jp-content-font-size1,14px);
line-height:1.5;border:1px solid var(--ca-l);border-left-width:6px;border-radius:4px;padding:.6em 1em;
margin:.2em 0;max-width:56em;overflow-x:auto}
.ca-card.ca-passed{border-left-color:#2e8b57}.ca-card.ca-failed{border-left-color:#d0453b}
.ca-card.ca-errored{border-left-color:#c77700}
.ca-card p{margin:.45em 0}.ca-card .ca-row{margin:.45em 0 .8em}
.ca-card .ca-badge{color:#fff;background:#4f5b66;border-radius:3px;padding:.1em .6em;font-weight:700}
.ca-card.ca-passed .ca-badge{background:#1b6e3a}.ca-card.ca-failed .ca-badge{background:#b3261e}
.ca-card.ca-errored .ca-badge{background:#8a4b00}
.ca-card .ca-head{font-weight:700;margin:.7em 0 .2em}
.ca-card .ca-idea{font-size:1.1em;font-weight:700}
.ca-card .ca-row{display:flex;flex-wrap:wrap;gap:.7em 1.8em;align-items:flex-start}
.ca-card .ca-row>span{white-space:nowrap}
.ca-card .ca-unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.ca-card.ca-card table{border-collapse:collapse;margin:0;font-size:1em;table-layout:auto;
width:auto}
.ca-card.ca-card table caption{caption-side:top;text-align:left;padding:0 0 .2em;white-space:nowrap;
color:inherit;font-size:1em}
.ca-card.ca-card table tbody tr,.ca-card.ca-card table tbody tr:nth-child(odd),
.ca-card.ca-card table tbody tr:hover,.ca-card.ca-card table thead
{background:none;color:inherit;border:0}
.ca-card.ca-card table th,.ca-card.ca-card table td{padding:.15em .55em;text-align:right;
vertical-align:middle;border:1px solid var(--ca-l);color:inherit;max-width:none;white-space:nowrap;
line-height:1.5}
.ca-card.ca-card table th{font-weight:400;border:0}
.ca-card.ca-card table td{font-family:var(--jp-code-font-family,ui-monospace,monospace)}
.ca-card.ca-card table td.ca-first{outline:2px solid #d0453b;outline-offset:-2px;
box-shadow:inset 0 0 0 4px #fff;padding:.3em .7em;font-weight:700}
.ca-card.ca-card table.ca-list th,.ca-card.ca-card table.ca-list td{text-align:left;white-space:normal;
font-family:inherit}
.ca-card.ca-card code{color:inherit;background:none;padding:0;font-size:.95em;
font-family:var(--jp-code-font-family,ui-monospace,monospace)}
.ca-card.ca-card code.ca-key{font-weight:700}
.ca-card pre{color:inherit;background:none;overflow-x:auto;margin:.3em 0;padding:.5em .8em;
border:1px solid var(--ca-l);line-height:1.35}
.ca-card .ca-bar{display:inline-block;width:8em;height:.75em;vertical-align:middle;
border:1px solid currentColor}
.ca-card .ca-bar>span{display:block;height:100%;background:currentColor}
</style>"""


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
    """The frame of a card around HTML parts. `label` names the whole to a screen reader."""
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

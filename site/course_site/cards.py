"""The judge's cards on a page: their style sheet is a file of the site, and not a part of each card."""

import re

from course_attention.judging.verdict import Verdict
from course_attention.presentation.card import verdict_card
from course_attention.presentation.card_style import STYLE
from course_attention.presentation.example import EXAMPLE_STYLE

_STYLE = re.compile(r"<style>.*?</style>\s*", re.DOTALL)
# A box that scrolls has to be reached with the keyboard.
_LEVEL = re.compile(r'(?<=aria-level=")\d')
_SCROLLS = re.compile(r'<div class="(ca-row)">')


def style_sheet() -> str:
    """Return the rules of all cards."""
    return re.sub(r"</?style>", "", STYLE) + EXAMPLE_STYLE


def bare(html: str, level: int = 3) -> str:
    """Return the HTML of a card without its style sheet, as the site shows it.

    Args:
        html: the card.
        level: of the heading in it, one below that of the page's heading above.
    """
    html = _LEVEL.sub(str(level), _STYLE.sub("", html))
    return _SCROLLS.sub(r'<div class="\1" tabindex="0" role="group" aria-label="matrices">', html)


def card(verdict: Verdict, level: int = 3) -> str:
    """Return the card of a verdict, for a page of Markdown."""
    return raw(bare(verdict_card(verdict).html, level))


def raw(html: str) -> str:
    """Return HTML as a block of Markdown."""
    return f"````{{raw}} html\n{html}\n````"

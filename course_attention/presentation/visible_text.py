"""Makes characters visible that act instead of being read: terminal commands, and what turns the direction of text."""

import re

# Control characters but for tab and line feed; Unicode's Bidi_Control characters; and its two other line ends.
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Return a text in which each such character stands as its escape, as Python writes it.

    A student chooses names, messages and texts. A terminal would obey an escape sequence in them, and a page would show
    what stands behind a change of direction in another order than a program reads it.

    Example:
        >>> print(visible("red: \\x1b[31m, backwards: \\u202egnp.exe"))
        red: \\x1b[31m, backwards: \\u202egnp.exe
    """
    return ACTING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"

"""Decodes a file's bytes, whatever wrote them, and says what the file is where it is not a notebook."""

import codecs
import re

_OTHER_FILES = {
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"{\\rtf": "a text document in RTF",
}
_WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f]")  # JSON has them only as escapes
_WIDE = {  # byte-order marks, and how a notebook begins without one; the longer stand first
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"{\0\0\0": "utf-32-le",
    b"{\0": "utf-16-le",
    b"\0{": "utf-16-be",
}


def other_file(content: bytes) -> str:
    """Say what a file is where its first bytes show that it is not a notebook; "" where they do not.

    Example:
        >>> other_file(b"%PDF-1.7")
        'a PDF document'
    """
    if not content.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return "blank" if content else "empty"
    for start, what in _OTHER_FILES.items():
        if content.startswith(start):
            return what
    return "a web page" if _WEB_PAGE.match(content[:500].decode("utf-8-sig", "replace")) else ""


def text_of(content: bytes) -> tuple[str, list[str]]:
    """Decode a file's bytes.

    Returns:
        The text, and a note on each thing that was odd about the bytes. A byte-order mark in front is not odd.
    """
    notes = []
    for start, encoding in _WIDE.items():
        if content.startswith(start):
            notes.append(f"the file is in {encoding.upper()}, not in UTF-8")
            text = content.decode(encoding, "replace")
            break
    else:
        text, bad_bytes = _utf8(content)
        if bad_bytes:
            notes.append("bytes that are not UTF-8 were read as Windows-1252")
    readable = _CONTROL.sub("", text)
    if readable != text:
        notes.append("zero bytes or other control characters were left out")
    return readable.lstrip("\ufeff"), notes


def _utf8(content: bytes) -> tuple[str, bool]:
    try:
        return content.decode("utf-8"), False
    except UnicodeDecodeError:
        text = content.decode("utf-8", "surrogateescape")
        return re.sub("[\udc80-\udcff]+", _as_windows, text), True


def _as_windows(match: re.Match[str]) -> str:
    return match[0].encode("utf-8", "surrogateescape").decode("cp1252", "replace")

"""What the names of files mean, and how a name that is too long is cut."""

import re
from hashlib import sha256

NOTEBOOK = re.compile(r"(?P<stem>.+)\.ipynb(?:\.txt|\.json)?", re.IGNORECASE | re.DOTALL)  # browsers add these
TIMESTAMP = "timestamp.txt"  # nbgrader's note of when an assignment was handed in
LONGEST = 255  # bytes of a name, on every file system in use
_DIGITS = 12


def shortened(name: str, longest: int = LONGEST) -> str:
    """Cut a name that has too many bytes. Two long names that differ anywhere stay different.

    Example:
        >>> shortened("ada", 100)
        'ada'
        >>> shortened("a" * 200, 20) != shortened("a" * 201, 20)
        True
    """
    return name if len(_bytes(name)) <= longest else told_apart(name, longest, name)


def told_apart(name: str, longest: int, whole: str) -> str:
    """Return the beginning of a name with a digest of what tells it from others, in at most so many bytes.

    Example:
        >>> told_apart("week", 20, "ada/week.ipynb")
        'week.bdd620f48aa1'
    """
    beginning = _bytes(name)[: longest - _DIGITS - 1].decode("utf-8", "ignore")
    return f"{beginning}.{sha256(_bytes(whole)).hexdigest()[:_DIGITS]}"


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")

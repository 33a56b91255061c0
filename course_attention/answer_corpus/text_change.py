"""Makes one text from another by replacing pieces of it: how near-copies in the corpus are stored."""

from collections.abc import Iterable, Sequence
from itertools import pairwise


def replaced(text: str, pieces: Iterable[Sequence[str]]) -> str:
    """Return a text in which pieces are replaced.

    Args:
        text: in which each old text occurs once.
        pieces: for each an old text, and the lines that take its place. Lines after the first are indented as the
            line in which the old text begins. A line of which "" leaves nothing goes.

    Raises:
        ValueError: an old text is not there, or not only once, or two of them overlap.

    Example:
        >>> text = "def f(x):\\n    y = 2 * x\\n    return y"
        >>> print(replaced(text, [("2 *", "3 *"), ("return y", "y += 1", "return y")]))
        def f(x):
            y = 3 * x
            y += 1
            return y
    """
    places: list[tuple[int, int, str]] = []
    for old, *lines in pieces:
        if (times := text.count(old)) != 1:
            raise ValueError(f"an old text occurs once, but {old!r} occurs {times} times")
        start = text.index(old)
        line = text[text.rfind("\n", 0, start) + 1 :]
        indent = line[: len(line) - len(line.lstrip(" "))]
        places.append((start, start + len(old), f"\n{indent}".join(lines)))
    places.sort(reverse=True)
    for (start, _, _), (_, end, _) in pairwise(places):
        if start < end:
            raise ValueError(f"old texts lie apart, but two meet in {text[start:end]!r}")
    for start, end, new in places:
        if not new:
            begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end) % (len(text) + 1)
            if not (text[begin:start] + text[end:stop]).strip():
                start, end = begin, stop + 1
        text = text[:start] + new + text[end:]
    return text.rstrip("\n")

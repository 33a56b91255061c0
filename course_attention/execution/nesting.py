"""Lays out flat the tuples within what an answer takes and returns: each array gets a name, or a place, of its own."""

from collections.abc import Mapping
from typing import Any


def labelled(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments with the elements of a tuple under names of their own.

    Example:
        >>> labelled({"query": 1, "cache": (2, 3)})
        {'query': 1, 'cache[0]': 2, 'cache[1]': 3}
    """
    flat: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, tuple):
            flat |= {f"{name}[{place}]": item for place, item in enumerate(value)}
        else:
            flat[name] = value
    return flat


def together(flat: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `labelled` laid out, put together again as in `like`.

    Example:
        >>> together({"query": 1, "cache[0]": 2, "cache[1]": 3}, like={"query": 0, "cache": (0, 0)})
        {'query': 1, 'cache': (2, 3)}
    """
    return {
        name: tuple(flat[f"{name}[{place}]"] for place in range(len(value))) if isinstance(value, tuple) else flat[name]
        for name, value in like.items()
    }


def items_of(returned: Any) -> tuple[list[Any], tuple[int, ...]]:
    """Return the elements of a tuple or list and of those within it, and the length of each; 0 for what is none.

    Example:
        >>> items_of((1, [2, 3]))
        ([1, 2, 3], (0, 2))
        >>> items_of((1, 2))
        ([1, 2], ())
    """
    if not isinstance(returned, (tuple, list)):
        return [returned], ()
    groups = tuple(len(item) if isinstance(item, (tuple, list)) else 0 for item in returned)
    if not any(groups):
        return list(returned), ()
    return [part for item in returned for part in (item if isinstance(item, (tuple, list)) else [item])], groups

"""Finds answers that are the package's own source with other names or another layout."""

from functools import lru_cache

from course_attention.grading.policy.normal_form import definitions


def same_source(answer: str, helper: str) -> bool:
    """Say whether a function or class of the answer is the helper, up to names, docstrings, annotations and layout.

    A number is never a copy: there is but one right way to write it.

    >>> same_source("def f(a, b): return a - b  # mine", "def f(x: int, y: int) -> int:\\n    return (x - y)")
    True
    >>> same_source("def f(a, b): return b - a", "def f(x, y): return x - y")
    False
    """
    theirs = _of_helper(helper)
    return any(definition in theirs for definition in definitions(answer))


@lru_cache(maxsize=128)  # a class answers the same exercises
def _of_helper(source: str) -> frozenset[str]:
    return frozenset(definitions(source))

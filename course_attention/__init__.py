"""A course on attention: the helpers that its notebooks build, and the judge that checks them.

    >>> from course_attention import softmax
    >>> softmax([0.0, 0.0])
    array([0.5, 0.5])

The public names are the helpers, each under the name of its exercise. They load on first use, so that importing
the package costs no torch. They check their arguments; the modules in `mechanisms`, which hold their source, don't.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from course_attention.topics import TOPICS

__version__ = "0.1.0"

_TOPIC_OF = {name: topic.name for topic in TOPICS for name in (*topic.exercises, *topic.helpers)}

__all__ = [*_TOPIC_OF, "__version__"]  # noqa: PLE0604 - the names are strings, gathered above


def __getattr__(name: str) -> Any:
    if name not in _TOPIC_OF:
        raise AttributeError(f"module 'course_attention' has no attribute {name!r}")
    helper = getattr(import_module(f"course_attention.mechanisms.{_TOPIC_OF[name]}"), name)
    if callable(helper):
        from course_attention.mechanisms.contracts import checked

        helper = checked(helper)
    globals()[name] = helper
    return helper


def __dir__() -> list[str]:
    return sorted(__all__)

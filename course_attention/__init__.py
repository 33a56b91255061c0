"""A course on attention: the helpers that its notebooks build, and the judge that checks them.

    >>> from course_attention import softmax
    >>> softmax([0.0, 0.0])
    array([0.5, 0.5])

The public names are the helpers, each under the name of its exercise, and `judge`, which holds code that was written
elsewhere to an exercise. They load on first use, so that importing the package costs no torch. The helpers check their
arguments; the modules in `mechanisms`, which hold their source, don't.
"""

from importlib import import_module
from typing import Any

from course_attention.topics import TOPICS

_TOPIC_OF = {name: topic.name for topic in TOPICS for name in (*topic.exercises, *topic.helpers)}

# Without `judge`: a student's notebook says `import *` where there are no exercises, inside the sandbox.
__all__ = [*_TOPIC_OF, "__version__"]  # noqa: PLE0604 - the names are strings, gathered above


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name == "judge":
        return import_module("course_attention.testing").judge
    if name.startswith("__"):
        raise AttributeError(f"module 'course_attention' has no attribute {name!r}")
    helper = _own(name)
    if helper is None:
        if name not in _TOPIC_OF:
            raise AttributeError(f"module 'course_attention' has no attribute {name!r}")
        helper = getattr(import_module(f"course_attention.mechanisms.{_TOPIC_OF[name]}"), name)
    if callable(helper):
        from course_attention.mechanisms.contracts import checked

        helper = checked(helper)
    globals()[name] = helper
    return helper


def _own(name: str) -> Any:
    """Return a reference solution of the active course's author; None where they have none of that name."""
    from course_attention.active_course import active

    home = active().homes.get(name)
    return None if home is None else getattr(active().module(home), name, None)


def _version() -> str:
    """Return the version that was installed. The tag in git states it; no file of the package does."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("course-attention")
    except PackageNotFoundError:  # a copy of the source that is only on the path
        return "0.0"


def __dir__() -> list[str]:
    return sorted([*__all__, "judge"])

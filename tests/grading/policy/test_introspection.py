"""An answer that inspects Python or the grader is pointed out to the instructor."""

from __future__ import annotations

from pathlib import Path

import pytest

import course_attention
from course_attention.grading.policy.introspection import named_in


@pytest.mark.parametrize("room", ["exercises", "execution", "grading", "judging"])
def test_rooms(room: str) -> None:
    """The rooms that no answer needs are known by the names that they have."""
    assert (Path(course_attention.__file__).parent / room).is_dir()
    assert named_in(f"from course_attention.{room} import anything") == f"course_attention.{room}"


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("sys._getframe().f_back", "_getframe"),
        ("gc.get_objects()", "gc.get_objects"),
        ("open('/proc/self/maps')", "/proc/"),
        ("import course_attention\nfrom course_attention.mechanisms.attention import attention", ""),
        ("def attention(query, key, value):\n    return value", ""),
    ],
)
def test_named(source: str, named: str) -> None:
    """The first such name is told; what an ordinary answer uses is not."""
    assert named_in(source) == named

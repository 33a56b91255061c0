"""What a notebook's cells call: `check`, `points`, `hint`, `progress`, `device`."""

from __future__ import annotations

from course_attention.lesson.check import check, points
from course_attention.lesson.device import device
from course_attention.lesson.hints import hint
from course_attention.lesson.progress import progress

__all__ = ["check", "device", "hint", "points", "progress"]

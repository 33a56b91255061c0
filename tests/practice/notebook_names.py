"""What the trials of practice need of its notebook, made small: such as a model that the notebook has trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from course_attention.mechanisms.transformer import EncoderBlock
from course_attention.practice.authoring import Practice

NAMES: Mapping[str, Callable[[], dict[str, Any]]] = {"cut_residuals": lambda: {"EncoderBlock": EncoderBlock}}
"""Practice → makes the names that its trials need."""


def notebook_names(task: Practice) -> dict[str, Any]:
    """Return the names that the trials of a task need; none for most tasks."""
    return NAMES[task.name]() if task.needs else {}

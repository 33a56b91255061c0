"""The exercises: one file per notebook, and the catalogue of all of them.

>>> from course_attention.exercises import CATALOGUE
>>> CATALOGUE["softmax"].judge(None).status
'not_attempted'
"""

from __future__ import annotations

import sys
from types import MappingProxyType

from course_attention.exercises import (
    attention,
    complexity,
    masking,
    modern,
    multi_head,
    positions,
    self_attention,
    seq2seq,
    softmax,
    transformer,
)
from course_attention.judging.exercise import Exercise

_TOPICS = (
    softmax,
    seq2seq,
    attention,
    self_attention,
    multi_head,
    masking,
    positions,
    complexity,
    transformer,
    modern,
)

CATALOGUE: MappingProxyType[str, Exercise] = MappingProxyType(
    {exercise.name: exercise for topic in _TOPICS for exercise in topic.EXERCISES}
)
"""Exercises by name, in the order taught."""

if "torch" in sys.modules:
    # Whoever has loaded torch is about to judge tensors. What fake CUDA needs takes more than a second to load; the
    # first verdict should not have to wait for it.
    from course_attention.execution import tensors  # noqa: F401

"""In the sandbox nothing is judged: `check` hands the answer back, as it does where an answer passed."""

from __future__ import annotations

import sys

import pytest

import course_attention.lesson
from course_attention.grading.sandbox.worker.lesson_stand_in import replace_lesson


def test_check_hands_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, which is looked up where `check` is called, or as it is."""
    monkeypatch.setitem(sys.modules, "course_attention.lesson", course_attention.lesson)  # put back afterwards
    replace_lesson("cpu")
    namespace = {"check": sys.modules["course_attention.lesson"].check, "softmax": len}
    exec('by_name = check("softmax")\nitself = check(softmax)\ntext = check("text", "softmax")', namespace)
    assert (namespace["by_name"], namespace["itself"], namespace["text"]) == (len, len, "text")

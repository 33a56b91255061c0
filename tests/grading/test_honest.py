"""Honest oddities cost nothing: what a careful student may write passes, however unusual."""

from __future__ import annotations

import pytest

from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.sandbox import Sandbox
from tests.grading.conftest import SEED, needs_bubblewrap
from tests.grading.program_files import Program, programs_of_a_day
from tests.grading.test_hostile import check

pytestmark = needs_bubblewrap


@pytest.mark.parametrize("program", programs_of_a_day("honest"))
def test_honest(program: Program, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Full marks, and no note unless the file expects one."""
    submission = Submission.made_here("ada", program.stem)
    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "limits", program.limits)
        result = Grader(sandbox, SEED).grade(submission, program.content())
    check(program, result)
    expected = program.header.get("note", [])
    looks = [note for note in result["notes"] if note.endswith("worth a look")]
    assert not [note for note in looks if not note.startswith(tuple(expected))]
    assert program.one("status") != "passed" or result["score"] == result["max_score"]

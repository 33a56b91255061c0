"""The answer key: the course's notebooks with its own helpers in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course_attention.course.answer_key import write_answer_key
from course_attention.course.cells import asking_stems
from course_attention.course.workspace import MADE_FROM
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import find_submissions, read_bytes
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.topics import TOPICS
from tests.grading.conftest import course_path, needs_bubblewrap


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_answer_key(tmp_path_factory.mktemp("handed_in") / "key")


def test_the_course_but_for_the_answers(key: list[Path]) -> None:
    """Every notebook is there, without outputs; the answers alone differ, not the cells' ids or metadata."""
    assert [path.stem for path in key] == list(asking_stems())
    for path in key:
        ours, course = (json.loads(p.read_text(encoding="utf-8")) for p in (path, course_path(path.stem)))
        differing = []
        for own, given in zip(ours.pop("cells"), course.pop("cells"), strict=True):
            assert own.pop("outputs", []) == [] and own.pop("execution_count", None) is None
            given.pop("outputs", None), given.pop("execution_count", None), given["metadata"].pop(MADE_FROM, None)
            if own.pop("source") != given.pop("source"):
                about = own["metadata"]
                differing.append(about.get("practice") or about["nbgrader"]["grade_id"])
            assert own == given
        assert ours == course
        practice = next(topic.practice for topic in TOPICS if topic.notebook == path.stem)
        asked = {name for name, e in CATALOGUE.items() if e.notebook == path.stem}
        assert set(differing) == asked | set(practice)


# Every day one key: the same answers get every point in the notebooks of run/submission/test_grader.py.
FIRST_KEY, *OTHER_KEYS = asking_stems()


@needs_bubblewrap
@pytest.mark.parametrize(
    "stem", [FIRST_KEY, *(pytest.param(stem, marks=pytest.mark.exhaustive) for stem in OTHER_KEYS)]
)
def test_gets_every_point(stem: str, key: list[Path], sandbox: Sandbox) -> None:
    """Handed in, the key gets every point."""
    (submission,) = [one for one in find_submissions(key[0].parents[1]) if one.notebook == stem]
    result = Grader(sandbox, 0).grade(submission, read_bytes(submission))
    assert result["score"] == result["max_score"] > 0

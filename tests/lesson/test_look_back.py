"""Tests of lesson/look_back.py: the student's module, and the misconceptions that were met."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from course_attention.course.student_module import with_part
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.lesson.look_back import NONE_MET, NOTHING_YET, look_back
from course_attention.lesson.progress import record
from course_attention.lesson.records import Records


def verdict(name: str, status: str, misconception: str | None = None) -> Verdict:
    """Return a verdict as the judge gives it."""
    return replace(Verdict(name, status, 0.5, CATALOGUE[name].points), misconception=misconception)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a workspace, entered."""
    (tmp_path / ".course_attention").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_yet(shown, workspace: Path) -> None:
    """Before anything has passed or was named, that is said."""
    look_back()
    for form in (shown[0].text, shown[0].html):
        assert NOTHING_YET.split(".")[0] in form.replace("&#x27;", "'")
        assert NONE_MET in form


def test_what_was_done(shown, workspace: Path) -> None:
    """The functions are listed by notebook, and each misconception once, with what became of it."""
    module = with_part("", "score_variance", "score_variance = 256")
    (workspace / "my_attention.py").write_text(with_part(module, "causal_pairs", "causal_pairs = 2080"))
    for _ in range(2):
        record(verdict("softmax", "failed", "softmax-not-normalised"))
    record(verdict("attention", "failed", "no-scale"))
    record(verdict("attention", "passed"))
    look_back()
    titles = [CATALOGUE["softmax"].exercise.ideas["softmax-not-normalised"].title]
    titles += [CATALOGUE["attention"].exercise.ideas["no-scale"].title]
    for form in (shown[0].text, shown[0].html):
        assert f"my_attention.py: 2 of {len(CATALOGUE)} exercises, 2 lines" in form
        assert "score_variance" in form and "05_masking" in form
        assert "Misconceptions that you have met: 2" in form
    assert f"~ {titles[0]} (softmax)" in shown[0].text
    assert f"✓ {titles[1]} (attention)" in shown[0].text


def test_records_of_an_older_course(workspace: Path) -> None:
    """A file that says nothing of misconceptions is read, and one that says nonsense is not used."""
    file = workspace / ".course_attention" / "progress.json"
    old = '"passed": true, "best": 1.0, "last": "passed", "checks": 2'
    records = Records()
    records.add(verdict("softmax", "failed", "softmax-not-normalised"))
    (written,) = [path for path in file.parent.iterdir() if path.suffix == ".json"]
    content = written.read_text(encoding="utf-8")
    assert "softmax-not-normalised" in content
    assert Records().all()["softmax"].met == ("softmax-not-normalised",)
    start = content.index('"passed"')
    end = content.index("}", start)
    written.write_text(content[:start] + old + content[end:], encoding="utf-8")
    assert Records().all()["softmax"].met == ()
    written.write_text(content[:start] + old + ', "met": "one"' + content[end:], encoding="utf-8")
    assert Records().all() == {}

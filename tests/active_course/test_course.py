"""A course's folder: which notebooks are taught, what each asks, and what cannot be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.active_course import Course, CourseError
from course_attention.active_course.course import read_course
from course_attention.topics import TOPICS
from tests.active_course.courses import course, exercise, notebook


def test_nothing_said(tmp_path: Path) -> None:
    """With a title alone, everything is as in the package's own course."""
    found = read_course(course(tmp_path / "c", 'title = "Mine"'))
    assert found.topics == Course().topics == TOPICS
    assert not found.left_out and not found.homes


def test_left_out(tmp_path: Path) -> None:
    """A notebook that is left out is gone; of an exercise that is, the helper stays."""
    settings = 'leave_out = ["12_without_the_square", "gaussian_scores", "causal_pairs"]'
    found = read_course(course(tmp_path / "c", settings))
    asked = [name for topic in found.topics for name in topic.exercises]
    assert "12_without_the_square" not in [topic.notebook for topic in found.topics]
    assert {"gaussian_scores", "causal_pairs", "delta_rule"}.isdisjoint(asked)
    assert found.left_out == ("gaussian_scores", "causal_pairs")


def test_own_notebooks(tmp_path: Path) -> None:
    """A notebook of the author's is added in the order of the names, or takes the place of one of that name."""
    notebooks = {"02b_own": notebook("mine"), "01_seq2seq_attention": notebook("attention_scores")}
    found = read_course(course(tmp_path / "c", "", notebooks, {"mine": exercise("mine")}))
    stems = [topic.notebook for topic in found.topics]
    assert stems[:4] == ["00_start_here", "01_seq2seq_attention", "02_queries_keys_values", "02b_own"]
    assert found.topic_of("mine").notebook == "02b_own"
    assert found.topics[1].exercises == ("attention_scores",)
    assert found.homes["mine"].name == "mine.py"


def test_from_nothing(tmp_path: Path) -> None:
    """A course that names its own notebooks alone has nothing of the package's."""
    notebooks = {"b": notebook("one"), "a": notebook("two")}
    files = {"both": exercise("one") + "\n" + exercise("two").replace("EXERCISES =", "EXERCISES +=")}
    found = read_course(course(tmp_path / "c", 'notebooks = ["b", "a"]', notebooks, files))
    assert [topic.exercises for topic in found.topics] == [("one",), ("two",)]


@pytest.mark.parametrize(
    ("settings", "notebooks", "exercises", "expected"),
    [
        ('notebooks = ["13_none"]', {}, {}, "notebooks must name what the course has.*13_none"),
        ('leave_out = ["atention"]', {}, {}, "leave_out must name.*atention"),
        ("[points]\natention = 1", {}, {}, "points must name.*atention"),
        ('leave_out = ["softmax"]\n[points]\nsoftmax = 1', {}, {}, "points must name.*softmax"),
        ('notebooks = ["05_masking", "04_multi_head_attention"]', {}, {}, "in their order"),
        ("", {"a": notebook("mine")}, {}, "asks 'mine'; expected an exercise"),
        ("", {"a": notebook("attention")}, {}, "'attention' is asked in"),
        ("", {"a": notebook("mine")}, {"x": exercise("mine"), "y": exercise("mine")}, "defined once"),
        ("", {}, {"softmax": exercise("softmax")}, "name it otherwise"),
        ("", {"a": "{"}, {}, "must be a notebook"),
        ("", {"a": notebook("mine").replace('"id"', '"name"')}, {}, "must have an id"),
        ("", {}, {"x": "def ("}, "must be Python"),
        ('notebooks = ["a"]', {"a": notebook()}, {}, "at least one exercise"),
    ],
)
def test_refused(settings: str, notebooks: dict, exercises: dict, expected: str, tmp_path: Path) -> None:
    """What cannot be meant is refused in a line that says so."""
    with pytest.raises(CourseError, match=expected):
        read_course(course(tmp_path / "c", settings, notebooks, exercises))

"""The page on courses of one's own: what it shows is what happens."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from course_attention.active_course.course import read_course
from course_attention.active_course.settings import settings_from
from course_attention.own_course.new_course import new_course, new_exercise
from tests.active_course.courses import ROOT, course, printed

PAGE = (ROOT / "docs" / "own_course.md").read_text(encoding="utf-8")
RENAMED = """
from course_attention.exercises import CATALOGUE
def wrong(scores, axis=-1):
    powers = 2.0**(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
print(CATALOGUE["softmax"].judge(wrong).misconception, "gaussian_scores" in CATALOGUE, CATALOGUE["attention"].points)
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_building_on_ours(tmp_path: Path) -> None:
    """The settings and the misconception of the page make the course that it describes."""
    (settings,), (ideas,) = blocks("toml"), blocks("python")
    own = course(tmp_path / "c", settings, {}, {"ideas": ideas})
    assert printed(RENAMED, of=own) == "base-two False 6"


def test_first_course(tmp_path: Path) -> None:
    """The commands of the page exist, and the folder that it begins with has what it says."""
    commands = re.findall(r"^course-attention (\S+)", "\n".join(blocks("sh")), re.MULTILINE)
    assert {"new-course", "verify", "start", "new-exercise", "answer-key", "grade"} == set(commands)
    new_course(tmp_path / "mycourse")
    new_exercise(tmp_path / "mycourse", "moving_maximum", "01_moving_average")
    (topic,) = read_course(tmp_path / "mycourse").topics
    assert topic.exercises == ("moving_average", "moving_maximum")


def test_keys() -> None:
    """The table of keys has every key, and the example's file has no other."""
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) | set(re.findall(r"`\[(\w+)\]`", PAGE))
    with pytest.raises(ValueError, match="the keys are") as error:
        settings_from({"nothing": 1})
    keys = set(str(error.value).partition("are ")[2].partition(";")[0].split(", "))
    assert keys <= rows
    example = tomllib.loads((ROOT / "examples" / "convolution" / "course.toml").read_text(encoding="utf-8"))
    assert settings_from(example).title in ("Convolution in NumPy",)

"""The beginning of a course: small, complete, and refused where something stands already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course_attention.active_course import CourseError
from course_attention.active_course.course import read_course
from course_attention.own_course.new_course import new_course, new_exercise
from tests.active_course.courses import TEMPLATE, run

MOST_LINES = 60  # that are not blank, of a file of an exercise with two misconceptions


def test_new_course(tmp_path: Path) -> None:
    """A new course is one that can be taught: an exercise with two misconceptions, in a notebook of its own."""
    written = new_course(tmp_path / "c")
    assert sorted(written) == sorted(path for path in (tmp_path / "c").rglob("*") if path.is_file())
    (topic,) = read_course(tmp_path / "c").topics
    assert (topic.notebook, topic.exercises) == ("01_moving_average", ("moving_average",))
    assert len([*filter(str.strip, TEMPLATE.splitlines())]) <= MOST_LINES and TEMPLATE.count("Misconception(\n") == 2


def test_new_exercise(tmp_path: Path) -> None:
    """A further exercise gets a file of its own, and its cells at the end of a notebook or in a new one."""
    new_course(tmp_path / "c")
    for name, stem in (("running_sum", "01_moving_average"), ("largest", "02_more")):
        exercise, notebook = new_exercise(tmp_path / "c", name, stem)
        assert f"def {name}(x, width)" in exercise.read_text(encoding="utf-8")
        last = json.loads(notebook.read_bytes())["cells"][-2:]
        assert [cell["metadata"]["nbgrader"]["grade_id"] for cell in last] == [name, f"check-{name}"]
        stub = "".join(last[0]["source"])
        assert stub.startswith(f"def {name}(x, width):") and stub.endswith("    raise NotImplementedError")
        assert "cumsum" not in stub and "neighbours" in stub
    settings = tmp_path / "c" / "course.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('["01_moving_average"]', '["01_moving_average", "02_more"]'), encoding="utf-8")
    asked = [topic.exercises for topic in read_course(tmp_path / "c").topics]
    assert asked == [("moving_average", "running_sum"), ("largest",)]


def test_refused(tmp_path: Path) -> None:
    """Nothing is overwritten, and a name that no function can have is none."""
    new_course(tmp_path / "c")
    with pytest.raises(CourseError, match="not there yet, or empty"):
        new_course(tmp_path / "c")
    with pytest.raises(CourseError, match="asked once"):
        new_exercise(tmp_path / "c", "moving_average", "01_moving_average")
    for name in ("two words", "_hidden", "a__b", "1st"):
        with pytest.raises(CourseError, match="name of a function"):
            new_exercise(tmp_path / "c", name, "01_moving_average")


def test_cells_alone(tmp_path: Path) -> None:
    """An exercise that is written already gets its cells, and its file stays as it is."""
    (tmp_path / "exercises").mkdir()
    for name, text in (("double", "def double(x):\n    return 2 * x\n"), ("answer", "answer = 42\n")):
        file = tmp_path / "exercises" / f"{name}.py"
        file.write_text(text, encoding="utf-8")
        _, notebook = new_exercise(tmp_path, name, "01_a")
        assert file.read_text(encoding="utf-8") == text
        cells = json.loads(notebook.read_bytes())["cells"]
        stub = "def double(x):\n    raise NotImplementedError" if name == "double" else "answer = None  # your answer"
        assert "".join(cells[-2]["source"]) == stub


def test_commands(tmp_path: Path) -> None:
    """The commands say what they have written and what comes next; an error is a line."""
    command = ("-m", "course_attention.cli")
    first = run(*command, "new-course", tmp_path / "c")
    assert first.returncode == 0 and "course.toml" in first.stdout and "Next: course-attention verify" in first.stdout
    assert run(*command, "new-exercise", tmp_path / "c", "largest", "02_more.ipynb").returncode == 0
    assert (tmp_path / "c" / "notebooks" / "02_more.ipynb").is_file()
    again = run(*command, "new-course", tmp_path / "c")
    assert (again.returncode, again.stdout, len(again.stderr.splitlines())) == (2, "", 1)

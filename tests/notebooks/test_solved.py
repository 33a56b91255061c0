"""The notebooks solved: each answer cell holds the package's own helper, and every check passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.exercises import CATALOGUE
from course_attention.lesson.hints import solution
from tests.notebooks.running import NOTEBOOKS, answered, points, read, run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_solved(path: Path, tmp_path: Path) -> None:
    """Solved with what the last hint shows, the notebook runs to its end and earns every point."""
    exercises = [exercise for exercise in CATALOGUE.values() if exercise.notebook == path.stem]
    answers = {exercise.name: solution(exercise.name) for exercise in exercises}
    done = run(answered(read(path), answers), tmp_path)
    assert points(done) == {exercise.name: exercise.points for exercise in exercises}

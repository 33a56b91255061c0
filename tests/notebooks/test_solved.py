"""The answer key: each answer cell holds the package's own helper, and every check passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.course.answer_key import write_answer_key
from course_attention.exercises import CATALOGUE
from tests.notebooks.running import NOTEBOOKS, points, read, run

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The answer key's notebooks, by their names."""
    return {path.name: path for path in write_answer_key(tmp_path_factory.mktemp("key"))}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_solved(path: Path, key: dict[str, Path], tmp_path: Path) -> None:
    """Solved with what the last hint shows, the notebook runs to its end and earns every point."""
    done = run(read(key[path.name]), tmp_path)
    exercises = [exercise for exercise in CATALOGUE.values() if exercise.notebook == path.stem]
    assert points(done) == {exercise.name: exercise.points for exercise in exercises}

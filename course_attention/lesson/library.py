"""A student's own library: `my_attention.py` in the workspace, in which what passes `check` is kept."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

import course_attention
from course_attention.active_course import MARKER, active, workspace
from course_attention.course.extraction import NotExtractable, answer_part
from course_attention.course.student_module import FILE, passed_parts, with_part
from course_attention.course.whole_files import write_whole
from course_attention.lesson.naming import exercise_named
from course_attention.lesson.workspace_file import SECONDS_TO_WAIT
from course_attention.presentation.display import remark, show

TESTS = '''"""Judges my_attention.py as `check` does. Run `pytest`, or `python test_my_attention.py`, in this folder."""

import unittest

import my_attention
from course_attention.exercises import CATALOGUE
from course_attention.lesson.library import passed


class TestMyAttention(unittest.TestCase):
    """Every answer that has passed still passes where it stands now."""

    def test_answers(self):
        for name in passed():
            with self.subTest(name):
                verdict = CATALOGUE[name].judge(getattr(my_attention, name), seed=0, device="cpu")
                self.assertEqual(verdict.status, "passed", verdict.message)


if __name__ == "__main__":
    unittest.main()
'''


def mine(name: str) -> Any:
    """Your own function (or class, or number) where `check` has passed it, else the course's helper of that name.

    Args:
        name: the exercise's name, as in `attention = mine("attention")`.

    Raises:
        ValueError: there is no exercise of that name.

    Example:
        >>> mine("score_variance")
        256
    """
    if name not in active().left_out:
        exercise_named(name, "mine")
    if name in passed():
        file = _file()
        module: dict[str, Any] = {"__name__": "my_attention", "__file__": str(file)}
        try:
            exec(compile(_read(file), str(file), "exec", dont_inherit=True), module)
            return module[name]
        except Exception as error:  # noqa: BLE001 - the file is the student's, and may hold anything
            text = f"{FILE} cannot be used ({type(error).__name__}: {error}), so this is the course's own `{name}`."
            show(remark(FILE, text))
    return getattr(course_attention, name)


def passed() -> tuple[str, ...]:
    """Return the exercises that the student's module holds, in its order; none outside a workspace."""
    return tuple(passed_sources())


def passed_sources() -> dict[str, str]:
    """Return the source of each exercise that the student's module holds, in its order; none outside a workspace."""
    return passed_parts(module_text())


def module_text() -> str:
    """Return the whole of the student's module; "" where there is none."""
    return _read(_file())


def keep(name: str, answer: Any, namespace: Mapping[str, Any]) -> str:
    """Write an answer that passed into the student's module.

    Args:
        name: the exercise.
        answer: what passed.
        namespace: the names of the notebook's cells.

    Returns:
        What the card says about it: that it stands there, or why it could not be written. "" outside a workspace, where
        nothing is written.
    """
    file = _file()
    if file is None:
        return ""
    try:
        part = answer_part(name, answer, namespace)
        # Two notebooks may be open: the file is read and written while no other of them does.
        with FileLock(file.parent / MARKER / "my_attention.lock", timeout=SECONDS_TO_WAIT):
            before = _read(file)
            after = with_part(before, name, part)
            if after != before:
                write_whole(file, after.encode())
            tests = file.with_name(f"test_{FILE}")
            if not tests.exists():
                write_whole(tests, TESTS.encode())
    except (NotExtractable, SyntaxError, ValueError, OSError) as error:
        return f"`{name}` passed, but was not written into {FILE}: {error}."
    return f"`{name}` now stands in {FILE}."


def _file() -> Path | None:
    marker = workspace()
    return None if marker is None else marker.parent / FILE


def _read(file: Path | None) -> str:
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else ""

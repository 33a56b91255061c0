"""A student's own answer that passed, as a text that stands alone: from their module, or from this session's cells."""

import ast
from collections.abc import Mapping
from typing import Any

from course_attention.course.extraction import NotExtractable, answer_part, definition
from course_attention.course.student_module import FILE, passed_parts, with_part
from course_attention.lesson.library import module_text
from course_attention.mutants.right_answer import RightAnswer


def own_answer(name: str, namespace: Mapping[str, Any], passed_here: bool) -> RightAnswer | None:
    """Return a student's own answer that passed; None where there is none, or none that can be taken out of its cell.

    Args:
        name: the exercise.
        namespace: the names of the notebook's cells.
        passed_here: whether what the name is bound to passed a check in this session.
    """
    text, label = module_text(), FILE
    if name not in passed_parts(text):
        if not passed_here:
            return None
        try:
            text, label = with_part("", name, answer_part(name, namespace[name], namespace)), "your cell"
        except (NotExtractable, SyntaxError, ValueError, KeyError):
            return None
    part = passed_parts(text)[name]
    source = _definition(name, part)
    return RightAnswer(name, label, source, text) if source else None


def own_text(name: str, namespace: Mapping[str, Any], passed_here: bool) -> str:
    """Return the student's own definition of an exercise or of practice that passed; "" where it can't be found.

    Args:
        name: of an exercise or of practice.
        namespace: the names of the notebook's cells.
        passed_here: whether what the name is bound to passed a check in this session.

    Example:
        >>> own_text("attention", {}, passed_here=False)
        ''
    """
    if passed_here and name in namespace:
        try:
            return definition(name, namespace[name], namespace)
        except (NotExtractable, SyntaxError, OSError):
            pass
    parts = passed_parts(module_text())
    return _definition(name, parts[name]) if name in parts else ""


def _definition(name: str, part: str) -> str:
    """Return the statement of a part that defines the answer, and the one that gives it its name, where that is one."""
    lines = part.splitlines()
    texts: dict[str, str] = {}
    renamed = ""
    for node in ast.parse(part).body:
        found = getattr(node, "name", "")
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found = node.targets[0].id
            if found == name and isinstance(node.value, ast.Name):
                renamed = node.value.id
        above = [decorator.lineno for decorator in getattr(node, "decorator_list", ())]
        texts[found] = "\n".join(lines[min([node.lineno, *above]) - 1 : node.end_lineno])
    own = texts.get(name, "")
    return f"{texts[renamed]}\n\n\n{own}" if renamed and renamed in texts else own

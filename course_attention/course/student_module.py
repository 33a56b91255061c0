"""The text of a student's own module, `my_attention.py`, in which each answer that passed is a marked part.

What stands outside of the marks is the student's own, and is never changed.
"""

import ast
import re
from collections.abc import Mapping
from functools import cache

from course_attention.active_course import active
from course_attention.course.cell_source import facts
from course_attention.course.free_names import free_names

FILE = "my_attention.py"
ORDER = (*active().left_out, *(name for topic in active().topics for name in topic.exercises))
_HEADER = '''"""My own attention library: each answer that `check` has passed.

The course writes what stands between the lines with dashes, and replaces it when you pass a check with another answer.
Whatever you write outside of them stays as it is.
"""
'''
_LENT = "lent"
_PART = re.compile(r"^# ---- (?P<name>\w+) ----.*\n(?P<body>(?:.*\n)*?)# ---- end of (?P=name) ----\n", re.M)


def passed_parts(text: str) -> dict[str, str]:
    """Return the source of each exercise that the module holds, in the order in which they stand there.

    Example:
        >>> passed_parts(with_part("", "score_variance", "score_variance = 256"))
        {'score_variance': 'score_variance = 256\\n'}
    """
    return {part["name"]: part["body"] for part in _PART.finditer(text) if part["name"] in ORDER}


def with_part(text: str, name: str, body: str) -> str:
    """Return the module with an answer in it: in the place of the one that was there, else in course order.

    Helpers that the parts use and that are not yet the student's own are imported from the course.

    Args:
        text: the module, "" where there is none yet.
        name: the exercise.
        body: the source that defines it, with the imports that it needs.

    Raises:
        SyntaxError: the module, as it was or as it would be, is not valid Python.
        ValueError: another part defines one of the names differently; it would change with them.
    """
    text = text or _HEADER
    if not text.endswith("\n"):
        text += "\n"
    compile(text, FILE, "exec", dont_inherit=True)
    ours = _definitions(body)
    for other, source in passed_parts(text).items():
        for defined, statement in _definitions(source).items():
            if other != name and ours.get(defined, statement) != statement:
                raise ValueError(f"the part of `{other}` has another `{defined}`; give yours a new name")
    part = _marked(name, body)
    old = {found["name"]: found.span() for found in _PART.finditer(text)}
    if name in old:
        start, end = old[name]
    else:
        later = [span[0] for other, span in old.items() if other in ORDER[ORDER.index(name) :]]
        start = end = min(later, default=len(text))
        part = f"\n\n{part}" if start == len(text) else f"{part}\n\n"
    text = _with_lent(text[:start] + part + text[end:])
    compile(text, FILE, "exec", dont_inherit=True)
    return text


@cache  # each answer that passes asks again for all parts
def _definitions(source: str) -> Mapping[str, str]:
    """Each name that a part defines or imports, with the statement that does."""
    statements = [ast.unparse(statement) for statement in ast.parse(source).body]
    return {name: statement for statement in statements for name in facts(statement).defines}


def _with_lent(text: str) -> str:
    """Return the module with one import, above its first part, of what its parts use and none of them defines."""
    parts = passed_parts(text)
    used = {name for body in parts.values() for name in free_names(body)}
    lent = [name for name in ORDER if name in used and name not in parts]
    text = re.sub(rf"^# ---- {_LENT} ----.*\n(?:.*\n)*?# ---- end of {_LENT} ----\n\n\n", "", text, flags=re.M)
    if not lent:
        return text
    first = next(_PART.finditer(text)).start()
    lines = "\n".join(f"from course_attention import {name}" for name in lent)
    block = _marked(_LENT, lines, "by the course, until yours has passed")
    return f"{text[:first]}{block}\n\n{text[first:]}"


def _marked(name: str, body: str, remark: str = "passed") -> str:
    return f"# ---- {name} ---- {remark}\n{body.strip()}\n# ---- end of {name} ----\n"

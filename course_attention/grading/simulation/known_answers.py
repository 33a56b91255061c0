"""Answers of which it is known what they are: `answers/{notebook}.md` holds them, to be read by people as well.

A heading of the second level names the exercise, one of the third what the answer is: "right", the id of its
misconception, or "forbidden". The code block below is the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RIGHT, FORBIDDEN = "right", "forbidden"
_FOLDER = Path(__file__).parent / "answers"
_HEADING_OR_CODE = re.compile(r"^## (\w+)$|^### ([\w-]+)$|^```python\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class KnownAnswer:
    """An answer to an exercise.

    Attributes:
        kind: "right", a misconception's id, or "forbidden".
        source: what stands in the answer cell.
    """

    kind: str
    source: str

    @property
    def is_wrong(self) -> bool:
        return self.kind not in (RIGHT, FORBIDDEN)


@cache
def known_answers(stem: str) -> dict[str, list[KnownAnswer]]:
    """Exercise → answers, for a notebook of the course."""
    found: dict[str, list[KnownAnswer]] = {}
    exercise = kind = ""
    text = (_FOLDER / f"{stem}.md").read_text(encoding="utf-8")
    for match in _HEADING_OR_CODE.finditer(text):
        exercise, kind = match[1] or exercise, match[2] or kind
        if match[3]:
            found.setdefault(exercise, []).append(KnownAnswer(kind, match[3]))
    return found

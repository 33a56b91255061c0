"""A right answer as a text, of which mutants can be made."""

from dataclasses import dataclass
from typing import Any

from course_attention.course.helper_source import home_of, own_source, source_of


@dataclass(frozen=True)
class RightAnswer:
    """A right answer to an exercise.

    Attributes:
        exercise: the exercise's name.
        label: what the answer is called.
        source: defines the answer, and is what mutants change.
        above: what has to stand above it: imports, and the functions that it uses.
    """

    exercise: str
    label: str
    source: str
    above: str = ""

    def built(self, source: str = "") -> Any:
        """Return the function or class that the text defines, or a mutant's text in its place."""
        names: dict[str, Any] = {"__name__": "answer"}
        text = f"from __future__ import annotations\n{source or self.source}"
        for name, part in (("above", self.above), (self.label, text)):
            exec(compile(part, f"<{name}>", "exec", dont_inherit=True), names)
        return names[self.exercise]


def helper(exercise: str) -> RightAnswer:
    """Return the package's helper, or the reference solution of a course's author.

    Raises:
        KeyError: its file does not define it.
    """
    above = source_of(home_of(exercise), [exercise])
    return RightAnswer(exercise, "helper", own_source(exercise), above)

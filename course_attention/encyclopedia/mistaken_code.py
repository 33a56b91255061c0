"""Code that has a misconception, and the lines in which it differs from a right answer.

Both come from the corpus. A reader is shown the lines that differ and the signature, and never an answer whole: the
pages are no answer key. Where the lines that differ are most of an answer, the right ones are left out too.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files

from course_attention.answer_corpus.corpus import answers
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.encyclopedia.entries import entries
from course_attention.exercises import CATALOGUE

MOST_LINES = 3  # of a change that is shown
MISSING = "# something is missing here"
LARGEST_PART = 0.34  # of an answer's lines that may be shown as they should be


@dataclass(frozen=True)
class MistakenCode:
    """An answer with the misconception, beside the right answer that is nearest to it.

    Attributes:
        answer: of the corpus, with the misconception.
        right: of the corpus. Its text is never shown whole.
    """

    answer: Answer
    right: Answer

    @property
    def exercise(self) -> str:
        """The exercise that both answer."""
        return self.answer.exercise

    @property
    def changes(self) -> list[tuple[list[str], list[str]]]:
        """The lines of the answer that differ, and those of the right one in their place; without those that agree."""
        wrong, right = _lines(self.answer.source), _lines(self.right.source)
        return [(wrong[i:j], right[k:m]) for same, i, j, k, m in _compared(wrong, right) if not same]

    @property
    def shows_the_right_lines(self) -> bool:
        """Whether a reader may see the lines that mend it."""
        added = [line for _, lines in self.changes for line in lines]
        whole = len(_lines(self.right.source)) - 1  # without the signature
        is_small = len(added) <= MOST_LINES and len(added) <= LARGEST_PART * whole
        return CATALOGUE[self.exercise].kind != "value" and is_small

    def as_diff(self) -> str:
        """Return the code as a diff: − before what is wrong, + before what mends it, … for the lines left out."""
        wrong, right = _lines(self.answer.source), _lines(self.right.source)
        shown: list[str] = []
        for same, i, j, k, m in _compared(wrong, right):
            if same:
                kept = [f" {line}" for line in wrong[i:j] if line.startswith(("def ", "class "))]
                left = " " + " " * _indent(wrong[j - 1]) + "…"
                shown += [*kept, *([left] if j - i > len(kept) else [])]
                continue
            shown += [f"-{line}" for line in wrong[i:j]]
            if i == j and not self.shows_the_right_lines:
                shown.append("-" + " " * _indent(wrong[max(i - 1, 0)]) + MISSING)
            shown += [f"+{line}" for line in right[k:m]] if self.shows_the_right_lines else []
        return "\n".join(shown)


@cache
def mistaken_code(id: str, exercise: str = "") -> MistakenCode:
    """Return the code that shows a misconception best: a small change, in the exercise that is asked first.

    Args:
        id: of the misconception.
        exercise: in which it is shown; any unless given.

    Raises:
        KeyError: the corpus has no answer of which it is known that it has this misconception.
    """
    names = [exercise] if exercise else entries()[id].exercises
    found = [
        MistakenCode(answer, right)
        for name in names
        for answer in _having(id, name)
        for right in answers(name)
        if right.kind == "right"
    ]
    if not found and (number := _wrong_number(id, names[0])):
        return MistakenCode(number, answers(names[0])[0])
    if not found:
        raise KeyError(f"the corpus has no answer with {id!r}: add it to extra_answers.toml")
    return min(found, key=_order)


def _having(id: str, exercise: str) -> Iterator[Answer]:
    """Yield the answers to an exercise of which it is known that they have a misconception."""
    labels = extra_answers().get(id, {})
    for answer in answers(exercise):
        named = answer.kind in ("wrong", "natural") and answer.idea == id
        if named or (labels.get("exercise") == exercise and labels.get("answer") == answer.label):
            yield answer


def _wrong_number(id: str, name: str) -> Answer | None:
    """Return the number to which a misconception of a number leads, as an answer."""
    exercise = CATALOGUE[name].exercise
    if exercise.kind != "value":
        return None
    return Answer(name, "wrong", id, f"wrong__{id}__1", "", f"{name} = {exercise.ideas[id].variants[0]!r}", ())


@cache
def extra_answers() -> Mapping[str, Mapping[str, str]]:
    """Return which answer shows an idea that the corpus names none after: id → exercise, and the answer's label."""
    text = files("course_attention.encyclopedia").joinpath("extra_answers.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _order(one: MistakenCode) -> tuple[bool, bool, int, bool, int, str, str]:
    """Order the candidates, the best first: with right lines to show, a function before a module, changed little."""
    changed = max(sum(len(lines) for lines, _ in one.changes), sum(len(lines) for _, lines in one.changes))
    place = list(CATALOGUE).index(one.exercise)
    kind = CATALOGUE[one.exercise].kind
    return (
        not one.shows_the_right_lines,
        kind != "function",
        changed if changed > 1 else 0,
        one.answer.kind == "natural",
        place,
        one.answer.name,
        one.right.name,
    )


@cache
def _lines(source: str) -> list[str]:
    """Return the lines of code, without those of docstrings and without empty ones."""
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return [line for number, line in enumerate(source.splitlines(), 1) if line.strip() and number not in left_out]


def _compared(wrong: list[str], right: list[str]) -> list[tuple[bool, int, int, int, int]]:
    found = SequenceMatcher(None, wrong, right, autojunk=False).get_opcodes()
    return [(kind == "equal", i, j, k, m) for kind, i, j, k, m in found]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))

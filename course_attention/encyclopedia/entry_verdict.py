"""What the judge says of the code of an entry."""

import linecache
from functools import cache
from typing import Any

from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.encyclopedia.mistaken_code import MistakenCode, mistaken_code
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict


@cache
def verdict_on(id: str, exercise: str = "") -> Verdict:
    """Judge the code that shows a misconception. It runs in this process: the corpus is ours.

    Args:
        id: of the misconception.
        exercise: in which it is shown; the one that `mistaken_code` chooses unless given.
    """
    return judged(mistaken_code(id, exercise))


def judged(code: MistakenCode) -> Verdict:
    """Judge an answer of the corpus, at the seed at which a student's own is judged."""
    return CATALOGUE[code.exercise].judge(value_of(code.answer))


def value_of(answer: Answer) -> Any:
    """Return what an answer of the corpus defines: a function, a class or a number."""
    filename = f"<{answer.name}>"
    linecache.cache[filename] = (len(answer.cell), None, answer.cell.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"__name__": answer.name}
    exec(compile(answer.cell, filename, "exec", dont_inherit=True), names)
    return names[answer.exercise]

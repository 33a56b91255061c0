"""What the students of a made-up class hand in: the right, wrong and forbidden answers of the corpus, as cells."""

import ast
from dataclasses import dataclass
from functools import cache

from course_attention.answer_corpus.corpus import answers, is_there
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.course.cells import own_notebook

RIGHT, WRONG, FORBIDDEN = "right", "wrong", "forbidden"


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
    """Exercise → answers, for a notebook of the course. A new exercise may have none yet.

    Args:
        stem: the notebook's name, without its ending.

    Raises:
        CorpusError: the corpus cannot be read.
    """
    notebook = own_notebook(stem)
    first = next(cell for cell in notebook.cells if cell.role == "provided")
    # The notebook's own exercises are there as well: a student's answer, or the course's helper in its place.
    had = {*_bound(first.source), *notebook.exercises}
    return {
        name: [
            KnownAnswer(answer.idea if answer.kind == WRONG else answer.kind, _cell(answer, had))
            for answer in (answers(name) if is_there(name) else ())
            if answer.kind in (RIGHT, WRONG, FORBIDDEN)
        ]
        for name in notebook.exercises
    }


def _cell(answer: Answer, had: set[str]) -> str:
    """Return the answer's text, below those of its imports that the notebook has not made."""
    missing = [statement for statement in answer.imports if not had.issuperset(_bound(statement))]
    return "\n".join([*missing, *(["", ""] if missing else []), answer.source])


def _bound(source: str) -> list[str]:
    """Return the names that the imports of a cell bind."""
    imports = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return [(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names]

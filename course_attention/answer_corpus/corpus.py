"""The corpus: answers to every exercise of which it is known what they are, each stored once, in `tests/corpus`."""

from functools import cache
from pathlib import Path

import course_attention
from course_attention.active_course import active
from course_attention.answer_corpus.corpus_answer import Answer, CorpusError
from course_attention.answer_corpus.corpus_file import read_answers
from course_attention.course.helper_source import own_source
from course_attention.exercises import CATALOGUE
from course_attention.topics import topic_of


def corpus_folder() -> Path:
    """Return the folder of the corpus: inside the package when it came as a wheel, else among the tests of the clone.

    Raises:
        CorpusError: there is none in either place.
    """
    package = Path(course_attention.__file__).resolve().parent
    for folder in (package / "corpus", package.parent / "tests" / "corpus"):
        if any(folder.glob("*/*.py")):
            return folder
    raise CorpusError(f"no corpus of answers in {package} or in tests/ beside it: install the course again")


@cache
def answers(exercise: str) -> tuple[Answer, ...]:
    """All answers of the corpus to an exercise, in the order of its file; of an author's, the reference solution alone.

    Args:
        exercise: its name.

    Raises:
        CorpusError: the exercise has no file, or the file breaks a rule.
    """
    if exercise not in CATALOGUE:
        raise CorpusError(f"the corpus has a file for each exercise, and no exercise is called {exercise!r}")
    if exercise in active().homes:
        return (Answer(exercise, "right", "", "right__reference", "", own_source(exercise), ()),)
    if not is_there(exercise):
        raise CorpusError(f"the corpus has a file for each exercise; {_path(exercise)} is missing")
    return read_answers(_path(exercise))


def is_there(exercise: str) -> bool:
    """Whether answers to an exercise are known: the corpus has a file for it, or it is an author's."""
    return exercise in CATALOGUE and (exercise in active().homes or _path(exercise).is_file())


def _path(exercise: str) -> Path:
    return corpus_folder() / topic_of(exercise).name / f"{exercise}.py"

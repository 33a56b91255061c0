"""What notebook 07 asserts holds for right answers of every style; those to earlier notebooks are only shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

import course_attention
from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.course.free_names import used_names
from course_attention.exercises import CATALOGUE
from tests.answer_objects import of_kind, practised_answers
from tests.notebooks.running import read
from tools.notebooks import FOLDER

CODE = [cell["source"] for cell in read(FOLDER / "07_complexity.ipynb")["cells"] if cell["cell_type"] == "code"]
IMPORTS, EARLIER = "from torch.utils.flop_counter import", "mine("
YOURS = "if your_attention is not attention"
KEPT = ("def block_forward(", "def kept(", 'if attentions["yours"] is not attention')
SCANS = ("def count(", "def in_pairs(", "scans = {", "factors = {}", "def by_eigenvectors(")


class Guess:
    """A prediction that nobody made."""

    def compare(self, result: object) -> None:
        """Show nothing."""


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Give back what the notebook sets for the whole process."""
    learns, threads = torch.is_grad_enabled(), torch.get_num_threads()
    yield
    torch.set_grad_enabled(learns)
    torch.set_num_threads(threads)


def cell(piece: str) -> str:
    """Return the one cell that holds this piece."""
    (source,) = [source for source in CODE if piece in source]
    return source


def run(pieces: tuple[str, ...], **answers: Any) -> dict[str, Any]:
    """Run the first imports and these cells, with the course's functions and these answers; return all names."""
    names = {name: getattr(course_attention, name) for name in CATALOGUE if hasattr(course_attention, name)}
    exec(cell(IMPORTS), names)
    names |= {"mine": lambda name: answers.get(name, names[name]), "steps_guess": Guess(), **answers}
    for piece in pieces:
        exec(cell(piece), names)
    return names


def test_earlier_answers_are_only_shown() -> None:
    """All that is counted, timed and asserted is so of the course's functions."""
    answer = object()
    names = run((EARLIER,), attention=answer)
    assert names["attention"] is course_attention.attention
    assert names["your_attention"] is answer
    assert [source for source in CODE if "your_attention" in used_names(source)] == [cell(YOURS)]


@pytest.mark.parametrize("answer", of_kind("attention", "right"), ids=lambda answer: answer.name)
def test_your_attention(answer: Answer, capsys: pytest.CaptureFixture[str]) -> None:
    """The memory that a right answer takes, and what training keeps of it, are shown beside those of the course's."""
    run((EARLIER, YOURS, *KEPT), attention=value_of(answer))
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].split()[-1] for line in printed] == 2 * ["course's", "yours"]


@pytest.mark.parametrize(
    "answer", [one for one in practised_answers("by_doubling") if one.kind == "right"], ids=lambda answer: answer.name
)
def test_right_scans(answer: Answer) -> None:
    """However a right scan joins its rounds, its work is within the notebook's limits."""
    run(SCANS, by_doubling=value_of(answer))

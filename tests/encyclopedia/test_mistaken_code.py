"""Code that has a misconception: there is some for each, the judge names it, and no right answer is given away."""

from __future__ import annotations

import pytest

from course_attention.answer_corpus.corpus import answers
from course_attention.encyclopedia.entries import entries, words_of
from course_attention.encyclopedia.entry_verdict import verdict_on
from course_attention.encyclopedia.mistaken_code import MISSING, MOST_LINES, extra_answers, mistaken_code
from course_attention.exercises import CATALOGUE

IDS = list(entries())
SOME = IDS[::12]


def test_each_has_code():
    """For every misconception there is an answer, of an exercise in which it can be named."""
    for id in IDS:
        assert mistaken_code(id).exercise in entries()[id].exercises, id


def test_the_list_of_extra_answers_is_used():
    """Each line of the list is of a misconception that no answer is named after, and of an answer that there is."""
    for id, line in extra_answers().items():
        assert line["answer"] in {answer.label for answer in answers(line["exercise"])}, id
        assert mistaken_code(id).answer.label == line["answer"], id


@pytest.mark.parametrize("id", [*SOME, *list(extra_answers())[::6]])
def test_the_judge_names_it(id):
    """The judge says of the code that it has this misconception."""
    assert verdict_on(id).misconception == id


@pytest.mark.exhaustive
@pytest.mark.slow
def test_the_judge_names_each():
    """The judge says so of the code of every misconception."""
    assert [id for id in IDS if verdict_on(id).misconception != id] == []


def test_a_diff_is_short_and_no_answer():
    """A diff shows few right lines, never those of a number, and leaves out most of the answer around them."""
    for id in IDS:
        code = mistaken_code(id)
        lines = code.as_diff().splitlines()
        added = [line for line in lines if line.startswith("+")]
        assert any(line.startswith("-") for line in lines) or added, id
        assert len(added) <= MOST_LINES, id
        assert not added or CATALOGUE[code.exercise].kind != "value", id
        right = [line.strip() for line in code.right.source.splitlines()[1:] if line.strip()]
        shown = {line[1:].strip() for line in lines if line[0] in " +"}
        assert not right or not set(right) <= shown, id


def test_an_example():
    """The mask after the softmax, as a reader sees it."""
    assert words_of("mask-after-softmax")[0] == "The mask is applied after the softmax"
    diff = mistaken_code("no-scale").as_diff()
    assert "-    scores = query @ key" in diff
    assert MISSING not in diff

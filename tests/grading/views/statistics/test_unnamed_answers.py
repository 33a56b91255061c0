"""Answers without a name are grouped by what they gave, and a group has the lines that start a misconception."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
import torch

from course_attention.exercises import CATALOGUE
from course_attention.grading.run.results.verdict_record import judged, with_code
from course_attention.grading.views.pages import report
from course_attention.grading.views.pages.new_misconception import new_misconception
from course_attention.grading.views.results import StoredResult, whole
from course_attention.grading.views.statistics.unnamed_answers import UnnamedAnswers
from tests.grading.views.made import Outline, exercise, record
from tests.grading.views.pages.test_report import counted, wrong

SQUARED = "def attention(query, key, value, allowed=None):\n    # Ada's\n    return query**2"


def squared(query, key, value, allowed=None):
    weights = (query @ key.mT / key.shape[-1] ** 0.5).softmax(-1) ** 2
    return weights @ value, weights


def squared_otherwise(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / np.sqrt(key.shape[-1])
    weights = torch.exp(2 * torch.log_softmax(scores, -1))
    return weights @ value, weights


def halved(query, key, value, allowed=None):
    weights = (query @ key.mT / key.shape[-1] ** 0.5).softmax(-1) / 2
    return weights @ value, weights


def entry(answer: object, code: str = "") -> dict:
    attention = CATALOGUE["attention"]
    return with_code(judged(attention, attention.judge(answer, seed=7)), code)


def grouped(*several: dict) -> UnnamedAnswers:
    answers = UnnamedAnswers()
    for one in several:
        answers.add([StoredResult(one["student"], one["notebook"], whole(one))])
    return answers


def test_grouped_by_what_they_gave() -> None:
    """Two ways to write one computation are one group, the largest; another computation is another."""
    several = [
        record("ada", [entry(squared)]),
        record("bob", [entry(halved)]),
        record("eve", [entry(squared_otherwise)]),
    ]
    first, second = grouped(*several).largest()
    assert first.exercise == "attention" and [one.student for one in first.holders.first] == ["ada", "eve"]
    assert second.holders.count == 1 and first.lost == pytest.approx(2 * 4 * (1 - entry(squared)["score"]))


def test_only_wrong_numbers_without_a_name() -> None:
    """What passed, raised, was not tried or has a name is in no group."""
    own = [
        exercise(),
        exercise("mean_attention", "not_attempted"),
        wrong("cross_attention", "no-scale"),
        wrong("bilinear_scores", None, "errored"),
    ]
    assert grouped(record("ada", own)).largest() == []


def test_equal_numbers() -> None:
    """Of a predicted number, those who gave the same number are a group."""
    asked = CATALOGUE["score_variance"]
    several = [record(f"s{n}", [judged(asked, asked.judge(number))]) for n, number in enumerate((3, 0.5, 3.0))]
    assert [group.holders.count for group in grouped(*several).largest()] == [2, 1]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of answers that nobody else gave, few samples are kept; a group of two has one all the same."""
    monkeypatch.setattr("course_attention.grading.views.statistics.unnamed_answers._MOST_SAMPLES", 0)
    several = [record("ada", [entry(squared)]), record("bob", [entry(halved)])]
    assert grouped(*several).largest() == []
    (group,) = grouped(*several, record("eve", [entry(squared)])).largest()
    assert group.holders.count == 2


def test_on_the_page(tmp_path: Path) -> None:
    """The page says how many gave it, and has the answer without its author, and the lines to paste."""
    several = [record(name, [entry(squared, SQUARED)]) for name in ("ada", "bob")]
    source = report.page(*counted(tmp_path, *several))
    text = Outline(source).text
    assert "attention : 2 equal answers" in text and "Ada" not in source
    assert "def wrong__new_name__1" in text and "The weights do not sum to 1: 2 queries" in text


@pytest.mark.parametrize("name", ["attention", "MultiHeadAttention", "score_variance"])
def test_start_of_a_misconception(name: str) -> None:
    """The lines name the exercise\'s file, are Python where they stand alone, and take what the oracle takes."""
    lines = new_misconception(name, f"def {name}(x):\n    return x")
    assert lines.startswith(f"# Into the exercise's file, {name}.py:") and "def wrong__new_name__1(x):" in lines
    assert lines.count('"new-name": Misconception(') == 1
    variant = lines.partition("# among its")[0]
    tree = ast.parse(variant)
    if CATALOGUE[name].kind in ("function", "module"):
        (function,) = tree.body
        oracle = CATALOGUE[name].exercise.oracle.__code__
        assert isinstance(function, ast.FunctionDef)
        taken = [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]
        assert taken == list(oracle.co_varnames[: oracle.co_argcount + oracle.co_kwonlyargcount])


def test_exercise_that_is_gone() -> None:
    """There is no file into which the lines would go."""
    assert new_misconception("no such exercise", "x = 1") == ""

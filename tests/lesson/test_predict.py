"""A prediction: asked, answered, put beside the result and counted; asked of nobody where there is no widget."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from course_attention.course.workspace import MARKER
from course_attention.lesson import predict, predictions, progress
from course_attention.lesson.prediction_widget import prediction_widget

CHOICES = ["the projections", "the scores"]
PREDICT = sys.modules["course_attention.lesson.predict"]


@pytest.fixture(autouse=True)
def nothing_predicted(monkeypatch: pytest.MonkeyPatch, shown: list) -> None:
    """Nothing predicted so far; cards go where the test can read them."""
    monkeypatch.setattr(predictions, "_memory", {})
    monkeypatch.setattr(PREDICT, "show", shown.append)


def last(shown: list) -> str:
    return " ".join(str(shown[-1]).split())


def test_choice(shown: list) -> None:
    """The choice stands beside the result, whether it came out or not."""
    guess = predict("Which grows faster?", CHOICES)
    assert "guess.answer = " in str(shown[-1])
    assert all(choice in str(shown[-1]) for choice in CHOICES)
    guess.compare("the scores")
    assert "You made no prediction. The experiment gave “the scores”." in last(shown)
    guess.answer = "the projections"
    guess.compare("the scores")
    assert "You predicted “the projections”. The experiment gave “the scores”." in last(shown)
    guess.answer = "the scores"
    guess.compare("the scores")
    assert "As you said." in last(shown)


@pytest.mark.parametrize("measured", [98304, np.int64(98304), torch.tensor(98304.0), np.array(98304)])
def test_number(shown: list, measured: object) -> None:
    """A number counts as right within the share that was allowed, and not beyond it."""
    guess = predict("How many weights?")
    guess.answer = 90_000
    guess.compare(measured)
    assert "You predicted 90,000. The experiment gave 98,304. You were right to within 10%." in last(shown)
    guess.compare(measured, within=0.01)
    assert "You were right" not in last(shown)


@pytest.mark.parametrize("wrong", ["both", 1, ["the scores"]])
def test_wrong_choice(wrong: object) -> None:
    """What is not one of the choices is refused, as a prediction and as a result; the rule is in the error."""
    guess = predict("Which grows faster?", CHOICES)
    for refused in (lambda: setattr(guess, "answer", wrong), lambda: guess.compare(wrong)):
        with pytest.raises(ValueError, match="must be one of 'the projections', 'the scores'"):
            refused()
    assert guess.answer is None


@pytest.mark.parametrize("wrong", ["many", "3", True, float("nan"), [1, 2], np.ones(2)])
def test_wrong_number(wrong: object) -> None:
    """What is no number is refused, as a prediction and as a result."""
    guess = predict("How many weights?")
    for refused in (lambda: setattr(guess, "answer", wrong), lambda: guess.compare(wrong)):
        with pytest.raises(ValueError, match="must be a number"):
            refused()


@pytest.mark.parametrize(
    ("question", "choices"), [("", ()), (3, ()), ("Which?", ["a"]), ("Which?", ["a", "a"]), ("Which?", "ab")]
)
def test_questions_that_ask_nothing(question: object, choices: object) -> None:
    """A question needs words, and a choice at least two different things."""
    with pytest.raises(ValueError, match="must"):
        predict(question, choices)


def test_without_widgets(monkeypatch: pytest.MonkeyPatch, shown: list) -> None:
    """Where ipywidgets is missing the question is still put, and can be answered."""
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    guess = predict("Which grows faster?", CHOICES)
    guess.answer = "the scores"
    assert guess.answer == "the scores"
    assert len(shown) == 1


def test_widget_of_choices() -> None:
    """Radio buttons, none of them chosen, set the answer; the line below says which."""
    widgets = pytest.importorskip("ipywidgets")
    guess = predict("Which grows faster?", CHOICES)
    buttons, line = prediction_widget(guess, widgets).children
    assert buttons.value is None
    assert "No prediction yet" in line.value
    buttons.value = "the scores"
    assert guess.answer == "the scores"
    assert "Your prediction: the scores" in line.value


@pytest.mark.parametrize(
    ("typed", "answer", "said"),
    [
        ("98,304", 98304.0, "Your prediction: 98,304"),
        (" 1e3 ", 1000.0, "Your prediction: 1,000"),
        ("", None, "No prediction yet"),
        ("many", None, "Write a number"),
        ("inf", None, "Write a number"),
    ],
)
def test_widget_of_a_number(typed: str, answer: float | None, said: str) -> None:
    """What is typed is the answer, where it is a number."""
    widgets = pytest.importorskip("ipywidgets")
    guess = predict("How many weights?")
    field, line = prediction_widget(guess, widgets).children
    field.value = "7"
    field.value = typed
    assert guess.answer == answer
    assert said in line.value


def test_progress_counts_the_first(tmp_path: Path, shown: list) -> None:
    """`progress` says how often a prediction came true. The first comparison counts, in every notebook."""
    (tmp_path / MARKER).mkdir()
    progress()
    assert "Predictions" not in str(shown[-1])
    weights, faster = predict("How many weights?"), predict("Which grows faster?", CHOICES)
    weights.answer, faster.answer = 1, "the scores"
    weights.compare(1)
    faster.compare("the projections")
    faster.answer = "the projections"
    faster.compare("the projections")
    progress()
    assert "Predictions: 1 of 2 came out as you said. They are not scored." in last(shown)
    predictions._memory.clear()  # another notebook's session
    progress()
    assert "Predictions: 1 of 2" in last(shown)
    assert predict("Which grows faster?", CHOICES).answer == "the scores"


@pytest.mark.parametrize("content", ["{", "[]", '{"Which grows faster?": 3}', '{"a": {"answer": 1}}'])
def test_damaged_records(tmp_path: Path, shown: list, content: str) -> None:
    """A file that is no record is set aside as it is, and said; nothing is raised."""
    (tmp_path / MARKER).mkdir()
    file = tmp_path / MARKER / "predictions.json"
    file.write_text(content)
    guess = predict("Which grows faster?", CHOICES)
    guess.answer = "the scores"
    guess.compare("the scores")
    predictions._memory.clear()
    assert predictions.summary().startswith("Predictions: 1 of 1")
    assert file.with_suffix(".damaged.json").read_text() == content
    progress()
    assert "predictions.damaged.json" in last(shown)

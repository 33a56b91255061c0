"""Predictions: a question before the result exists, and the prediction beside the result afterwards. Never scored."""

import html
import json
import linecache
import math
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from course_attention.lesson import predictions
from course_attention.lesson.controls import show_controls
from course_attention.lesson.prediction_widget import prediction_widget
from course_attention.presentation.display import Bundle, announced, frame, paragraphs, show, wrapped

Answer = str | float


class Prediction:
    """A question, and what a student expects.

    Attributes:
        question: what was asked.
        choices: what there is to choose from; empty where a number is asked for.
    """

    def __init__(self, question: str, choices: Sequence[str] = ()) -> None:
        if not isinstance(question, str) or not question.strip():
            raise ValueError(f"question must say what is to be predicted; got {question!r}")
        if choices and (isinstance(choices, str) or len(set(choices)) != len(choices) or len(choices) < 2):
            raise ValueError(f"choices must be at least two different texts; got {choices!r}")
        self.question = question
        self.choices = tuple(choices)
        self._answer: Answer | None = predictions.answer_to(question, self.choices)

    @property
    def answer(self) -> Answer | None:
        """The prediction: one of the choices, or a number; None while there is none."""
        return self._answer

    @answer.setter
    def answer(self, answer: Answer | None) -> None:
        self._answer = None if answer is None else self._valid(answer, "a prediction")

    def compare(self, measured: Any, within: float = 0.1) -> None:
        """Show the prediction beside the result.

        Args:
            measured: what the experiment gave: one of the choices, or a number.
            within: how far from the measured number a prediction may be to be right, as a share of that number.

        Raises:
            ValueError: this is not one of the choices, or not a number.
        """
        result = self._valid(measured, "the result")
        if self.answer is None:
            text = f"You made no prediction. The experiment gave {_said(result)}."
        else:
            right = self._right(result, within)
            predictions.keep(self.question, self.answer, right)
            text = f"You predicted {_said(self.answer)}. The experiment gave {_said(result)}. " + (
                ("As you said." if self.choices else f"You were right to within {within:.0%}.")
                if right
                else "It came out differently: what did you not expect?"
            )
        head = f'<p class="ca-idea">{html.escape(self.question)}</p>'
        # Where nobody predicts, as after "Run All", a screen reader need not read out all results.
        came = paragraphs(text) if self.answer is None else announced(paragraphs(text))
        body = frame("prediction", "Your prediction and the result", head, came)
        show(Bundle(body, wrapped(f"{self.question}\n{text}")))

    def _right(self, result: Answer, within: float) -> bool:
        if isinstance(self.answer, str) or isinstance(result, str):
            return self.answer == result
        assert self.answer is not None
        return abs(self.answer - result) <= within * abs(result)

    def _valid(self, answer: Any, what: str) -> Answer:
        """Return the answer, as a text or as Python's own number."""
        if self.choices:
            if answer not in self.choices:
                raise ValueError(f"{what} must be one of {', '.join(map(repr, self.choices))}; got {answer!r}")
            return str(answer)
        try:
            number = math.nan if isinstance(answer, (str, bool)) else float(answer)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise ValueError(f"{what} must be a number, such as 1000 or 0.25; got {answer!r}")
        return number


def predict(question: str, choices: Sequence[str] = ()) -> Prediction:
    """Ask for a prediction before the result exists, as in `guess = predict("Which is faster?", ["this", "that"])`.

    Args:
        question: what is to be predicted.
        choices: what there is to choose from; without them a number is asked for.

    Returns:
        The prediction: `guess.answer` can be read and set, and `guess.compare(measured)` shows it beside the result.

    Raises:
        ValueError: there is no question, or there are not at least two different choices.
    """
    guess = Prediction(question, choices)
    caller = sys._getframe(1)
    line = linecache.getline(caller.f_code.co_filename, caller.f_lineno)
    name = found[1] if (found := re.match(r"\s*(\w+)\s*=\s*predict\b", line)) else "guess"
    example = json.dumps(guess.choices[0], ensure_ascii=False) if guess.choices else "42"
    how = (
        f"Where you see nothing to click, write for example `{name}.answer = {example}` in a cell of your own, "
        f"with your own {'choice' if guess.choices else 'number'}."
    )
    head = f'<p class="ca-idea">What do you expect? {html.escape(question)}</p>'
    options = "".join(f"\n  - {choice}" for choice in guess.choices)
    card = frame("prediction", "A question before the experiment", head, paragraphs(how))
    show(Bundle(card, f"{wrapped('What do you expect? ' + question)}{options}\n{wrapped(how)}"))
    show_controls(partial(prediction_widget, guess))
    return guess


def _said(answer: Answer) -> str:
    """Return an answer as it is written in a sentence."""
    if isinstance(answer, str):
        return f"“{answer}”"
    return f"{answer:,.0f}" if answer == int(answer) else f"{answer:,.4g}"

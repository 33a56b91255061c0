"""The controls of a prediction: radio buttons for choices, a field for a number."""

from typing import Any

from course_attention.presentation.display import status_line


def prediction_widget(guess: Any, widgets: Any) -> Any:
    """Make the controls that set `guess.answer`, with a line below them that says what is set.

    The line is a status, so that a screen reader reads it out when it changes.

    Args:
        guess: the prediction.
        widgets: the module `ipywidgets`.
    """
    line = widgets.HTML(_line(guess))
    if guess.choices:
        control = widgets.RadioButtons(options=guess.choices, value=guess.answer, layout={"width": "max-content"})
    else:
        given = "" if guess.answer is None else f"{guess.answer:g}"
        control = widgets.Text(given, placeholder="a number", description="Number:")
    control.tooltip = guess.question

    def answered(change: Any) -> None:
        try:
            guess.answer = change["new"] if guess.choices else _number(change["new"])
        except ValueError:
            guess.answer = None
            line.value = status_line("Write a number, such as 1000 or 0.25.")
        else:
            line.value = _line(guess)

    control.observe(answered, "value")
    return widgets.VBox([control, line])


def _number(text: str) -> float | None:
    """Return the number that is written, with or without commas between its thousands; None for an empty field."""
    return float(text.replace(",", "").replace("_", "").strip()) if text.strip() else None


def _line(guess: Any) -> str:
    answer = guess.answer
    if answer is None:
        return status_line("No prediction yet.")
    return status_line(f"Your prediction: {answer if guess.choices else format(answer, ',g')}")

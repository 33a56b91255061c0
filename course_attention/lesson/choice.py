"""A question with choices that is answered once: by a button, or by an assignment where there are no widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from course_attention.lesson.controls import show_controls
from course_attention.presentation.display import Bundle, rich, show, status_line


class Choice:
    """A question on the table. A cell that ends with it shows nothing more than the question has shown.

    Args:
        options: what there is to choose from: its name → what it says.
        answered: called with the name that was chosen; returns what is shown then.
        another: puts the next question in the place of this one, where there can be one.
        outcome: what came of the name that was chosen, in a sentence that a screen reader reads out.

    Attributes:
        options: as above.
    """

    def __init__(
        self,
        options: Mapping[str, str],
        answered: Callable[[str], Bundle],
        another: Callable[[], Choice | None] | None = None,
        outcome: Callable[[str], str] = "Answered: {}.".format,
    ) -> None:
        self.options = dict(options)
        self.another = another
        self.outcome = outcome
        self._answered = answered
        self._answer: str | None = None
        self.on_answer: Callable[[], object] = lambda: None

    @property
    def answer(self) -> str | None:
        """The name that was chosen; None while there is none. Setting it answers the question."""
        return self._answer

    @answer.setter
    def answer(self, name: str) -> None:
        show(self.choose(name))

    def choose(self, name: object) -> Bundle:
        """Answer the question; returns what is to be shown.

        Raises:
            ValueError: there is no such choice, or the question has been answered.
        """
        if not isinstance(name, str) or name not in self.options:
            raise ValueError(f"the choices are {', '.join(map(repr, self.options))}; got {name!r}")
        if self._answer is not None:
            raise ValueError(f"this question has its answer, {self._answer!r}; run the cell again for another")
        self._answer = name
        shown = self._answered(self._answer)
        self.on_answer()
        return shown

    def _ipython_display_(self) -> None:
        """Show nothing: the question stands above."""


def choice_widget(choice: Choice, update: Callable[[Bundle], object], widgets: Any) -> Any:
    """Return radio buttons, a button that answers, and a line that a screen reader reads out when it changes.

    Where there is another question, the button then asks for it.

    Args:
        choice: the question.
        update: shows what comes of the answer.
        widgets: the module `ipywidgets`.
    """
    wide = {"layout": {"width": "max-content"}}
    radio = widgets.RadioButtons(options=_labelled(choice), value=None, **wide)
    button = widgets.Button(description="Answer", **wide)
    line = widgets.HTML(status_line("Choose one, then press the button."))
    at = {"choice": choice}

    def answered() -> None:
        can_go_on = at["choice"].another is not None
        radio.disabled = True
        button.description = "Next question" if can_go_on else "Answered"
        button.disabled = not can_go_on
        more = " Press the button for the next question." if can_go_on else ""
        line.value = status_line(f"{at['choice'].outcome(at['choice'].answer or '')} More is above.{more}")

    def pressed(_button: Any) -> None:
        now = at["choice"]
        if now.answer is not None:
            following = now.another() if now.another is not None else None
            if following is not None:
                at["choice"] = following
                following.on_answer = answered
                radio.options, radio.value, radio.disabled = _labelled(following), None, False
                button.description = "Answer"
                line.value = status_line("The next question is above.")
        elif radio.value is None:
            line.value = status_line("Choose one of them first.")
        else:
            update(now.choose(radio.value))

    choice.on_answer = answered
    button.on_click(pressed)
    return widgets.VBox([radio, button, line])


def show_widget(choice: Choice, update: Callable[[Bundle], object]) -> None:
    """Show the controls, where there is a front end with widgets."""
    show_controls(lambda widgets: choice_widget(choice, update, widgets))


def options_html(options: Mapping[str, str]) -> str:
    """Return what there is to choose from, as HTML.

    Example:
        >>> options_html({"a": "`n` is too small"})
        '<ul><li><code>a</code>: <code>n</code> is too small</li></ul>'
    """
    items = "".join(f"<li><code>{name}</code>: {rich(said)}</li>" for name, said in options.items())
    return f"<ul>{items}</ul>"


def _labelled(choice: Choice) -> list[tuple[str, str]]:
    return [(f"{name}: {said}", name) for name, said in choice.options.items()]

"""A question with choices is answered once: by its button, from the keyboard, or by an assignment."""

from __future__ import annotations

import pytest

from course_attention.lesson.choice import Choice, choice_widget
from course_attention.presentation.display import Bundle

OPTIONS = {"mask": "It holds without a mask, but not with one", "nothing": "The judge lets it pass"}


def choice(another: object = None) -> Choice:
    return Choice(OPTIONS, lambda name: Bundle("", f"You said {name}."), another)


def test_assignment(shown: list) -> None:
    """An assignment answers, and what comes of it is shown in the same cell."""
    asked = choice()
    assert asked.answer is None
    asked.answer = "mask"
    assert asked.answer == "mask"
    assert str(shown[-1]) == "You said mask."


@pytest.mark.parametrize("wrong", ["masks", 1, None, ["mask"]])
def test_no_such_choice(wrong: object, shown: list) -> None:
    """What is not among the choices is refused, and the question stays open."""
    asked = choice()
    with pytest.raises(ValueError, match="the choices are 'mask', 'nothing'"):
        asked.answer = wrong
    assert asked.answer is None and shown == []


def test_once(shown: list) -> None:
    """A second answer is refused: the first has been seen to be right or wrong."""
    asked = choice()
    asked.answer = "mask"
    with pytest.raises(ValueError, match="has its answer"):
        asked.answer = "nothing"
    assert asked.answer == "mask" and len(shown) == 1


def test_shows_nothing_at_the_end_of_a_cell() -> None:
    """A cell that ends with the question shows what the question has shown, and no object below it."""
    assert choice()._ipython_display_() is None


def test_widget(shown: list) -> None:
    """Choosing is not answering: only the button answers, and the line says what has happened."""
    widgets = pytest.importorskip("ipywidgets")
    asked, updates = choice(), []
    radio, button, line = choice_widget(asked, updates.append, widgets).children
    button.click()
    assert asked.answer is None and "Choose one of them first" in line.value
    radio.value = "mask"
    assert asked.answer is None
    button.click()
    assert asked.answer == "mask" and [str(one) for one in updates] == ["You said mask."]
    assert 'role="status"' in line.value and "Answered: mask" in line.value
    assert radio.disabled and button.disabled
    assert shown == []


def test_widget_goes_on(shown: list) -> None:
    """Where there is another question, the same button asks it, and the same controls answer it."""
    widgets = pytest.importorskip("ipywidgets")
    following = choice()
    updates: list[Bundle] = []
    radio, button, _line = choice_widget(choice(lambda: following), updates.append, widgets).children
    radio.value = "mask"
    button.click()
    assert button.description == "Next question" and not button.disabled
    button.click()
    assert radio.value is None and not radio.disabled and button.description == "Answer"
    radio.value = "nothing"
    button.click()
    assert following.answer == "nothing" and len(updates) == 2
    assert button.disabled


def test_widget_knows_of_an_assignment(shown: list) -> None:
    """Where the question is answered by an assignment, the controls show that it is."""
    widgets = pytest.importorskip("ipywidgets")
    asked = choice()
    radio, _button, line = choice_widget(asked, lambda bundle: None, widgets).children
    asked.answer = "nothing"
    assert radio.disabled and "Answered: nothing" in line.value

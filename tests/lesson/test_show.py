"""A figure is shown once, with its description."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from course_attention.lesson import show
from course_attention.lesson.show import DescribedFigure

ALT = 'A "line" that rises.'


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch):
    """Return what a cell displays, as (data, metadata), under IPython."""
    shell = InteractiveShell.instance()

    def run(figure: object, alt: str = ALT) -> tuple[dict, dict]:
        with capture_output() as captured:
            show(figure, alt=alt)
        (output,) = captured.outputs
        return output.data, output.metadata

    yield run
    InteractiveShell.clear_instance()
    del shell


@pytest.mark.parametrize("of", [lambda f, a: f, lambda f, a: a, lambda f, a: a[0]], ids=["figure", "array", "axes"])
def test_the_image_has_its_description(displayed, monkeypatch: pytest.MonkeyPatch, of) -> None:
    """PNG and text with the alt text in the metadata; nothing is left that would be drawn again."""
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    data, metadata = displayed(of(*plt.subplots(1, 2)))
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == f"[figure: {ALT}]"
    assert metadata["image/png"]["alt"] == ALT
    assert plt.get_fignums() == []


def test_jupyter_gets_html_as_well(displayed, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an open notebook the image is HTML as well, whose alt text JupyterLab keeps; quotes in it are escaped."""
    monkeypatch.setenv("JPY_SESSION_NAME", "lesson.ipynb")
    data, _ = displayed(plt.figure())
    assert data["text/html"].startswith('<img alt="A &quot;line&quot; that rises." src="data:image/png;base64,')


@pytest.mark.parametrize("alt", ["", "  ", "Figure", "a plot", None])
def test_a_description_is_needed(alt: object) -> None:
    """A description that says nothing is refused, and the figure stays open."""
    with pytest.raises(ValueError, match="alt must describe"):
        show(plt.figure(), alt=alt)
    plt.close("all")


@pytest.mark.parametrize("wrong", [None, 3, [], "a line"])
def test_no_figure(wrong: object) -> None:
    """What is no figure is refused by its type."""
    with pytest.raises(TypeError, match="takes a matplotlib figure"):
        show(wrong, alt=ALT)


def test_outside_ipython(capsys: pytest.CaptureFixture) -> None:
    """A script prints the description."""
    show(plt.figure(), alt=ALT)
    assert capsys.readouterr().out == f"[figure: {ALT}]\n"


def test_text_is_the_same_each_time() -> None:
    """The text depends on the description alone."""
    assert repr(DescribedFigure("a", ALT)) == repr(DescribedFigure("b", ALT))

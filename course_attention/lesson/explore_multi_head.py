"""An explorer of multi-head attention: what each head of a trained attention looks at in a typed sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from course_attention.experiments.multi_head.two_relations import MOST_WORDS, Trained, read
from course_attention.figures.heads import weights_by_head
from course_attention.lesson.explorer import Explorer, png
from course_attention.mechanisms.multi_head import multi_head_attention

SENTENCE = "six brown dogs saw big deer"


class HeadsExplorer(Explorer):
    """A sentence that the reader types, and a heat map of the weights of each head."""

    still = (
        "Explorer: the weights of each head over a sentence typed by the reader; "
        "here a still picture of one sentence."
    )

    what = "The weights of each head as a heat map of the words"

    def __init__(self, trained: Trained, attend: Callable = multi_head_attention) -> None:
        self.trained, self.attend = trained, attend
        self.start()

    def draw(self, sentence: str = SENTENCE) -> bytes:
        """The picture for one sentence, as PNG.

        Raises:
            ValueError: it has no words or too many, or a word does not begin with a letter.
        """
        words = sentence.split()
        weights, _ = read(words, self.trained, self.attend)
        side = 1.4 + 0.34 * MOST_WORDS  # whatever the sentence, so that the picture stays where it is
        figure = Figure(figsize=(side * len(weights) + 0.8, side), dpi=80, layout="constrained")
        weights_by_head(weights, words, axes=figure.subplots(1, len(weights), squeeze=False)[0])
        return png(figure)

    def controls(self, widgets: Any, image: Any) -> Any:
        """The field for the sentence, a note that says why a sentence cannot be read, and the image."""
        text = widgets.Text(
            value=SENTENCE,
            description="sentence",
            placeholder=f"1 to {MOST_WORDS} words",
            continuous_update=False,
            layout=widgets.Layout(width="36em", max_width="100%"),
        )
        note = widgets.Label("Press Enter to read the sentence.")

        def redraw(_change: object) -> None:
            try:
                picture, note.value = self.draw(text.value), ""
            except ValueError as error:
                note.value = f"Not read: {error}."
            else:
                image.value = self.image(picture, sentence=text.value)

        text.observe(redraw, "value")
        return widgets.VBox([text, note, image])


def type_a_sentence(trained: Trained, attend: Callable = multi_head_attention) -> HeadsExplorer:
    """Type a sentence and see what each head attends to; `attend` is the attention that reads it.

    Make it the last expression of a cell. Without ipywidgets, and in a saved notebook, it is a still picture.
    """
    return HeadsExplorer(trained, attend)

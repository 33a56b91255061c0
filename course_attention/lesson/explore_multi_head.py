"""An explorer of multi-head attention: what each head of a trained model looks at in a typed sentence."""

from collections.abc import Callable
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from course_attention.experiments.multi_head.partner_sentences import MOST_WORDS, typed_words
from course_attention.figures.heads import weights_by_head
from course_attention.lesson.device import device
from course_attention.lesson.explorer import Explorer, png
from course_attention.presentation.display import status_line

SENTENCE = "six brown dogs saw big deer"


class HeadsExplorer(Explorer):
    """A sentence that the reader types, and a heat map of the weights of each head."""

    still = (
        "Explorer: the weights of each head over a sentence typed by the reader; here a still picture of one sentence."
    )

    what = "The weights of each head as a heat map of the words"

    def __init__(self, model: Callable[[Tensor], tuple[Tensor, Tensor]]) -> None:
        self.model = model
        self.start()

    def draw(self, sentence: str = SENTENCE) -> bytes:
        """Return the picture for one sentence, as PNG.

        Raises:
            ValueError: it has no words or too many, or a word does not begin with a letter.
        """
        words = sentence.split()
        with torch.no_grad():
            _, weights = self.model(typed_words(words).to(device()))
        side = 1.4 + 0.34 * MOST_WORDS  # whatever the sentence, so that the picture stays where it is
        figure = Figure(figsize=(side * len(weights) + 0.8, side), dpi=80, layout="constrained")
        panels = figure.subplots(1, len(weights), squeeze=False)[0]
        weights_by_head(weights.cpu().numpy(), words, axes=panels)
        return png(figure)

    def alt(self, **choice: Any) -> str:
        """Return the sentence in words, and for each head at which word each word looks most."""
        words = choice.get("sentence", SENTENCE).split()
        with torch.no_grad():
            _, weights = self.model(typed_words(words).to(device()))
        most = [
            f"Head {head}: " + ", ".join(f"{word} at {words[place]}" for word, place in zip(words, row, strict=True))
            for head, row in enumerate(weights.argmax(dim=-1).tolist())
        ]
        return f"{super().alt(sentence=' '.join(words))} Each word looks most at one word. {'. '.join(most)}."

    def controls(self, widgets: Any, image: Any) -> Any:
        """Return the field for the sentence, a note that says why a sentence cannot be read, and the image."""
        text = widgets.Text(
            value=SENTENCE,
            description="sentence",
            tooltip="",  # None would be read out, as "null"
            placeholder=f"1 to {MOST_WORDS} words",
            continuous_update=False,
            layout=widgets.Layout(width="36em", max_width="100%"),
        )
        note = widgets.HTML(status_line("Press Enter to read the sentence."))

        def redraw(_change: object) -> None:
            try:
                picture, note.value = self.draw(text.value), status_line("")
            except ValueError as error:
                note.value = status_line(f"Not read: {error}.")
            else:
                image.value = self.image(picture, sentence=text.value)

        text.observe(redraw, "value")
        return widgets.VBox([text, note, image])


def type_a_sentence(model: Callable[[Tensor], tuple[Tensor, Tensor]]) -> HeadsExplorer:
    """Type a sentence and see what each head of a model attends to.

    Make it the last expression of a cell. Without ipywidgets, and in a saved notebook, it is a still picture.

    Args:
        model: from tokens `(n_words, D_MODEL)` to its output and the weights `(n_heads, n_words, n_words)`.
    """
    return HeadsExplorer(model)

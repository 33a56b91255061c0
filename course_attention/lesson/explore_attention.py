"""A query moved among keys by sliders: a still picture where there are no widgets."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure

from course_attention.figures.attention_2d import attention_2d
from course_attention.lesson.device import device
from course_attention.lesson.explorer import Explorer, png
from course_attention.mechanisms.attention import attention

NAMES = ("a", "b", "c", "d", "e")
KEYS = ((2.0, 0.5), (1.2, 1.2), (-1.6, 1.4), (-1.0, -1.8), (0.9, -1.2))
VALUES = ((2.2, -1.8), (2.2, 1.8), (0.0, 2.3), (-2.2, 0.0), (-1.2, -2.0))
STILL = "Explorer: a query moved among five keys by sliders; here a still picture of its weights and output."


class QueryExplorer(Explorer):
    """A query among five keys in the plane, shown as widgets, as a picture and as text in one display.

    A notebook that is saved keeps the picture and the text; a running one shows the sliders.
    """

    still = STILL

    def __init__(self, attend: Callable = attention):
        self.attend = attend
        self.key, self.value = (np.array(points) for points in (KEYS, VALUES))
        # kept and drawn on again: a new figure for each move of a slider would lag behind the hand
        self.figure = Figure(figsize=(13, 3.4), dpi=80, layout="constrained")
        self.axes = self.figure.subplots(1, 4, width_ratios=(1, 0.75, 0.75, 1))
        self.start()
        # the layout is found once: finding it anew would take most of a redraw's time
        self.figure.set_layout_engine("none")

    def look_up(self, x: float, y: float, temperature: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Scores and weights `(5,)` and output `(2,)` of the query (x, y); temperature divides the scores.

        Example:
            >>> scores, weights, output = QueryExplorer().look_up(0.0, 0.0, 1.0)
            >>> weights.round(2)
            array([0.2, 0.2, 0.2, 0.2, 0.2])
        """
        query, key, value = (
            torch.as_tensor(points, dtype=torch.float64, device=device())
            for points in ([[x / temperature, y / temperature]], self.key, self.value)
        )
        output, weights = self.attend(query, key, value)
        scores = query @ key.T / math.sqrt(2)
        return tuple(result.detach().cpu().numpy()[0] for result in (scores, weights, output))

    def draw(self, x: float = 1.0, y: float = 0.8, temperature: float = 1.0) -> bytes:
        """The picture for one place of the query, as PNG."""
        scores, weights, output = self.look_up(x, y, temperature)
        attention_2d(np.array([x, y]), self.key, self.value, scores, weights, output, list(NAMES), self.axes)
        return png(self.figure)

    def controls(self, widgets: Any, image: Any) -> Any:
        x, y = (
            widgets.FloatSlider(start, min=-2.5, max=2.5, step=0.1, description=name)
            for start, name in ((1.0, "query x"), (0.8, "query y"))
        )
        temperature = widgets.FloatLogSlider(1.0, min=-1, max=1, step=0.1, description="temperature")

        def redraw(_change):
            image.value = self.draw(x.value, y.value, temperature.value)

        for slider in (x, y, temperature):
            slider.observe(redraw, "value")
        return widgets.VBox([widgets.HBox([x, y, temperature]), image])


def move_query(attend: Callable = attention) -> QueryExplorer:
    """Move a query among five labelled keys; `attend` is the attention whose weights are shown.

    Make it a cell's last expression. Without ipywidgets, or in a saved notebook, it is a still picture.
    """
    return QueryExplorer(attend)

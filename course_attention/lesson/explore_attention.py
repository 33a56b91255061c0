"""An explorer of attention: sliders move a query among five keys."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from course_attention.figures.attention_2d import attention_2d
from course_attention.lesson.device import device
from course_attention.lesson.explorer import SliderExplorer, png
from course_attention.mechanisms.attention import attention

NAMES = ("a", "b", "c", "d", "e")
KEYS = ((2.0, 0.5), (1.2, 1.2), (-1.6, 1.4), (-1.0, -1.8), (0.9, -1.2))
LARGEST_SCORE = 300.0  # beyond every score that the sliders reach, with room for its number
START = {"x": 1.0, "y": 0.8, "temperature": 1.0}
VALUES = ((2.2, -1.8), (2.2, 1.8), (0.0, 2.3), (-2.2, 0.0), (-1.2, -2.0))


class QueryExplorer(SliderExplorer):
    """A query among five keys in the plane, with its scores, weights and output."""

    still = "Explorer: a query moved among five keys by sliders; here a still picture of its weights and output."

    what = "A query among five keys, its scores and weights as bars, and its output among the values"

    def __init__(self, attend: Callable = attention) -> None:
        self.attend = attend
        self.key, self.value = (np.array(points) for points in (KEYS, VALUES))
        self.start_with_axes(4, (13, 3.4), width_ratios=(1, 0.75, 0.75, 1))

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
        first_rows = [result.detach().cpu().numpy()[0] for result in (scores, weights, output)]
        return first_rows[0], first_rows[1], first_rows[2]

    def draw(self, x: float = 1.0, y: float = 0.8, temperature: float = 1.0) -> bytes:
        """Return the picture for one place of the query, as PNG."""
        scores, weights, output = self.look_up(x, y, temperature)
        attention_2d(np.array([x, y]), self.key, self.value, scores, weights, output, list(NAMES), self.axes)
        # The same axis for every query and temperature, so that the bars alone move; beyond 3 it goes by powers of ten.
        self.axes[1].set_xscale("symlog", linthresh=3, linscale=1.5)
        self.axes[1].set(xlim=(-LARGEST_SCORE, LARGEST_SCORE), xticks=(-30, -3, 0, 3, 30))
        self.axes[1].set_xlabel("logarithmic beyond ±3")
        self.axes[1].xaxis.set_major_formatter("{x:.0f}")
        return png(self.figure)

    def alt(self, **choice: float) -> str:
        """Return the choice, the weights and the output in words."""
        choice = choice or START
        _, weights, output = self.look_up(**choice)
        of_keys = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(NAMES, weights, strict=True))
        place = ", ".join(f"{channel:.1f}" for channel in output)
        return f"{super().alt(**choice)} Weights: {of_keys}. Output: ({place})."

    def sliders(self, widgets: Any) -> list[dict[str, Any]]:
        """Return the place of the query, and the temperature, in a row."""
        x, y = (
            widgets.FloatSlider(start, min=-2.5, max=2.5, step=0.1, description=name)
            for start, name in ((1.0, "query x"), (0.8, "query y"))
        )
        temperature = widgets.FloatLogSlider(1.0, min=-0.5, max=1, step=0.1, description="temperature")
        return [{"x": x, "y": y, "temperature": temperature}]


def move_query(attend: Callable = attention) -> QueryExplorer:
    """Move a query among five labelled keys; `attend` is the attention whose weights are shown.

    Make it the last expression of a cell. Without ipywidgets, and in a saved notebook, it is a still picture.
    """
    return QueryExplorer(attend)

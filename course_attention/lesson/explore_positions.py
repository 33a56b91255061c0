"""An explorer of the sinusoidal encoding: sliders choose a position, a pair of channels, and the base."""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_attention.figures.positions import position_view
from course_attention.lesson.explorer import SliderExplorer, png
from course_attention.mechanisms.positions import sinusoidal_encoding

N_POSITIONS, D_MODEL = 64, 32


class PositionExplorer(SliderExplorer):
    """The encoding at a position and a pair of channels, and how similar the position is to the others."""

    still = "Explorer: a position and a pair of channels of the encoding, chosen by sliders; here a still picture."

    what = "The encoding, a pair of its channels along the sequence, and a position's similarity with the others"

    def __init__(self, encode: Callable = sinusoidal_encoding) -> None:
        self.encode = encode
        self.start_with_axes(3, (13, 3.6))

    def look(self, position: int, pair: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
        """Return the encoding, `(64, 32)`, and the similarities of the position, `(2, 64)`: of the pair, of all pairs.

        Example:
            >>> values, similarity = PositionExplorer().look(position=5, pair=0)
            >>> similarity[:, 5].round(6)
            array([1., 1.])
        """
        values = self.encode(N_POSITIONS, D_MODEL, base).double().cpu().numpy()
        one = values[:, 2 * pair : 2 * pair + 2]
        return values, np.stack([one @ one[position], values @ values[position] / (D_MODEL / 2)])

    def draw(self, position: int = 20, pair: int = 3, base: float = 10000.0) -> bytes:
        """Return the picture for one choice, as PNG."""
        values, similarity = self.look(position, pair, base)
        position_view(values, position, pair, similarity, self.axes)
        return png(self.figure)

    def sliders(self, widgets: Any) -> list[dict[str, Any]]:
        """Return the position, the pair and the base, in a row."""
        position = widgets.IntSlider(20, min=0, max=N_POSITIONS - 1, description="position")
        pair = widgets.IntSlider(3, min=0, max=D_MODEL // 2 - 1, description="pair")
        base = widgets.FloatLogSlider(10000.0, min=1, max=5, step=0.5, description="base")
        return [{"position": position, "pair": pair, "base": base}]


def turn_positions(encode: Callable = sinusoidal_encoding) -> PositionExplorer:
    """Choose a position and a pair of channels; `encode` makes the encoding that is shown.

    Make it the last expression of a cell. Without ipywidgets, and in a saved notebook, it is a still picture.
    """
    return PositionExplorer(encode)

"""Pictures of saved notebooks: few colours, near those that were drawn."""

from __future__ import annotations

import base64
import io

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from tools.pictures import with_palette

NEAR = 16  # of 255, in each channel: in a drawing nobody sees it


def as_png(pixels: np.ndarray) -> str:
    made = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(made, "PNG")
    return base64.b64encode(made.getvalue()).decode("ascii")


def pixels_of(png: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB"), dtype=int)


def heat_map() -> np.ndarray:
    """Return the pixels of a figure as a notebook draws it: a heat map, a thin line, words; (height, width, 4)."""
    figure = Figure(figsize=(5, 4), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.imshow(np.random.default_rng(0).normal(size=(40, 40)), cmap="RdBu")
    axes.plot([0, 39], [39, 0], color="tab:green", linewidth=1)
    axes.set_title("A line across")
    figure.canvas.draw()
    return np.array(figure.canvas.buffer_rgba())


def test_colors_stay_near_in_less_room():
    """A palette takes less than half, and moves no colour far, a rare one neither."""
    drawn = as_png(heat_map())
    found = with_palette(drawn)
    assert len(found) < len(drawn) / 2
    assert np.abs(pixels_of(found) - heat_map()[..., :3]).max() <= NEAR


def test_second_time_changes_nothing():
    """The canonical form of a saved notebook is itself."""
    once = with_palette(as_png(heat_map()))
    assert with_palette(once) == once


def test_transparent_picture_keeps_its_colors():
    """Edges that let the page show through, as in a drawing, are not touched."""
    pixels = heat_map()
    pixels[:8, :, 3] = 100
    drawn = as_png(pixels)
    assert with_palette(drawn) == drawn


def test_never_larger():
    """A picture for which a palette costs more than it saves is left alone."""
    drawn = as_png(np.zeros((1, 1, 3)))
    assert len(with_palette(drawn)) <= len(drawn)

"""A mask to be built with sliders, and the picture of who sees whom: a still picture where there are no widgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from course_attention.experiments.masking.receptive_field import attention_stack, layer_influence
from course_attention.figures.alignment import alignment
from course_attention.figures.influence import influence_map
from course_attention.figures.mask_graph import mask_graph
from course_attention.lesson.explorer import Explorer, png
from course_attention.mechanisms.masking import causal_mask, padding_mask, window_mask

TOKENS = ("the", "old", "cats", "near", "the", "dog", "see", "it")
STILL = "Explorer: a mask built from parts by sliders; here a still picture of a causal window of 3 over two layers."


class MaskExplorer(Explorer):
    """A mask joined from parts, shown as widgets, as a picture and as text in one display.

    A notebook that is saved keeps the picture and the text; a running one shows the sliders.
    """

    still = STILL

    def __init__(
        self, causal: Callable = causal_mask, window: Callable = window_mask, padding: Callable = padding_mask
    ):
        self.causal, self.window, self.padding = causal, window, padding
        self.figure = Figure(figsize=(13, 3.9), dpi=80, layout="constrained")
        self.axes = self.figure.subplots(1, 3, width_ratios=(1, 1.3, 1))
        self.start()
        # the layout is found once: finding it anew would take most of a redraw's time
        self.figure.set_layout_engine("none")

    def mask(self, causal: bool = True, moved: int = 0, width: int = 0, length: int = len(TOKENS)) -> Tensor:
        """The mask of these parts, (n_tokens, n_tokens).

        Args:
            causal: whether the future is blocked.
            moved: by how many places the causal bound lies too far to the right.
            width: how many keys back a query sees, its own included; 0 for all. It leaves the future alone.
            length: how many tokens stand before the padding.

        Example:
            >>> MaskExplorer().mask(width=2)[:3, :3]
            tensor([[ True, False, False],
                    [ True,  True, False],
                    [False,  True,  True]])
        """
        n = len(TOKENS)
        allowed = self.padding(torch.tensor([length]), n)[0].expand(n, n)
        if causal:
            top, left = max(moved, 0), max(-moved, 0)
            allowed = allowed & self.causal(n + abs(moved))[top : top + n, left : left + n]
        return allowed & (self.window(n, width) | ~self.causal(n)) if width else allowed

    def draw(self, n_layers: int = 2, **parts: Any) -> bytes:
        """The picture for one mask, as PNG; without parts, a causal window of 3."""
        allowed = self.mask(**(parts or {"width": 3}))
        strength = layer_influence(attention_stack(allowed, n_layers), len(TOKENS)).numpy()
        for ax in self.axes:
            ax.clear()
        alignment(
            allowed.numpy(), TOKENS, TOKENS, self.axes[0], "allowed: bright = may attend", "query", "key"
        )
        mask_graph(allowed.numpy(), TOKENS, self.axes[1], "who sees whom in one layer")
        many = f"{n_layers} layers" if n_layers > 1 else "1 layer"
        influence_map(strength, TOKENS, self.axes[2], f"influence through {many}")
        return png(self.figure)

    def controls(self, widgets: Any, image: Any) -> Any:
        n = len(TOKENS)
        wide = {"style": {"description_width": "initial"}}
        controls = {
            "causal": widgets.Checkbox(True, description="causal", **wide),
            "moved": widgets.IntSlider(0, min=-2, max=2, description="bound moved by", **wide),
            "width": widgets.IntSlider(3, min=0, max=n, description="window (0: none)", **wide),
            "length": widgets.IntSlider(n, min=0, max=n, description="tokens before padding", **wide),
            "n_layers": widgets.IntSlider(2, min=1, max=4, description="layers", **wide),
        }

        def redraw(_change):
            image.value = self.draw(**{name: control.value for name, control in controls.items()})

        for control in controls.values():
            control.observe(redraw, "value")
        return widgets.VBox(
            [widgets.HBox(list(controls.values())[:3]), widgets.HBox(list(controls.values())[3:]), image]
        )


def build_mask(
    causal: Callable = causal_mask, window: Callable = window_mask, padding: Callable = padding_mask
) -> MaskExplorer:
    """Build a mask from a causal bound, a window and padding, and see who sees whom.

    Make it a cell's last expression. Without ipywidgets, or in a saved notebook, it is a still picture.
    """
    return MaskExplorer(causal, window, padding)

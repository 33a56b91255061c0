"""An explorer of masks: controls build a mask from its parts, and the picture shows which token sees which."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_attention.experiments.masking.receptive_field import attention_stack, layer_influence
from course_attention.figures.alignment import alignment
from course_attention.figures.influence import influence_map
from course_attention.figures.mask_graph import mask_graph
from course_attention.lesson.explorer import SliderExplorer, png
from course_attention.mechanisms.masking import causal_mask, padding_mask, window_mask

TOKENS = ("the", "old", "cats", "near", "the", "dog", "see", "it")


class MaskExplorer(SliderExplorer):
    """A mask joined from parts, and what it lets each token see in one layer and in several."""

    still = (
        "Explorer: a mask built from parts by sliders; here a still picture of a causal window of 3 over two layers."
    )

    what = "A mask, who sees whom in one layer, and the influence of each token on each other through the layers"

    def __init__(
        self, causal: Callable = causal_mask, window: Callable = window_mask, padding: Callable = padding_mask
    ) -> None:
        self.causal, self.window, self.padding = causal, window, padding
        self.start_with_axes(3, (10.6, 3.9), width_ratios=(1, 1.3, 1))

    def mask(self, causal: bool = True, moved: int = 0, width: int = 0, length: int = len(TOKENS)) -> Tensor:
        """Return the mask of these parts, (n_tokens, n_tokens).

        Args:
            causal: whether the future is blocked.
            moved: by how many positions the causal mask's diagonal is too far to the right; negative: to the left.
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
        """Return the picture for one mask, as PNG; without parts, a causal window of 3."""
        allowed = self.mask(**(parts or {"width": 3}))
        strength = layer_influence(attention_stack(allowed, n_layers), len(TOKENS)).numpy()
        for ax in self.axes:
            ax.clear()
        alignment(allowed.numpy(), TOKENS, TOKENS, self.axes[0], "allowed: dark = may attend", "query", "key")
        mask_graph(allowed.numpy(), TOKENS, self.axes[1], "who sees whom in one layer")
        many = f"{n_layers} layers" if n_layers > 1 else "1 layer"
        influence_map(strength, TOKENS, self.axes[2], f"influence through {many}")
        return png(self.figure)

    def alt(self, n_layers: int = 2, **parts: Any) -> str:
        """Return the settings, and for each token which tokens it sees in one layer."""
        names = [f"{word} {place}" if TOKENS.count(word) > 1 else word for place, word in enumerate(TOKENS)]
        rows = self.mask(**(parts or {"width": 3})).tolist()
        seen = (" and ".join(name for name, may in zip(names, row, strict=True) if may) or "nothing" for row in rows)
        sees = ". ".join(f"{name} sees {what}" for name, what in zip(names, seen, strict=True))
        chosen = {"n_layers": n_layers, **parts} if parts else {}
        return f"{super().alt(**chosen)} In one layer: {sees}."

    def sliders(self, widgets: Any) -> list[dict[str, Any]]:
        """Return the causal mask and the window in a row; the padding and the layers in another."""
        n = len(TOKENS)
        wide = {"style": {"description_width": "initial"}}
        return [
            {
                "causal": widgets.Checkbox(True, description="causal", **wide),
                "moved": widgets.IntSlider(0, min=-2, max=2, description="diagonal moved by", **wide),
                "width": widgets.IntSlider(3, min=0, max=n, description="window (0: none)", **wide),
            },
            {
                "length": widgets.IntSlider(n, min=0, max=n, description="tokens before padding", **wide),
                "n_layers": widgets.IntSlider(2, min=1, max=4, description="layers", **wide),
            },
        ]


def build_mask(
    causal: Callable = causal_mask, window: Callable = window_mask, padding: Callable = padding_mask
) -> MaskExplorer:
    """Build a mask from a causal one, a window and padding, and see who sees whom.

    Make it the last expression of a cell. Without ipywidgets, and in a saved notebook, it is a still picture.
    """
    return MaskExplorer(causal, window, padding)

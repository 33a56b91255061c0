"""Ablation: a Transformer without one of its parts.

The parts are removed from outside, by the names of their layers, so that a student's own blocks can be used as well.
"""

from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, nn

PARTS = ("positions", "residuals", "norm", "mask", "feed-forward")
_ATTENTIONS = ("attention", "self_attention", "cross_attention")
_SUBLAYERS = (*_ATTENTIONS, "feed_forward")
_STACKS = ("encoder", "decoder")
# In which stacks, and past which of their sublayers, the road does not lead.
ROADS = {
    "residuals": (_STACKS, _SUBLAYERS),
    "residuals past attention": (_STACKS, _ATTENTIONS),
    "residuals past cross-attention": (_STACKS, ("cross_attention",)),
    "residuals past feed-forward": (_STACKS, ("feed_forward",)),
    **{f"residuals of the {stack}": ((stack,), _SUBLAYERS) for stack in _STACKS},
}


class EncoderDecoder(Protocol):
    """What a model must have: two stacks of blocks, and a switch for its positions and for its causal mask."""

    encoder: nn.ModuleList
    decoder: nn.ModuleList
    positions: bool
    causal: bool


Model = TypeVar("Model", bound=EncoderDecoder)


def ablate(part: str | None, model: Model) -> Model:
    """Remove a part of a model, in place.

    Args:
        part: one of PARTS or of ROADS; None leaves the model whole. Without "positions" no encoding is added. Without
            "residuals" a sublayer's output replaces its input; ROADS says in which stacks, and for which sublayers.
            Without "norm" the layer norms do nothing. Without "mask" a decoder's token sees the tokens after it.
            Without "feed-forward" the feed-forward networks give zeros.
        model: the model.

    Raises:
        ValueError: there is no such part.

    Example:
        >>> from course_attention.experiments.transformer.model import Transformer
        >>> ablate("mask", Transformer(5, 5)).causal
        False
    """
    blocks = [*model.encoder, *model.decoder]
    if part == "positions":
        model.positions = False
    elif part in ROADS:
        stacks, sublayers = ROADS[part]
        for block in (block for stack in stacks for block in getattr(model, stack)):
            for name in sublayers:
                if hasattr(block, name):
                    getattr(block, name).register_forward_hook(_less_its_input, with_kwargs=True)
    elif part == "norm":
        for block in blocks:
            for name in [name for name, _ in block.named_children() if name.startswith("norm_")]:
                setattr(block, name, nn.Identity())
    elif part == "mask":
        model.causal = False
    elif part == "feed-forward":
        for block in blocks:
            block.feed_forward = _Zeros()
    elif part is not None:
        raise ValueError(f"part must be one of {', '.join(dict.fromkeys([*PARTS, *ROADS]))}, or None; got {part!r}")
    return model


class _Zeros(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x)


def _less_its_input(
    sublayer: nn.Module, inputs: tuple[Tensor, ...], named: dict[str, Any], output: Tensor | tuple
) -> Tensor | tuple:
    """Give f(x) − x in place of f(x), so that f(x) is left when the block adds x."""
    x = (*inputs, *named.values())[0]
    if isinstance(output, tuple):
        return output[0] - x, *output[1:]
    return output - x

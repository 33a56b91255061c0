"""What becomes of one block, and of the others of its class, when an answer changes the forward pass of the one."""

import copy
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from course_attention.practice.transformer.norm_blocks import PlainBlock


class WholeBlock(PlainBlock):
    """A block as it is before: both sums are there."""

    def forward(self, x: Tensor, allowed: Tensor | None = None) -> Tensor:
        """Read x (batch, n, d_model) under a mask that broadcasts to (batch, n, n)."""
        x = self.norm_1(x + self.attention(x, allowed=allowed)[0])
        return self.norm_2(x + self.feed_forward(x))


class ShiftAttention(nn.Module):
    """In place of attention: it moves the numbers of each token by one place, as can be done by hand."""

    def forward(
        self, x: Tensor, memory: Tensor | None = None, *, allowed: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the tokens with their numbers moved, and weights of 1."""
        return x.roll(1, dims=-1), torch.ones(len(x), 1, x.shape[1], x.shape[1], device=x.device)


def changed(
    answer: Callable[..., Any], block: PlainBlock, x: Tensor, allowed: Tensor | None, taught: type[nn.Module]
) -> tuple[Any, str]:
    """Return what the block gives afterwards, and what has become of another block of the same class.

    Args:
        answer: what is judged.
        block: the block; it gets a class of its own here, so that nothing is left of what an answer does to its class.
        x, allowed: what the block reads.
        taught: the notebook's class. Where the answer changes it, it gets its forward pass back, and the class of the
            trial gets what the answer made.
    """
    kind = type("EncoderBlock", (WholeBlock,), {})
    block.__class__ = kind
    other = copy.deepcopy(block)
    before, own = other(x, allowed), vars(taught).get("forward")
    try:
        answer(block)
    finally:
        made = vars(taught).get("forward")
        if made is not own:
            kind.forward = made  # type: ignore[attr-defined]
            if own is None:
                del taught.forward
            else:
                taught.forward = own  # type: ignore[method-assign]
    _fits(block)
    is_same = torch.equal(before, other(x, allowed))
    return block(x, allowed), "is as it was" if is_same else "has changed as well"


def _fits(block: nn.Module) -> None:
    """Raise an error that says what is wrong where the block cannot be called with x and a mask."""
    signature = inspect.signature(block.forward)
    try:
        signature.bind(None, None)
    except TypeError:
        takes = ", ".join(signature.parameters)
        message = f"the encoder calls block(x, allowed), and the new forward pass takes ({takes})"
        raise TypeError(message) from None

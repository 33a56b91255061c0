"""The parts of a classifier of patches, small enough to be computed by hand."""

import torch
from torch import Tensor, nn

from course_attention.mechanisms.attention import attention
from course_attention.practice.transformer.small_transformer import seen


class TwoHeads(nn.Module):
    """Attention with two heads and no weights to learn: the first looks for what is alike, the second for the opposite.

    Queries, keys and values are the tokens themselves.

    Args:
        sharpness: a factor of the queries.
    """

    def __init__(self, sharpness: float) -> None:
        super().__init__()
        self.sharpness = sharpness

    def forward(self, x: Tensor, memory: Tensor | None = None, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the mean of both outputs, and the weights, (batch, 2, n, n)."""
        read = x if memory is None else memory
        outputs, weights = zip(
            *(attention(sign * self.sharpness * x, read, read, allowed) for sign in (1, -1)), strict=True
        )
        return sum(outputs) / 2, torch.stack(weights, dim=1)


class PictureBlock(nn.Module):
    """A block that adds to each token the sum of all that it may see, times a factor; its attention only looks."""

    def __init__(self, factor: float, sharpness: float) -> None:
        super().__init__()
        self.factor = factor
        self.attention = TwoHeads(sharpness)

    def forward(self, x: Tensor, allowed: Tensor | None = None) -> Tensor:
        """Read x (batch, n, d) under a mask that broadcasts to (batch, n, n)."""
        return x + self.factor * seen(x, x, allowed)


class SmallClassifier(nn.Module):
    """The parts of the notebook's `PatchClassifier`, by its names.

    Args:
        embed: (d_model, 4), from the numbers of a patch.
        place: (16, d_model), or None for a model without places.
        class_token: (1, d_model).
        factors: of the two blocks.
    """

    def __init__(
        self, embed: Tensor, place: Tensor | None, class_token: Tensor, factors: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        super().__init__()
        d_model = len(embed)
        self.embed = nn.Linear(4, d_model, bias=False)
        self.class_token = nn.Parameter(class_token)
        self.place = 0.0 if place is None else nn.Parameter(place)
        self.blocks = nn.ModuleList(map(PictureBlock, factors, (1.0, 2.0)))
        self.classify = nn.Linear(d_model, 10, bias=False)
        with torch.no_grad():
            self.embed.weight.copy_(embed)
            self.classify.weight.copy_(torch.arange(10.0)[:, None] - torch.arange(d_model) % 2 * 0.5)


def drawn_classifier(generator: torch.Generator, places: bool = True) -> SmallClassifier:
    """Return one of d_model 3 with drawn weights."""
    embed, place, class_token = (torch.randn(*shape, generator=generator) / 2 for shape in ((3, 4), (16, 3), (1, 3)))
    return SmallClassifier(embed, place if places else None, class_token, (0.05, -0.1))

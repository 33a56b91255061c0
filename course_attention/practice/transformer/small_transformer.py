"""A Transformer whose blocks can be computed by hand: it has the parts of the notebook's, with other blocks."""

import torch
from torch import Tensor, nn


class SumBlock(nn.Module):
    """A block of an encoder that adds to each token the sum of all tokens that it may see."""

    def forward(self, x: Tensor, allowed: Tensor | None = None) -> Tensor:
        """Read x (batch, n, d) under a mask that broadcasts to (batch, n, n)."""
        return x + seen(x, x, allowed)


class SumDecoderBlock(nn.Module):
    """A block of a decoder that adds to each token the sum of the target tokens and the sum of the memory it may see.

    Its cross-attention has one head, and gives the same weight to all that is allowed.
    """

    def forward(
        self, x: Tensor, memory: Tensor, allowed: Tensor | None = None, memory_allowed: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the new x, (batch, n, d), and the weights (batch, 1, n, n_source)."""
        ones = torch.ones(len(x), x.shape[1], memory.shape[1], dtype=x.dtype, device=x.device)
        if memory_allowed is not None:
            ones = ones * memory_allowed
        x = x + seen(x, x, allowed) + seen(x, memory, memory_allowed)
        return x, (ones / ones.sum(dim=-1, keepdim=True)).unsqueeze(1)


def seen(x: Tensor, others: Tensor, allowed: Tensor | None) -> Tensor:
    """Return for each token of x the sum of the others that it may see."""
    ones = torch.ones(len(x), x.shape[1], others.shape[1], dtype=x.dtype, device=x.device)
    return (ones if allowed is None else ones * allowed) @ others


class SmallTransformer(nn.Module):
    """Embeddings, positions, two stacks and an output layer, under the names of the notebook's `Transformer`.

    Args:
        table: the embedding of both sides, (n_symbols, d_model).
        n_blocks: in each stack.
        step: the position p adds `step * p` to every channel.
    """

    def __init__(self, table: Tensor, n_blocks: int, step: float = 10.0) -> None:
        super().__init__()
        self.embed_source = nn.Embedding.from_pretrained(table.clone())
        self.embed_target = nn.Embedding.from_pretrained(table.clone())
        self.encoder = nn.ModuleList(SumBlock() for _ in range(n_blocks))
        self.decoder = nn.ModuleList(SumDecoderBlock() for _ in range(n_blocks))
        self.output = nn.Linear(table.shape[1], 2, bias=False)
        nn.init.ones_(self.output.weight)
        with torch.no_grad():
            self.output.weight[1] = -1
        self.causal = True
        self.step = step

    def place(self, x: Tensor) -> Tensor:
        """Add the positions to embeddings (batch, n, d_model)."""
        return x + self.step * torch.arange(x.shape[1], device=x.device).unsqueeze(-1)

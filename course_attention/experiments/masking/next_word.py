"""The model of notebook 05 that guesses the next word, for runs that take longer than the notebook may."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.experiments.masking import grammar
from course_attention.mechanisms.masking import masked_softmax

N_WORDS, N_POSITIONS = len(grammar.WORDS), grammar.LONGEST
Weigh = Callable[[Tensor, Tensor], Tensor]  # from scores and a mask to weights


class NextWord(nn.Module):
    """One layer of self-attention, and a small network around which no connection leads.

    Args:
        weigh: makes weights from scores (batch, n, n) and a mask (n, n).
        d_model: size of a word's vector.
        d_hidden: size of the network's hidden layer.
    """

    def __init__(self, weigh: Weigh = masked_softmax, d_model: int = 32, d_hidden: int = 64) -> None:
        super().__init__()
        self.weigh = weigh
        self.word, self.position = nn.Embedding(N_WORDS, d_model), nn.Embedding(N_POSITIONS, d_model)
        for table in (self.word, self.position):
            nn.init.normal_(table.weight, std=0.3)
        self.w_query, self.w_key, self.w_value = (nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        self.network = nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, N_WORDS))

    def forward(self, tokens: Tensor, allowed: Tensor) -> Tensor:
        """Read words (batch, n) under a mask (n, n). Returns logits (batch, n, N_WORDS)."""
        return self.logits(self.word(tokens) + self.position.weight[: tokens.shape[-1]], allowed)

    def logits(self, x: Tensor, allowed: Tensor) -> Tensor:
        """Go on from the words' vectors (..., n, d_model). Returns logits (..., n, N_WORDS)."""
        scores = self.w_query(x) @ self.w_key(x).mT / math.sqrt(x.shape[-1])
        return self.network(self.weigh(scores, allowed) @ self.w_value(x))


def zeroed_afterwards(scores: Tensor, allowed: Tensor) -> Tensor:
    """Make the usual mistake: softmax over all scores, and then the blocked weights are set to zero.

    Example:
        >>> zeroed_afterwards(torch.zeros(1, 4), torch.tensor([[True, True, False, False]]))
        tensor([[0.2500, 0.2500, 0.0000, 0.0000]])
    """
    return scores.softmax(dim=-1) * allowed


def next_word_loss(model: nn.Module, tokens: Tensor, allowed: Tensor) -> Tensor:
    """Mean cross-entropy of all next words of a batch (batch, n + 1), padding left out."""
    return F.cross_entropy(model(tokens[:, :-1], allowed).mT, tokens[:, 1:], ignore_index=grammar.PAD)


def train(model: nn.Module, tokens: Tensor, allowed: Tensor, n_steps: int, rate: float = 0.02) -> nn.Module:
    """Train as the notebook does: batches of 64, Adam, a learning rate that falls linearly to 0."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=n_steps)
    for _ in range(n_steps):
        loss = next_word_loss(model, tokens[torch.randint(len(tokens), (64,))], allowed)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        slower.step()
    return model


@torch.no_grad()
def generated(model: nn.Module, allowed: Tensor, n_sentences: int) -> list[list[str]]:
    """Draw sentences from a model word by word, each up to its first full stop, or to the longest sentence."""
    said = torch.full((n_sentences, 1), grammar.START)
    for n in range(1, N_POSITIONS + 1):
        chances = model(said, allowed[:n, :n])[:, -1].softmax(dim=-1)
        said = torch.cat([said, torch.multinomial(chances, 1)], dim=1)
    return grammar.decode(said)

"""Sequences that repeat a random string of letters, for models that have to learn in context.

The string and its length are drawn anew for each sequence, so that nothing can be known beforehand. The next letter can
be told only from the last time that the present letter stood there, and from what came after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase as LETTERS

import torch
import torch.nn.functional as F
from torch import Tensor

N_TOKENS, SHORTEST, LONGEST = 32, 6, 16


@dataclass(frozen=True)
class Patterns:
    """Sequences that repeat a string of different letters.

    Attributes:
        tokens: `(n_patterns, n_tokens)`, numbers of letters.
        period: `(n_patterns, 1)`, the length of the string that each repeats.
    """

    tokens: Tensor
    period: Tensor

    @property
    def source(self) -> Tensor:
        """True at places right after an earlier occurrence of the same letter, (n_patterns, n − 1, n − 1)."""
        tokens = self.tokens[:, :-1]
        after = F.pad(tokens[:, :-1], (1, 0), value=-1)  # the letter before each place
        return (tokens.unsqueeze(-1) == after.unsqueeze(-2)).tril()

    @property
    def known(self) -> Tensor:
        """True where the next token can be known, since the letter before it has occurred already."""
        return self.source.any(dim=-1)


def draw_patterns(
    n_patterns: int, generator: torch.Generator, device: str | torch.device = "cpu"
) -> Patterns:
    """Draw patterns of random letters with random periods.

    Example:
        >>> drawn = draw_patterns(1, torch.Generator().manual_seed(0))
        >>> period = drawn.period.item()
        >>> torch.equal(drawn.tokens[:, period:], drawn.tokens[:, :-period])
        True
    """
    period = torch.randint(SHORTEST, LONGEST + 1, (n_patterns, 1), generator=generator)
    letters = torch.rand(n_patterns, len(LETTERS), generator=generator).argsort(-1)
    tokens = letters.gather(-1, torch.arange(N_TOKENS) % period)
    return Patterns(tokens.to(device), period.to(device))

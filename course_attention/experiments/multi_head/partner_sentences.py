"""Sentences in which every word has one partner, the other word with the same first letter.

Each word carries a payload of eight random numbers, by which it can be recognised when it has been attended to.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

import torch
from torch import Tensor

MOST_WORDS, D_PAYLOAD = 10, 8
LETTER = (
    1.5  # size of a letter's channel: letters are more than places, and both should be equally easy to learn
)
D_MODEL = len(ascii_lowercase) + MOST_WORDS + D_PAYLOAD


@dataclass(frozen=True)
class Sentences:
    """Sentences of an even number of words, in which every word has one partner.

    Attributes:
        x: first letter, place and payload of each word, `(n_sentences, n_words, D_MODEL)`.
        related: True where a word is the word before (0), or the partner (1), of another:
            `(n_sentences, 2, n_words, n_words)`.
    """

    x: Tensor
    related: Tensor

    @property
    def wanted(self) -> Tensor:
        """The payload of the word before and that of the partner, `(n_sentences, n_words, 2, D_PAYLOAD)`."""
        payload = self.x[..., -D_PAYLOAD:]
        return (self.related.to(payload) @ payload.unsqueeze(-3)).transpose(-3, -2)


def words_to_x(letters: Tensor, payload: Tensor) -> Tensor:
    """Token vectors of words, from their first letters `(..., n_words)` and payloads `(..., n_words, D_PAYLOAD)`.

    Example:
        >>> words_to_x(torch.tensor([0, 25]), torch.zeros(2, D_PAYLOAD)).nonzero().tolist()
        [[0, 0], [0, 26], [1, 25], [1, 27]]
    """
    letter = LETTER * torch.eye(len(ascii_lowercase)).to(payload)[letters]
    place = torch.eye(MOST_WORDS).to(payload)[: letters.shape[-1]].expand(*letters.shape, MOST_WORDS)
    return torch.cat([letter, place, payload], dim=-1)


def draw_sentences(
    n_sentences: int,
    generator: torch.Generator,
    n_words: int = MOST_WORDS,
    device: str | torch.device = "cpu",
) -> Sentences:
    """Draw sentences: pairs of words with the same first letter, in random order.

    Example:
        >>> drawn = draw_sentences(3, torch.Generator().manual_seed(0), n_words=4)
        >>> tuple(drawn.x.shape), tuple(drawn.related.shape), drawn.related.sum(dim=(0, 2, 3)).tolist()
        ((3, 4, 44), (3, 2, 4, 4), [9, 12])
    """
    initials = torch.rand(n_sentences, len(ascii_lowercase), generator=generator).argsort(-1)[
        :, : n_words // 2
    ]
    order = torch.rand(n_sentences, n_words, generator=generator).argsort(-1)
    letters = initials.repeat(1, 2).gather(-1, order)
    payload = torch.randn(n_sentences, n_words, D_PAYLOAD, generator=generator)
    before = torch.ones(n_words - 1, dtype=torch.bool).diag(-1)
    same = letters.unsqueeze(-1) == letters.unsqueeze(-2)
    partner = same & ~torch.eye(n_words, dtype=torch.bool)
    related = torch.stack([before.expand_as(partner), partner], dim=-3)
    return Sentences(words_to_x(letters, payload).to(device), related.to(device))

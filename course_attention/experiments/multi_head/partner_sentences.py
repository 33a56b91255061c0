"""Sentences in which every word has one partner, the other word with the same first letter.

Each word carries a payload of eight random numbers, which stands for its meaning. Each word is to be given two
payloads: that of the word before it and that of its partner. The first relation depends on position, the second on
content.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import torch
from torch import Tensor

MOST_WORDS, D_PAYLOAD = 10, 8
# The channels of a token: its first letter and its place, both one-hot, and its payload.
LETTER, PLACE, PAYLOAD = slice(0, 26), slice(26, 36), slice(36, 44)
D_MODEL = PAYLOAD.stop
# Letters are more than places. A larger number makes both relations about equally easy to learn.
LETTER_SIZE = 1.5
RELATIONS = ("word before", "partner")


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
        """The payload of the word before, then that of the partner: `(n_sentences, n_words, 2 · D_PAYLOAD)`."""
        payload = self.x[..., PAYLOAD]
        return (self.related.to(payload) @ payload.unsqueeze(-3)).transpose(-3, -2).flatten(-2)

    @property
    def counted(self) -> Tensor:
        """True for words that have both related words, and not one word in both roles: `(n_sentences, n_words)`."""
        before, partner = self.related.unbind(dim=-3)
        return before.any(-1) & ~(before & partner).any(-1)


def words_to_x(letters: Tensor, payload: Tensor) -> Tensor:
    """Token vectors of words, from their first letters `(..., n_words)` and payloads `(..., n_words, D_PAYLOAD)`.

    Example:
        >>> words_to_x(torch.tensor([0, 25]), torch.zeros(2, D_PAYLOAD)).nonzero().tolist()
        [[0, 0], [0, 26], [1, 25], [1, 27]]
    """
    letter = LETTER_SIZE * torch.eye(len(ascii_lowercase)).to(payload)[letters]
    place = torch.eye(MOST_WORDS).to(payload)[: letters.shape[-1]].expand(*letters.shape, MOST_WORDS)
    return torch.cat([letter, place, payload], dim=-1)


def typed_words(words: Sequence[str]) -> Tensor:
    """Token vectors of a sentence that somebody has typed: a word has the same payload whenever it occurs.

    Raises:
        ValueError: there are no words or too many, or one does not begin with a letter from a to z.

    Example:
        >>> typed_words(["six", "dogs", "saw"]).shape
        torch.Size([3, 44])
    """
    words = list(words)
    if not 1 <= len(words) <= MOST_WORDS:
        raise ValueError(f"there must be 1 to {MOST_WORDS} words; got {len(words)}")
    for word in words:
        if word[:1].lower() not in ascii_lowercase or not word:
            raise ValueError(f"every word must begin with a letter from a to z; got {word!r}")
    letters = torch.tensor([ascii_lowercase.index(word[0].lower()) for word in words])
    return words_to_x(letters, torch.stack([_payload(word) for word in words]))


def _payload(word: str) -> Tensor:
    generator = torch.Generator().manual_seed(zlib.crc32(word.lower().encode()))
    return torch.randn(D_PAYLOAD, generator=generator)


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
    initials = torch.rand(n_sentences, len(ascii_lowercase), generator=generator).argsort(-1)[:, : n_words // 2]
    order = torch.rand(n_sentences, n_words, generator=generator).argsort(-1)
    letters = initials.repeat(1, 2).gather(-1, order)
    payload = torch.randn(n_sentences, n_words, D_PAYLOAD, generator=generator)
    before = torch.ones(n_words - 1, dtype=torch.bool).diag(-1)
    same = letters.unsqueeze(-1) == letters.unsqueeze(-2)
    partner = same & ~torch.eye(n_words, dtype=torch.bool)
    related = torch.stack([before.expand_as(partner), partner], dim=-3)
    return Sentences(words_to_x(letters, payload).to(device), related.to(device))

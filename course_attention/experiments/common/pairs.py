"""Pairs of a source text and its translation, as text and as padded tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

PAD, START, END = 0, 1, 2
MARKS = ("□", "▷", "∎")  # one character each, so that a text has as many characters as symbols


@dataclass(frozen=True)
class Vocabulary:
    """The symbols of one side, in a fixed order; the first three are PAD, START and END.

    Example:
        >>> letters = Vocabulary.of(["ba", "ab"])
        >>> letters.symbols
        ('□', '▷', '∎', 'a', 'b')
        >>> letters.encode("ab"), letters.decode([3, 4, 2, 0])
        ([3, 4], 'ab')
    """

    symbols: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        """Return the vocabulary of the characters that occur in some texts."""
        return cls(MARKS + tuple(sorted(set().union(*texts))))

    def __len__(self) -> int:
        return len(self.symbols)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {symbol: i for i, symbol in enumerate(self.symbols)}

    def encode(self, text: str) -> list[int]:
        """Return the indices of the characters of a text.

        Raises:
            KeyError: the vocabulary has no such character.
        """
        return [self._index[character] for character in text]

    def decode(self, indices: Iterable[int]) -> str:
        """Return the text that indices stand for, up to the end mark."""
        text = ""
        for i in indices:
            if i == END:
                break
            text += self.symbols[i]
        return text


@dataclass(frozen=True)
class Pairs:
    """Sources with their translations.

    Attributes:
        sources, targets: the texts.
        labels: what each pair is, such as its language.
        source_vocabulary, target_vocabulary: the symbols of either side.
        source: indices of the sources' characters, (batch, n_source), padded on the right.
        allowed: True on characters and False on padding, (batch, n_source).
        target: indices of the targets' characters, the end mark, padding, (batch, n_target).
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    labels: tuple[str, ...]
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    source: Tensor
    allowed: Tensor
    target: Tensor

    @classmethod
    def of(
        cls,
        sources: Sequence[str],
        targets: Sequence[str],
        labels: Sequence[str],
        source_vocabulary: Vocabulary,
        target_vocabulary: Vocabulary,
    ) -> Pairs:
        """Encode and pad.

        Example:
            >>> letters = Vocabulary.of(["ab"])
            >>> pairs = Pairs.of(["a", "ab"], ["b", "ba"], ["", ""], letters, letters)
            >>> pairs.source, pairs.target
            (tensor([[3, 0],
                    [3, 4]]), tensor([[4, 2, 0],
                    [4, 3, 2]]))
        """
        source = _padded([source_vocabulary.encode(text) for text in sources])
        target = _padded([[*target_vocabulary.encode(text), END] for text in targets])
        return cls(
            tuple(sources),
            tuple(targets),
            tuple(labels),
            source_vocabulary,
            target_vocabulary,
            source,
            source != PAD,
            target,
        )

    def __len__(self) -> int:
        return len(self.sources)

    def lengths(self) -> Tensor:
        """Return the number of characters of each source, (batch,)."""
        return self.allowed.sum(dim=1)

    def batch(self, rows: Tensor, device: torch.device | str = "cpu") -> tuple[Tensor, Tensor, Tensor]:
        """Source, allowed and target of some rows, each cut to the longest text among them.

        Args:
            rows: their indices, (batch,).
            device: where to put the tensors.
        """
        n_source = int(self.allowed[rows].sum(dim=1).max())
        n_target = int((self.target[rows] != PAD).sum(dim=1).max())
        source, allowed = self.source[rows, :n_source], self.allowed[rows, :n_source]
        return source.to(device), allowed.to(device), self.target[rows, :n_target].to(device)


def _padded(sequences: list[list[int]]) -> Tensor:
    longest = max(map(len, sequences))
    return torch.tensor([[*sequence, *[PAD] * (longest - len(sequence))] for sequence in sequences])

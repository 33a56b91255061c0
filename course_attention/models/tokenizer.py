"""Byte-pair encoding: text becomes bytes, and pairs of tokens that often stand together become one token."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

# No token crosses the border between two pieces: a line's end with the indentation that follows it, a word with the
# space before it, a run of underscores, one digit, a run of other signs. Indentation carries meaning in Python, so
# "\n    " can become one token.
PIECES = r"\n[ \n]*| ?[^\W\d_]+|_+| ?\d| ?[^\w\s]+|\s"


class Tokenizer:
    """Turns text into tokens and back.

    Tokens 0 … 255 are the bytes. Token 256 + k is the k-th merge: a pair of earlier tokens. The token after the last
    merge starts a document, and stands for no text.

    Args:
        merges: pairs of tokens, in the order in which they are merged.

    Source:
        Sennrich, Haddow and Birch (2016), "Neural machine translation of rare words with subword units", section 3.2.

    Example:
        >>> tokenizer = Tokenizer([(ord("a"), ord("b")), (256, ord("c"))])
        >>> tokenizer.encode("abcab")
        [257, 256]
        >>> tokenizer.decode([257, 256])
        'abcab'
    """

    def __init__(self, merges: Iterable[tuple[int, int]]) -> None:
        self.merges = [(left, right) for left, right in merges]
        self.rank = {pair: rank for rank, pair in enumerate(self.merges)}
        self.bytes_of = [bytes([byte]) for byte in range(256)]
        for left, right in self.merges:
            self.bytes_of.append(self.bytes_of[left] + self.bytes_of[right])
        self.start = len(self.bytes_of)
        self.bytes_of.append(b"")
        self._encode_piece = lru_cache(maxsize=65536)(self._merge_piece)

    def __len__(self) -> int:
        return len(self.bytes_of)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        return [token for piece in re.findall(PIECES, text) for token in self._encode_piece(piece)]

    def decode(self, tokens: Iterable[int]) -> str:
        """Return the text of tokens. Bytes that are not valid UTF-8, such as half a character, become U+FFFD."""
        return b"".join(self.bytes_of[token] for token in tokens).decode("utf-8", errors="replace")

    def _merge_piece(self, piece: str) -> tuple[int, ...]:
        tokens = list(piece.encode())
        while len(tokens) > 1:
            pairs = list(pairwise(tokens))
            best = min(pairs, key=lambda pair: self.rank.get(pair, len(self.merges)))
            if best not in self.rank:
                break
            merged = 256 + self.rank[best]
            at = 0
            while at < len(tokens) - 1:
                if (tokens[at], tokens[at + 1]) == best:
                    tokens[at : at + 2] = [merged]
                at += 1
        return tuple(tokens)

    def save(self, path: Path) -> None:
        """Write the merges as JSON."""
        path.write_text(json.dumps({"merges": self.merges}) + "\n")

    @classmethod
    def load(cls, path: Path) -> Tokenizer:
        """Read what `save` wrote."""
        return cls((left, right) for left, right in json.loads(path.read_text())["merges"])

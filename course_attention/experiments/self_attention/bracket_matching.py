"""Bracket matching: a task in which self-attention has to learn which two symbols belong together.

A text holds each pair of brackets once, nested at random. Each bracket carries a mark, drawn anew for each text, and
has to be given the mark of its partner. A token is its symbol, one-hot, followed by its mark.
"""

from functools import cache

import torch
from torch import Tensor, nn

SYMBOLS = "()[]{}<>"
D_MARK = 4
D_MODEL = len(SYMBOLS) + D_MARK


def draw_text(generator: torch.Generator) -> str:
    """Draw a text of all symbols, nested at random.

    Example:
        >>> sorted(draw_text(torch.Generator().manual_seed(0))) == sorted(SYMBOLS)
        True
    """
    text = ""
    for pair in torch.randperm(len(SYMBOLS) // 2, generator=generator).tolist():
        place = int(torch.randint(len(text) + 1, (), generator=generator))
        text = text[:place] + SYMBOLS[2 * pair : 2 * pair + 2] + text[place:]
    return text


def draw_task(n_texts: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw tokens, `(n_texts, n_tokens, D_MODEL)`, and the marks of their partners, `(n_texts, n_tokens, D_MARK)`.

    Example:
        >>> x, partner_marks = draw_task(3, torch.Generator().manual_seed(0))
        >>> x.shape, partner_marks.shape
        (torch.Size([3, 8, 12]), torch.Size([3, 8, 4]))
    """
    chosen = torch.randint(len(_texts()), (n_texts,), generator=generator)
    symbols = torch.stack([_texts()[i] for i in chosen.tolist()])
    marks = torch.randn(n_texts, len(SYMBOLS), D_MARK, generator=generator)
    # two partners are numbers that differ in their last bit; one partner in each row makes a permutation
    partners = (symbols.unsqueeze(-1) ^ 1 == symbols.unsqueeze(-2)).to(marks.dtype)
    kinds = nn.functional.one_hot(symbols, len(SYMBOLS)).to(marks.dtype)
    return torch.cat([kinds, marks], dim=-1), partners @ marks


@cache
def _texts() -> list[Tensor]:
    """Return the symbols' numbers of 1,000 texts, drawn once: drawing takes longer than a step of training."""
    generator = torch.Generator().manual_seed(0)
    return [torch.tensor([SYMBOLS.index(s) for s in draw_text(generator)]) for _ in range(1000)]

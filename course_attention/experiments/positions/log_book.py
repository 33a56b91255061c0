"""A log book: each line is a letter with a digit, as in d4 a7 d1, and asks for a digit that was written before it.

The question "last" asks for the latest digit of the line's own letter, and "third back" for the digit three lines
before, whatever its letter. The right line is as near in a long book as in a short one: a long book only adds lines
that are farther back.
"""

import torch
from torch import Tensor

QUESTIONS = ("last", "third back")
N_LETTERS, N_DIGITS = 8, 10


def draw_books(
    question: str, n_books: int, n_lines: int, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw log books at random, and for each line the digit that it asks for.

    Args:
        question: one of QUESTIONS.
        n_books: how many books.
        n_lines: their length.
        generator: draws them; None for torch's own.

    Returns:
        letters, digits and targets, each `(n_books, n_lines)`; a target is −1 where no such line was written.

    Raises:
        ValueError: this is not one of the questions.

    Example:
        >>> letters, digits, targets = draw_books("third back", 1, 5, torch.Generator().manual_seed(0))
        >>> targets[0, :3].tolist(), (targets[0, 3:] == digits[0, :2]).all().item()
        ([-1, -1, -1], True)
    """
    if question not in QUESTIONS:
        raise ValueError(f"question must be one of {', '.join(QUESTIONS)}; got {question!r}")
    letters = torch.randint(N_LETTERS, (n_books, n_lines), generator=generator)
    digits = torch.randint(N_DIGITS, (n_books, n_lines), generator=generator)
    line = torch.arange(n_lines)
    if question == "last":
        earlier = (letters[:, :, None] == letters[:, None, :]) & (line[:, None] > line)
        asked = torch.where(earlier, line, -1).amax(-1)
    else:
        asked = (line - 3).clamp(min=-1).expand(n_books, -1)
    return letters, digits, torch.where(asked >= 0, digits.gather(1, asked.clamp(min=0)), -1)

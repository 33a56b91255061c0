"""Grouped queries: what accuracy is lost when heads share keys and values?

Each line of a list has, for every one of some books, a letter and a digit beside it. A question names a letter for each
book and asks for the digit beside it in that book. With one book the heads have one thing to look for, with three books
they have three.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.modern import grouped_query_attention

N_LETTERS, N_DIGITS = 8, 10


def draw_books(
    n_lists: int, n_books: int, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Draw lines and questions; in each book every letter stands in one line and is asked for in one question.

    Returns:
        letters and digits of the lines, letters asked for and digits wanted, each `(n_lists, n_lines, n_books)`. Each
        book has its own order of questions, so that the answers to one question stand in one line only by chance.

    Example:
        >>> letters, digits, asked, wanted = draw_books(2, 3, torch.Generator().manual_seed(0))
        >>> letters.shape, asked[0, :, 0].unique().numel()
        (torch.Size([2, 8, 3]), 8)
        >>> line = letters[0, :, 0].tolist().index(asked[0, 5, 0])
        >>> (digits[0, line, 0] == wanted[0, 5, 0]).item()
        True
    """
    letters, order = (
        torch.rand(n_lists, N_LETTERS, n_books, generator=generator).argsort(1) for _ in range(2)
    )
    digits = torch.randint(N_DIGITS, letters.shape, generator=generator)
    return letters, digits, letters.gather(1, order), digits.gather(1, order)


@dataclass(frozen=True)
class GroupedTraining:
    """The outcome of a training, with several seeds.

    Attributes:
        cached: numbers that a token leaves in the cache.
        accuracy: share of new digits found, `(n_seeds,)`.
    """

    cached: int
    accuracy: np.ndarray


@one_thread()
def train_groups(
    n_groups: int,
    n_books: int,
    attend: Callable = grouped_query_attention,
    n_heads: int = 4,
    d_head: int = 8,
    d_model: int = 32,
    n_steps: int = 500,
    n_lists: int = 8,
    rate: float = 0.05,
    n_seeds: int = 3,
    device: str | torch.device = "cpu",
) -> GroupedTraining:
    """Train on new lists by Adam and test on others.

    Args:
        n_groups: numbers of heads with keys and values of their own.
        n_books: books in each line.
        attend: has the arguments and results of `grouped_query_attention`.
        n_heads, d_head, d_model: sizes of the model.
        n_steps, n_lists: training steps, and lists in each.
        rate: the largest learning rate.
        n_seeds: models, trained side by side.
        device: where to train.

    Source:
        Ainslie et al. (2023), "GQA", for the sharing of keys and values.
    """
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int, scale: float = 1.0) -> Tensor:
        return (scale * torch.randn(n_seeds, *shape, generator=generator)).to(device).requires_grad_()

    letter_vectors, digit_vectors = (draw(n_books, n, d_model) for n in (N_LETTERS, N_DIGITS))
    query, out = (
        draw(1, d_model, n_heads * d_head, scale=d_model**-0.5),
        draw(1, n_heads * d_head, n_books * N_DIGITS),
    )
    key, value = (draw(1, d_model, n_groups * d_head, scale=d_model**-0.5) for _ in range(2))
    book = torch.arange(n_books, device=device)

    def split(x: Tensor) -> Tensor:
        return x.unflatten(-1, (-1, d_head)).transpose(-3, -2)

    def answers(letters: Tensor, digits: Tensor, asked: Tensor) -> Tensor:
        lines = letter_vectors[:, book, letters].sum(-2) + digit_vectors[:, book, digits].sum(-2)
        questions = letter_vectors[:, book, asked].sum(-2)  # (n_seeds, n_lists, n_lines, d_model)
        output, _ = attend(split(questions @ query), split(lines @ key), split(lines @ value))
        return (output.transpose(-3, -2).flatten(-2) @ out).unflatten(-1, (n_books, N_DIGITS))

    weights = [letter_vectors, digit_vectors, query, key, value, out]
    update = torch.optim.Adam(weights, lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(update, rate, total_steps=n_steps, pct_start=0.1)
    for _ in range(n_steps):
        *given, wanted = (t.to(device) for t in draw_books(n_lists, n_books, generator))
        logits = answers(*given)
        # times the seeds: no seed's gradient depends on how many others run beside it
        loss = n_seeds * F.cross_entropy(logits.flatten(0, -2), wanted.expand(n_seeds, -1, -1, -1).flatten())
        update.zero_grad()
        loss.backward()
        update.step()
        schedule.step()
    *given, wanted = (t.to(device) for t in draw_books(64, n_books, torch.Generator().manual_seed(1)))
    with torch.no_grad():
        right = answers(*given).argmax(-1) == wanted
    return GroupedTraining(2 * n_groups * d_head, right.float().mean((1, 2, 3)).cpu().numpy())

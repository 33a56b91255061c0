"""Bracket matching: a task in which self-attention has to learn which two symbols belong together.

A text holds each pair of brackets once, nested at random. Each bracket carries a mark, drawn anew for each text, and
has to be given the mark of its partner. A token is its symbol, one-hot, followed by its mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.self_attention import SelfAttention, interaction_matrix, self_attention

SYMBOLS = "()[]{}<>"
D_MARK = 4
D_MODEL = len(SYMBOLS) + D_MARK


def partner(symbol: str) -> str:
    """The other bracket of the pair.

    Example:
        >>> partner("["), partner(">")
        (']', '<')
    """
    return SYMBOLS[SYMBOLS.index(symbol) ^ 1]


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


def symbols_of(texts: Iterable[str]) -> Tensor:
    """The index of each symbol, `(n_texts, n_tokens)`; all texts are equally long.

    Example:
        >>> symbols_of(["()", "]["])
        tensor([[0, 1],
                [3, 2]])
    """
    return torch.tensor([[SYMBOLS.index(symbol) for symbol in text] for text in texts])


def tokens_of(symbols: Tensor, marks: Tensor) -> Tensor:
    """Token vectors, `(..., n_tokens, D_MODEL)`, from symbols `(..., n_tokens)` and marks `(..., n_tokens, D_MARK)`.

    Example:
        >>> tokens_of(torch.tensor([1]), torch.full((1, 4), 0.5))
        tensor([[0.0000, 1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.5000,
                 0.5000, 0.5000, 0.5000]])
    """
    kinds = nn.functional.one_hot(symbols, len(SYMBOLS)).to(marks.dtype)
    return torch.cat([kinds, marks], dim=-1)


class TiedProjections(nn.Module):
    """Self-attention in which queries and keys share a projection."""

    def __init__(self, d_model: int, d_key: int, d_value: int, attend: Callable = self_attention) -> None:
        super().__init__()
        self.w_query, self.w_value = (
            nn.Linear(d_model, d_key, bias=False),
            nn.Linear(d_model, d_value, bias=False),
        )
        self._attend = attend

    @property
    def w_key(self) -> nn.Linear:
        """The same projection as `w_query`."""
        return self.w_query

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Output, `(..., n_tokens, d_value)`, and weights, `(..., n_tokens, n_tokens)`."""
        shared = self.w_query.weight.T
        return self._attend(x, shared, shared, self.w_value.weight.T)


class IdentityProjections(TiedProjections):
    """Self-attention whose queries and keys are the tokens themselves; only the values are projected."""

    def __init__(self, d_model: int, d_key: int, d_value: int, attend: Callable = self_attention) -> None:
        super().__init__(d_model, d_model, d_value, attend)
        self.w_query.weight = nn.Parameter(torch.eye(d_model), requires_grad=False)


@dataclass(frozen=True)
class Trained:
    """A trained layer.

    Attributes:
        layer: has `w_query`, `w_key` and `w_value`.
        loss: mean squared error as a share of the marks' variance, `(n_steps,)`; 1 is that of knowing nothing.
        error: the same on 500 new texts.
    """

    layer: nn.Module
    loss: np.ndarray
    error: float


@one_thread()
def train(
    make: Callable[[int, int, int], nn.Module] = SelfAttention,
    d_key: int = 8,
    seed: int = 0,
    n_steps: int = 400,
    device: str | torch.device = "cpu",
) -> Trained:
    """Train a layer to give each bracket its partner's mark.

    Args:
        make: makes the layer from d_model, d_key and d_value.
        d_key: size of queries and keys.
        seed: of the texts, the marks and the initial weights.
        n_steps: of training, each on 64 texts.
        device: where to train.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layer = make(D_MODEL, d_key, D_MARK).to(device)
    update = torch.optim.Adam([p for p in layer.parameters() if p.requires_grad], lr=0.03)
    texts = symbols_of(draw_text(generator) for _ in range(1000))
    losses = []
    for _ in range(n_steps):
        loss = _loss(layer, texts[torch.randint(len(texts), (64,), generator=generator)], generator, device)
        update.zero_grad()
        loss.backward()
        update.step()
        losses.append(loss.detach())
    with torch.no_grad():
        error = _loss(layer, symbols_of(draw_text(generator) for _ in range(500)), generator, device).item()
    return Trained(layer, torch.stack(losses).cpu().numpy(), error)


def _loss(
    layer: nn.Module, symbols: Tensor, generator: torch.Generator, device: str | torch.device
) -> Tensor:
    marks = torch.randn(*symbols.shape, D_MARK, generator=generator)
    # one partner in each row: a permutation
    partners = (symbols.unsqueeze(-1) ^ 1 == symbols.unsqueeze(-2)).to(marks.dtype)
    output, _ = layer(tokens_of(symbols, marks).to(device))
    return (output - (partners @ marks).to(device)).square().mean()


def interaction(layer: Any, join: Callable = interaction_matrix) -> np.ndarray:
    """The interaction matrix of a trained layer, `(D_MODEL, D_MODEL)`: queries in rows, keys in columns."""
    return join(layer.w_query.weight.T, layer.w_key.weight.T).detach().cpu().numpy()


@torch.no_grad()
def weights_in(layer: Any, text: str, seed: int = 0) -> np.ndarray:
    """The weights of a layer on a text, `(n_tokens, n_tokens)`; the marks are random."""
    device = layer.w_value.weight.device
    marks = torch.randn(len(text), D_MARK, generator=torch.Generator().manual_seed(seed))
    return layer(tokens_of(symbols_of([text])[0], marks).to(device))[1].cpu().numpy()


def finds_partners(matrix: np.ndarray) -> bool:
    """Whether in an interaction matrix the largest entry of each symbol's row, among the symbols, is its partner's.

    Example:
        >>> finds_partners(np.eye(8)), finds_partners(np.eye(8)[[1, 0, 3, 2, 5, 4, 7, 6]])
        (False, True)
    """
    among = matrix[: len(SYMBOLS), : len(SYMBOLS)]
    return bool((among.argmax(axis=1) == np.arange(len(SYMBOLS)) ^ 1).all())

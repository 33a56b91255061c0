"""A multi-head attention has to follow two relations at once, which one head cannot do and two can.

Each word has to be given two payloads: that of the word before it and that of its partner. The first relation depends
on position, the second on content.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.multi_head.partner_sentences import (
    D_MODEL,
    D_PAYLOAD,
    MOST_WORDS,
    Sentences,
    draw_sentences,
    words_to_x,
)
from course_attention.mechanisms.multi_head import multi_head_attention

RELATIONS = ("word before", "partner")


@dataclass(frozen=True)
class Trained:
    """A trained multi-head attention.

    Attributes:
        weights: w_query, w_key, w_value and w_out, as `multi_head_attention` takes them.
        n_heads: how many heads.
        loss: squared error as a share of the payloads' variance, `(n_steps,)`; knowing nothing has a loss of 1.
    """

    weights: tuple[Tensor, ...]
    n_heads: int
    loss: np.ndarray

    @property
    def n_parameters(self) -> int:
        """The number of parameters."""
        return sum(weight.numel() for weight in self.weights)

    def without_head(self, head: int) -> Trained:
        """The same attention with one head's rows of w_out set to 0."""
        *others, w_out = self.weights
        rows = torch.arange(w_out.shape[0], device=w_out.device) * self.n_heads // w_out.shape[0]
        return replace(self, weights=(*others, w_out * (rows != head).unsqueeze(-1)))


def both(wanted: Tensor) -> Tensor:
    """The two payloads side by side, `(..., 2, D_PAYLOAD)` → `(..., 2 · D_PAYLOAD)`."""
    return wanted.flatten(-2)


def difference(wanted: Tensor) -> Tensor:
    """The difference of the two payloads, divided by √2 so that its variance is 1."""
    return (wanted[..., 0, :] - wanted[..., 1, :]) / 2**0.5


@one_thread()
def train(
    n_heads: int,
    d_keys: int = 32,
    d_values: int = 16,
    seed: int = 0,
    target: Callable[[Tensor], Tensor] = both,
    project_out: bool = True,
    n_steps: int = 300,
    n_sentences: int = 32,
    rate: float = 0.05,
    attend: Callable = multi_head_attention,
    device: str | torch.device = "cpu",
) -> Trained:
    """Train a multi-head attention by Adam on new sentences.

    Args:
        n_heads: among which d_keys and d_values are divided, so that the cost does not depend on it.
        d_keys, d_values: sizes of queries and keys, and of values, of all heads together.
        seed: of the sentences and the initial weights.
        target: from the two payloads to what has to be given, `both` or `difference`.
        project_out: learn w_out; False leaves the heads side by side.
        n_steps, n_sentences: training steps, and sentences in each.
        rate: the learning rate.
        attend: has the arguments and results of `multi_head_attention`.
        device: where to train.
    """
    generator = torch.Generator().manual_seed(seed)
    d_out = target(torch.zeros(2, D_PAYLOAD)).shape[-1]

    def draw(rows, columns):
        return (torch.randn(rows, columns, generator=generator) / rows**0.5).to(device).requires_grad_()

    weights = [draw(D_MODEL, d_keys), draw(D_MODEL, d_keys), draw(D_MODEL, d_values)]
    weights.append(draw(d_values, d_out) if project_out else torch.eye(d_values, device=device))
    update = torch.optim.Adam([weight for weight in weights if weight.requires_grad], lr=rate)
    slower = torch.optim.lr_scheduler.LinearLR(update, 1.0, 0.02, n_steps)
    losses = []
    for _ in range(n_steps):
        sentences = draw_sentences(n_sentences, generator, device=device)
        output, _ = attend(sentences.x, *weights, n_heads)
        loss = _errors(sentences, output, target).mean()
        update.zero_grad()
        loss.backward()
        update.step()
        slower.step()
        losses.append(loss.detach())
    return Trained(tuple(w.detach() for w in weights), n_heads, torch.stack(losses).cpu().numpy())


def _errors(sentences: Sentences, output: Tensor, target: Callable) -> Tensor:
    """Squared errors of the payloads, for words whose two related words exist and differ."""
    before, partner = sentences.related.unbind(dim=1)
    counted = before.any(-1) & ~(before & partner).any(-1)
    return (output - target(sentences.wanted))[counted].square()


def measure(
    trained: Trained, n_sentences: int = 300, seed: int = 1000, attend: Callable = multi_head_attention
) -> tuple[np.ndarray, np.ndarray]:
    """Measure a trained attention on new sentences.

    Returns:
        The error of each relation, `(2,)`, from 0 to about 1 (that of knowing nothing), and the share of its weight
        that each head gives to the words of each relation, `(n_heads, 2)`.
    """
    generator = torch.Generator().manual_seed(seed)
    sentences = draw_sentences(n_sentences, generator, device=trained.weights[0].device)
    with torch.no_grad():
        output, weights = attend(sentences.x, *trained.weights, trained.n_heads)
        errors = _errors(sentences, output, both).unflatten(-1, (2, D_PAYLOAD)).mean(dim=(0, 2))
        shares = torch.einsum("shij,srij->hri", weights, sentences.related.to(weights)) / n_sentences
    return errors.cpu().numpy(), shares[..., 1:].mean(-1).cpu().numpy()


def read(
    words: Sequence[str], trained: Trained, attend: Callable = multi_head_attention
) -> tuple[np.ndarray, list[tuple[str, str]]]:
    """Apply a trained attention to words.

    A word has the same payload whenever it occurs. Each payload in the output is taken for that of the sentence's word
    whose payload is nearest.

    Returns:
        Weights, `(n_heads, n_words, n_words)`, and for each word the two words whose payloads it was given.

    Raises:
        ValueError: there are no words or too many, or one does not begin with a letter from a to z.
    """
    words = list(words)
    if not 1 <= len(words) <= MOST_WORDS:
        raise ValueError(f"there must be 1 to {MOST_WORDS} words; got {len(words)}")
    for word in words:
        if word[:1].lower() not in ascii_lowercase or not word:
            raise ValueError(f"every word must begin with a letter from a to z; got {word!r}")
    device = trained.weights[0].device
    letters = torch.tensor([ascii_lowercase.index(word[0].lower()) for word in words])
    payload = torch.stack([_payload(word) for word in words])
    with torch.no_grad():
        output, weights = attend(words_to_x(letters, payload).to(device), *trained.weights, trained.n_heads)
    given = output.cpu().unflatten(-1, (2, D_PAYLOAD))  # (n_words, 2, D_PAYLOAD)
    nearest = torch.cdist(given, payload.expand(len(words), *payload.shape)).argmin(-1)
    return weights.cpu().numpy(), [(words[before], words[partner]) for before, partner in nearest.tolist()]


def _payload(word: str) -> Tensor:
    generator = torch.Generator().manual_seed(zlib.crc32(word.lower().encode()))
    return torch.randn(D_PAYLOAD, generator=generator)

"""A word to be fetched: what a convolution, a dense layer and attention learn of a relation between words.

In a text of random words, a verb is to be given the content of its noun. Where that stands depends on the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.self_attention import convolution_mixing, self_attention

N_TOKENS, D_CONTENT = 8, 4
TASKS = ("right before", "anywhere", "one of two")


@dataclass(frozen=True)
class Texts:
    """Random texts in which a verb is to be given the content of its noun.

    Attributes:
        x: `(n_texts, N_TOKENS, 2 + D_CONTENT)`: is a noun, is a verb, content.
        verb: the place of the verb, `(n_texts,)`.
        target: content of the noun that belongs to it, `(n_texts, D_CONTENT)`.
    """

    x: Tensor
    verb: Tensor
    target: Tensor


def draw_texts(task: str, n_texts: int, generator: torch.Generator) -> Texts:
    """Draw texts: the noun stands right before the verb, or anywhere, or there are two and the one before counts.

    Example:
        >>> texts = draw_texts("anywhere", 5, torch.Generator().manual_seed(0))
        >>> texts.x[..., :2].sum(dim=-2)[0]  # a noun and a verb
        tensor([1., 1.])
    """
    content = torch.randn(n_texts, N_TOKENS, D_CONTENT, generator=generator)
    kind = torch.zeros(n_texts, N_TOKENS, 2)
    rows = torch.arange(n_texts)
    if task == "anywhere":
        noun, verb = torch.rand(n_texts, N_TOKENS, generator=generator).argsort(-1)[:, :2].unbind(-1)
    else:
        verb = torch.randint(1, N_TOKENS - 1, (n_texts,), generator=generator)
        noun = verb - 1
    kind[rows, noun, 0] = 1
    kind[rows, verb, 1] = 1
    if task == "one of two":
        kind[rows, verb + 1, 0] = 1
    return Texts(torch.cat([kind, content], dim=-1), verb, content[rows, noun])


class Convolution:
    """A kernel that reaches from end to end; each channel of the content is mixed alike."""

    def __init__(self, generator: torch.Generator, mixing: Callable = convolution_mixing) -> None:
        self.kernel = 0.1 * torch.randn(2 * N_TOKENS - 1, generator=generator)
        self._mixing = mixing

    def parameters(self) -> list[Tensor]:
        return [self.kernel]

    def __call__(self, x: Tensor) -> Tensor:
        return self._mixing(self.kernel, N_TOKENS) @ x[..., 2:]


class Dense:
    """A weight for each pair of places."""

    def __init__(self, generator: torch.Generator) -> None:
        self.weights = 0.1 * torch.randn(N_TOKENS, N_TOKENS, generator=generator)

    def parameters(self) -> list[Tensor]:
        return [self.weights]

    def __call__(self, x: Tensor) -> Tensor:
        return self.weights @ x[..., 2:]


class Attention:
    """Weights from content. The values are the content as it is, so that the mixing alone is learned."""

    def __init__(self, generator: torch.Generator, attend: Callable = self_attention, d_key: int = 2) -> None:
        d_model = 2 + D_CONTENT
        self.w_query, self.w_key = (torch.randn(d_model, d_key, generator=generator) for _ in range(2))
        self._w_value = torch.eye(d_model)[:, 2:]
        self._attend = attend

    def parameters(self) -> list[Tensor]:
        return [self.w_query, self.w_key]

    def __call__(self, x: Tensor) -> Tensor:
        return self._attend(x, self.w_query, self.w_key, self._w_value)[0]


@one_thread()
def retrieval_errors(
    task: str,
    make: Callable[[torch.Generator], Callable],
    seeds: Iterable[int] = range(3),
    n_steps: int = 250,
) -> np.ndarray:
    """Train a mixer by Adam, once per seed; the error on new texts as a share of the content's variance: `(n_seeds,)`.

    A mixer that knows nothing has an error of 1.
    """
    return np.array([_retrieval_error(task, make, seed, n_steps) for seed in seeds])


def _retrieval_error(task: str, make: Callable, seed: int, n_steps: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    mixer = make(generator)
    update = torch.optim.Adam([p.requires_grad_() for p in mixer.parameters()], lr=0.05)
    for _ in range(n_steps):
        loss = _loss(mixer, draw_texts(task, 64, generator))
        update.zero_grad()
        loss.backward()
        update.step()
    with torch.no_grad():
        return _loss(mixer, draw_texts(task, 2000, generator)).item()


def _loss(mixer: Callable, texts: Texts) -> Tensor:
    at_verb = mixer(texts.x)[torch.arange(len(texts.verb)), texts.verb]
    return (at_verb - texts.target).square().mean()

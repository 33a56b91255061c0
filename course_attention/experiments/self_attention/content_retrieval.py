"""Retrieval tasks: which of a convolution, a dense layer and attention can fetch a word's content for another word?

In a text of random words, a verb has to be given the content of its noun. The place of the noun depends on the task.
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
    """Random texts in which a verb has to be given the content of its noun.

    Attributes:
        x: `(n_texts, N_TOKENS, 2 + D_CONTENT)`: 1 for a noun, 1 for a verb, and the content.
        verb: the place of the verb, `(n_texts,)`.
        target: content of the noun that belongs to it, `(n_texts, D_CONTENT)`.
    """

    x: Tensor
    verb: Tensor
    target: Tensor


def draw_texts(task: str, n_texts: int, generator: torch.Generator) -> Texts:
    """Draw texts of one of the TASKS.

    "right before": the noun stands right before the verb. "anywhere": it may stand anywhere. "one of two": a noun
    stands on either side of the verb, and the one before it counts.

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
    """Mixing by a convolution whose kernel is as wide as the text; all channels of the content are mixed alike."""

    def __init__(self, generator: torch.Generator, mixing: Callable = convolution_mixing) -> None:
        self.kernel = 0.1 * torch.randn(2 * N_TOKENS - 1, generator=generator)
        self._mixing = mixing

    def parameters(self) -> list[Tensor]:
        """What is learned."""
        return [self.kernel]

    def __call__(self, x: Tensor) -> Tensor:
        return self._mixing(self.kernel, N_TOKENS) @ x[..., 2:]


class Dense:
    """Mixing by a dense layer: a learned weight for each pair of places."""

    def __init__(self, generator: torch.Generator) -> None:
        self.weights = 0.1 * torch.randn(N_TOKENS, N_TOKENS, generator=generator)

    def parameters(self) -> list[Tensor]:
        """What is learned."""
        return [self.weights]

    def __call__(self, x: Tensor) -> Tensor:
        return self.weights @ x[..., 2:]


class Attention:
    """Mixing by attention. The values are the contents themselves, so that only the mixing is learned."""

    def __init__(self, generator: torch.Generator, attend: Callable = self_attention, d_key: int = 2) -> None:
        d_model = 2 + D_CONTENT
        self.w_query, self.w_key = (torch.randn(d_model, d_key, generator=generator) for _ in range(2))
        self._w_value = torch.eye(d_model)[:, 2:]
        self._attend = attend

    def parameters(self) -> list[Tensor]:
        """What is learned."""
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
    """Train a mixer by Adam, once for each seed, and measure it on new texts.

    Args:
        task: one of TASKS.
        make: makes the mixer from a generator of random numbers.
        seeds: of the texts and the initial weights.
        n_steps: of each training.

    Returns:
        Squared error as a share of the content's variance, `(n_seeds,)`. A mixer that knows nothing has an error of 1.
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

"""Two classification tasks for self-attention: one depends on the bag of tokens, the other on their order.

A word has one a and one b among c's and d's. The task "bag" asks whether there are more c's than d's. The task "order"
asks whether the a stands before the b. A layer of self-attention and a mean over the tokens have to answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.positions import append_positions, sinusoidal_encoding

LETTERS = "abcd"
TASKS = ("bag", "order")
POSITIONS = ("none", "added", "appended")


def draw_words(task: str, n_words: int, n_tokens: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw random words with their answers; about half of the answers are yes.

    Args:
        task: "bag" (more c's than d's?) or "order" (a before b?).
        n_words, n_tokens: how many words, and their length, an odd number.
        generator: draws them.

    Returns:
        Indices of letters `(n_words, n_tokens)` and answers, 0 or 1, `(n_words,)`.

    Example:
        >>> words, answers = draw_words("order", 2, 5, torch.Generator().manual_seed(0))
        >>> words.shape, answers.shape
        (torch.Size([2, 5]), torch.Size([2]))
    """
    words = torch.randint(2, 4, (n_words, n_tokens), generator=generator)
    place = torch.rand(n_words, n_tokens, generator=generator).argsort(-1)
    words.scatter_(1, place[:, :1], 0).scatter_(1, place[:, 1:2], 1)
    return words, answer(task, words)


def answer(task: str, words: Tensor) -> Tensor:
    """The right answers, `(...)`, to words `(..., n_tokens)`.

    Example:
        >>> answer("order", torch.tensor([[2, 0, 1], [1, 3, 0]])), answer("bag", torch.tensor([[2, 0, 1]]))
        (tensor([1., 0.]), tensor([1.]))
    """
    if task == "bag":
        return ((words == 2).sum(-1) > (words == 3).sum(-1)).float()
    return ((words == 0).int().argmax(-1) < (words == 1).int().argmax(-1)).float()


class WordClassifier:
    """A classifier: self-attention, a mean over the tokens, and a yes or no; several seeds are trained side by side.

    Args:
        positions: "none", "added" to the letters, or "appended" to them.
        causal: whether a token sees only itself and those before it.
        n_seeds: trained side by side, each with its own parameters.
        d_model: size of the letters.
        encode, append: make the encoding, and append it.
        device: where to compute.
    """

    def __init__(
        self,
        positions: str = "none",
        causal: bool = False,
        n_seeds: int = 3,
        d_model: int = 16,
        encode: Callable = sinusoidal_encoding,
        append: Callable = append_positions,
        device: str | torch.device = "cpu",
    ):
        generator = torch.Generator().manual_seed(0)
        d_token = 2 * d_model if positions == "appended" else d_model

        def draw(d_in: int, d_out: int) -> Tensor:
            drawn = torch.randn(n_seeds, 1, d_in, d_out, generator=generator) / d_in**0.5
            return drawn.to(device).requires_grad_()

        self.letters = (
            torch.randn(n_seeds, len(LETTERS), d_model, generator=generator).to(device).requires_grad_()
        )
        self.projections = [draw(d_token, d_model) for _ in range(3)]
        self.hidden, self.out = draw(d_model, d_model), draw(d_model, 1)
        self.parameters = [self.letters, *self.projections, self.hidden, self.out]
        self.positions, self.causal, self.encode, self.append = positions, causal, encode, append

    def __call__(self, words: Tensor) -> Tensor:
        """Logits `(n_seeds, n_words)` of words `(n_words, n_tokens)`."""
        x = self.letters[:, words]  # (n_seeds, n_words, n_tokens, d_model)
        n_tokens, d_model = x.shape[-2:]
        encoding = self.encode(n_tokens, d_model).to(x)
        if self.positions == "added":
            x = x + encoding
        elif self.positions == "appended":
            x = self.append(x, encoding)
        allowed = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=x.device).tril()
        query, key, value = (x @ weight for weight in self.projections)
        output, _ = attention(query, key, value, allowed if self.causal else None)
        return ((output @ self.hidden).relu().mean(-2) @ self.out[:, 0]).squeeze(-1)


@dataclass(frozen=True)
class Accuracy:
    """Accuracies during a training.

    Attributes:
        steps: the training steps after which it was measured, `(n_measured,)`.
        accuracy: share of new words answered rightly, `(n_seeds, n_measured)`.
    """

    steps: np.ndarray
    accuracy: np.ndarray

    @property
    def final(self) -> np.ndarray:
        """Accuracy of each seed at the end, `(n_seeds,)`."""
        return self.accuracy[:, -1]


@one_thread()
def train_classifier(
    task: str,
    positions: str = "none",
    causal: bool = False,
    n_steps: int = 300,
    n_words: int = 64,
    n_tokens: int = 11,
    rate: float = 0.01,
    n_seeds: int = 3,
    encode: Callable = sinusoidal_encoding,
    append: Callable = append_positions,
    device: str | torch.device = "cpu",
) -> Accuracy:
    """Train on new words at each step, by Adam; measure ten times on the same 1000 unseen words.

    Args:
        task: "bag" or "order".
        positions, causal, n_seeds, encode, append, device: of the classifier, see `WordClassifier`.
        n_steps, n_words, n_tokens: training steps, and the words of each.
        rate: the learning rate.
    """
    reader = WordClassifier(positions, causal, n_seeds, encode=encode, append=append, device=device)
    update = torch.optim.Adam(reader.parameters, lr=rate)
    generator = torch.Generator().manual_seed(1)
    unseen = [t.to(device) for t in draw_words(task, 1000, n_tokens, torch.Generator().manual_seed(2))]
    steps, accuracies = [], []
    for step in range(n_steps + 1):
        if step % (n_steps // 10) == 0:
            with torch.no_grad():
                right = (reader(unseen[0]) > 0) == (unseen[1] > 0.5)
            steps.append(step)
            accuracies.append(right.float().mean(-1).cpu().numpy())
        words, answers = (t.to(device) for t in draw_words(task, n_words, n_tokens, generator))
        logits = reader(words)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, answers.expand_as(logits))
        update.zero_grad()
        # times the seeds: no seed's gradient depends on how many others run beside it
        (loss * len(logits)).backward()
        update.step()
    return Accuracy(np.array(steps), np.stack(accuracies, 1))

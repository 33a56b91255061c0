"""Length extrapolation: models with five kinds of positions are trained on short sequences and tested on longer ones.

Each token is a letter with a digit, as in d4 a7 d1 …, and has to recall a digit that came before it. For the question
"last", that is the latest digit of its own letter. For "third back", it is the digit three tokens before, whatever the
letter. The right token is as near in a long sequence as in a short one; a long sequence only adds tokens farther back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms import positions
from course_attention.mechanisms.masking import masked_softmax

SCHEMES = ("none", "sinusoidal", "learned", "relative", "rotary", "ALiBi")
N_LETTERS, N_DIGITS = 8, 10
LONGEST, REACH = 256, 16


@dataclass(frozen=True)
class PositionFunctions:
    """The functions that add positions to a model: the package's own, or others with the same contract."""

    sinusoidal_encoding: Callable = positions.sinusoidal_encoding
    relative_bias: Callable = positions.relative_bias
    rotary: Callable = positions.rotary
    alibi_bias: Callable = positions.alibi_bias


def draw_lines(
    question: str, n_sequences: int, n_tokens: int, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw random sequences, and for each token the digit that it has to recall.

    Args:
        question: "last" or "third back".
        n_sequences, n_tokens: how many sequences, and their length.
        generator: draws them.

    Returns:
        letters, digits and targets, each `(n_sequences, n_tokens)`; a target is −1 where there is none.

    Example:
        >>> letters, digits, targets = draw_lines("third back", 1, 5, torch.Generator().manual_seed(0))
        >>> targets[0, :3].tolist(), (targets[0, 3:] == digits[0, :2]).all().item()
        ([-1, -1, -1], True)
    """
    letters = torch.randint(N_LETTERS, (n_sequences, n_tokens), generator=generator)
    digits = torch.randint(N_DIGITS, (n_sequences, n_tokens), generator=generator)
    place = torch.arange(n_tokens)
    if question == "last":
        earlier = (letters[:, :, None] == letters[:, None, :]) & (place[:, None] > place)
        asked = torch.where(earlier, place, -1).amax(-1)
    else:
        asked = (place - 3).clamp(min=-1).expand(n_sequences, -1)
    return letters, digits, torch.where(asked >= 0, digits.gather(1, asked.clamp(min=0)), -1)


class RecallModel:
    """One layer of causal multi-head attention that recalls digits; several seeds are trained side by side.

    Args:
        scheme: one of SCHEMES, the kind of positions.
        n_seeds: models side by side, each with its own parameters.
        n_heads, d_head: heads, and channels of each.
        functions: that add the positions.
        device: where to compute.
    """

    def __init__(
        self,
        scheme: str,
        n_seeds: int = 3,
        n_heads: int = 4,
        d_head: int = 8,
        functions: PositionFunctions | None = None,
        device: str | torch.device = "cpu",
    ):
        generator = torch.Generator().manual_seed(0)
        self.scheme, self.n_heads, self.functions = scheme, n_heads, functions or PositionFunctions()
        d_model = n_heads * d_head

        def draw(*shape: int, scale: float = 1.0) -> Tensor:
            return (scale * torch.randn(n_seeds, *shape, generator=generator)).to(device).requires_grad_()

        self.letters, self.digits = draw(N_LETTERS, d_model), draw(N_DIGITS, d_model)
        self.projections = [draw(1, d_model, d_model, scale=d_model**-0.5) for _ in range(3)]
        self.out = draw(1, d_model, N_DIGITS, scale=d_model**-0.5)
        self.parameters = [self.letters, self.digits, *self.projections, self.out]
        if scheme == "learned":
            self.learned = draw(1, LONGEST, d_model)
            self.parameters.append(self.learned)
        if scheme == "relative":
            self.table = draw(n_heads, 2 * REACH + 1, scale=0.0)
            self.parameters.append(self.table)

    def __call__(self, letters: Tensor, digits: Tensor) -> Tensor:
        """Logits, `(n_seeds, n_sequences, n_tokens, N_DIGITS)`, of letters and digits `(n_sequences, n_tokens)`."""
        x = self.letters[:, letters] + self.digits[:, digits]  # (n_seeds, n_sequences, n_tokens, d_model)
        n_tokens, d_model = x.shape[-2:]
        if self.scheme == "sinusoidal":
            x = x + self.functions.sinusoidal_encoding(n_tokens, d_model).to(x)
        if self.scheme == "learned":
            x = x + self.learned[:, :, :n_tokens]
        query, key, value = (
            (x @ weight).unflatten(-1, (self.n_heads, -1)).transpose(-2, -3) for weight in self.projections
        )
        if self.scheme == "rotary":
            place = torch.arange(n_tokens, device=x.device)
            query, key = self.functions.rotary(query, place), self.functions.rotary(key, place)
        scores = query @ key.mT / query.shape[-1] ** 0.5
        if self.scheme == "relative":
            tables = [self.functions.relative_bias(table, n_tokens, n_tokens) for table in self.table]
            scores = scores + torch.stack(tables).unsqueeze(1)
        if self.scheme == "ALiBi":
            scores = scores + self.functions.alibi_bias(self.n_heads, n_tokens, n_tokens).to(x)
        before = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=x.device).tril(-1)
        output = masked_softmax(scores, before) @ value
        return output.transpose(-2, -3).flatten(-2) @ self.out


@dataclass(frozen=True)
class Extrapolation:
    """Accuracies of models trained on short sequences.

    Attributes:
        lengths: of the sequences it was tested on, `(n_lengths,)`.
        accuracy: share of right digits among the last 16 tokens of each, `(n_seeds, n_lengths)`.
    """

    lengths: np.ndarray
    accuracy: np.ndarray

    def at(self, length: int) -> np.ndarray:
        """Accuracy of each seed at a length, `(n_seeds,)`.

        Example:
            >>> Extrapolation(np.array([32, 64]), np.array([[0.9, 0.5]])).at(64)
            array([0.5])
        """
        return self.accuracy[:, list(self.lengths).index(length)]


@one_thread()
def train_short_test_long(
    scheme: str,
    question: str = "last",
    n_steps: int = 250,
    n_sequences: int = 16,
    n_tokens: int = 32,
    lengths: Sequence[int] = (32, 64, 128, 256),
    rate: float = 0.01,
    n_seeds: int = 3,
    functions: PositionFunctions | None = None,
    device: str | torch.device = "cpu",
) -> Extrapolation:
    """Train on new sequences of one length, by Adam, then test on other lengths.

    Args:
        scheme: one of SCHEMES.
        question: "last" or "third back".
        n_steps, n_sequences, n_tokens: training steps, and the sequences of each.
        lengths: to test on.
        rate: the learning rate.
        n_seeds: models trained side by side.
        functions: that add the positions; None for the package's own.
        device: where to train.

    Source:
        Press et al. (2022), "Train short, test long", for the comparison.
    """
    model = RecallModel(scheme, n_seeds, functions=functions, device=device)
    update = torch.optim.Adam(model.parameters, lr=rate)
    generator = torch.Generator().manual_seed(1)
    for _ in range(n_steps):
        letters, digits, targets = (
            t.to(device) for t in draw_lines(question, n_sequences, n_tokens, generator)
        )
        logits = model(letters, digits)
        wanted = targets.expand(n_seeds, -1, -1).flatten()
        # times the seeds: no seed's gradient depends on how many others run beside it
        loss = n_seeds * torch.nn.functional.cross_entropy(logits.flatten(0, 2), wanted, ignore_index=-1)
        update.zero_grad()
        loss.backward()
        update.step()
    columns = [_accuracy(model, question, length, device) for length in lengths]
    return Extrapolation(np.asarray(lengths), np.stack(columns, 1))


@torch.no_grad()
def _accuracy(model: RecallModel, question: str, length: int, device: str | torch.device) -> np.ndarray:
    """Accuracy over the last 16 tokens, since the first ones of a long sequence are like those of a short one."""
    drawn = draw_lines(question, 16, length, torch.Generator().manual_seed(2))
    letters, digits, targets = (t.to(device) for t in drawn)
    asked = (targets >= 0)[:, -16:]
    right = (model(letters, digits).argmax(-1) == targets)[..., -16:] & asked
    return (right.sum((1, 2)) / asked.sum()).cpu().numpy()

"""Induction heads: a model of attention alone learns to continue patterns that it has never seen.

Two layers can learn that (Olsson et al. 2022, "In-context learning and induction heads"). A head of the first layer
tells each letter which letter came before it. A head of the second, the induction head, looks for a place that came
after the present letter, and predicts the letter that stands there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from tqdm.auto import tqdm

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.modern.repeated_patterns import (
    LETTERS,
    LONGEST,
    N_TOKENS,
    Patterns,
    draw_patterns,
)
from course_attention.mechanisms.masking import causal_mask
from course_attention.mechanisms.multi_head import MultiHeadAttention

D_MODEL, BATCH, EVERY = 48, 64, 10


class AttentionOnly(nn.Module):
    """A model of attention layers with residual connections, between an embedding and an output layer.

    Positions are added to queries and keys and not to values: a head can look by position, and passes on letters.

    Args:
        n_heads: number of heads of each layer.
        layer: makes a layer from d_model and its number of heads.
    """

    def __init__(self, n_heads: Sequence[int], layer: Callable[[int, int], nn.Module] = MultiHeadAttention):
        super().__init__()
        self.n_heads = tuple(n_heads)
        self.letters = nn.Embedding(len(LETTERS), D_MODEL)
        self.places = nn.Embedding(N_TOKENS, D_MODEL)
        self.layers = nn.ModuleList(layer(D_MODEL, number) for number in n_heads)
        self.out = nn.Linear(D_MODEL, len(LETTERS), bias=False)
        for table in (self.letters, self.places):
            nn.init.normal_(table.weight, std=D_MODEL**-0.5)

    def forward(self, tokens: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Logits of the next token, `(batch, n_tokens, n_letters)`, and the weights of each layer."""
        x, places = self.letters(tokens), self.places.weight[: tokens.shape[-1]]
        allowed = causal_mask(tokens.shape[-1], device=tokens.device)
        found = []
        for layer in self.layers:
            update, weights = layer(x + places, x + places, x, allowed)
            x = x + update
            found.append(weights)
        return self.out(x), found


@dataclass(frozen=True)
class Measured:
    """Losses and accuracy of a model, and what its heads attend to.

    Attributes:
        loss: cross-entropy of the tokens that can be known, in nats.
        unknown: cross-entropy of the other tokens, in nats.
        accuracy: share of right predictions among the tokens that can be known.
        on_previous: [layer][head], the mean weight of the first `LONGEST` tokens on the token right before.
        on_source: [layer][head], the mean weight on the source, of the tokens whose successor can be known.
    """

    loss: float
    unknown: float
    accuracy: float
    on_previous: list[list[float]]
    on_source: list[list[float]]


@dataclass(frozen=True)
class Trained:
    """A trained model, and what was measured during training.

    Attributes:
        model: after the last step.
        steps: after which it was measured, every `EVERY` of them.
        history: the measurements, each on the batch of its step.
    """

    model: AttentionOnly
    steps: np.ndarray
    history: list[Measured]

    def curve(self, number: Callable[[Measured], float]) -> np.ndarray:
        """One number of each measurement as an array, `(n_measurements,)`."""
        return np.array([number(measured) for measured in self.history])


def _measured(patterns: Patterns, logits: Tensor, weights: list[Tensor], losses: Tensor) -> Measured:
    known, source = patterns.known, patterns.source.unsqueeze(1)
    on_source = [(w * source).sum(-1).transpose(0, 1)[:, known].mean(-1).tolist() for w in weights]
    # Beyond the longest period there is always a source further back, and nothing to be told.
    on_previous = [w.diagonal(-1, -2, -1)[..., : LONGEST - 1].mean((0, 2)).tolist() for w in weights]
    right = logits.argmax(-1) == patterns.tokens[:, 1:]
    return Measured(
        losses[known].mean().item(),
        losses[~known].mean().item(),
        right[known].float().mean().item(),
        on_previous,
        on_source,
    )


def _run(model: nn.Module, patterns: Patterns) -> tuple[Tensor, list[Tensor], Tensor]:
    logits, weights = model(patterns.tokens[:, :-1])
    return logits, weights, F.cross_entropy(logits.mT, patterns.tokens[:, 1:], reduction="none")


@one_thread()
def train(
    n_heads: Sequence[int] = (1, 1),
    n_steps: int = 350,
    seed: int = 0,
    device: str | torch.device = "cpu",
    layer: Callable[[int, int], nn.Module] = MultiHeadAttention,
) -> Trained:
    """Train a model to predict the next token; tokens that cannot be known count as well.

    Args:
        n_heads: number of heads of each layer.
        n_steps: of training, each on 64 new patterns.
        seed: of the initial weights and of the patterns.
        device: where to train.
        layer: makes a layer, see `AttentionOnly`.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = AttentionOnly(n_heads, layer).to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2, betas=(0.9, 0.98))
    steps, history = [], []
    for step in tqdm(range(n_steps), desc=f"layers: {len(n_heads)}, seed {seed}", leave=False):
        patterns = draw_patterns(BATCH, generator, device)
        logits, weights, losses = _run(model, patterns)
        if step % EVERY == 0:
            steps.append(step)
            history.append(_measured(patterns, logits, weights, losses))
        optimiser.zero_grad()
        losses.mean().backward()
        optimiser.step()
    return Trained(model, np.array(steps), history)


@torch.no_grad()
@one_thread()
def measure(model: AttentionOnly, n_patterns: int = 300, seed: int = 1000) -> Measured:
    """Measure a model on new patterns."""
    generator = torch.Generator().manual_seed(seed)
    patterns = draw_patterns(n_patterns, generator, model.out.weight.device)
    return _measured(patterns, *_run(model, patterns))


def ablate_head(model: AttentionOnly, layer: int, head: int) -> AttentionOnly:
    """A copy of a model without one head: its columns of w_out are set to 0."""
    copied = copy.deepcopy(model)
    weight = copied.layers[layer].get_parameter("w_out.weight")
    d_head = weight.shape[-1] // copied.n_heads[layer]
    with torch.no_grad():
        weight[:, head * d_head : (head + 1) * d_head] = 0
    return copied


@torch.no_grad()
@one_thread()
def predict_next(text: str, model: AttentionOnly) -> tuple[list[np.ndarray], str]:
    """Let a model predict the next letter after each letter of a text.

    Returns:
        The weights of each layer, `(n_heads, n_letters, n_letters)`, and the letter predicted after each.

    Raises:
        ValueError: there are no letters or more than 32, or one is not from a to z.
    """
    if not 1 <= len(text) <= N_TOKENS or not set(text) <= set(LETTERS):
        raise ValueError(f"text must be 1 to {N_TOKENS} letters from a to z; got {text!r}")
    tokens = torch.tensor([[LETTERS.index(letter) for letter in text]], device=model.out.weight.device)
    logits, weights = model(tokens)
    predicted = "".join(LETTERS[number] for number in logits[0].argmax(-1).tolist())
    return [layer[0].cpu().numpy() for layer in weights], predicted

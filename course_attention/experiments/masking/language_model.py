"""A language model that predicts the next word of a sentence, trained under several masks side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from tqdm.auto import tqdm

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.masking.grammar import END, LONGEST, PAD, WORDS, draw_sentences, encode
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import influence, padding_mask

Pad = Callable[[Tensor, int], Tensor]


@dataclass(frozen=True)
class LanguageModels:
    """Models trained under one mask, one for each seed.

    Attributes:
        weights: name → tensor with a leading axis of seeds.
        allowed: the mask that they were trained with, (n_tokens, n_tokens).
        loss: of each training step, in nats per word, (n_seeds, n_steps).
        attend: the attention in them.
    """

    weights: dict[str, Tensor]
    allowed: Tensor
    loss: np.ndarray
    attend: Callable

    @property
    def final(self) -> np.ndarray:
        """Loss of each seed over the last tenth of the steps, (n_seeds,)."""
        return self.loss[:, -max(1, self.loss.shape[1] // 10) :].mean(axis=1)

    @torch.no_grad()
    @one_thread()
    def generate(self, n_sentences: int = 100, seed: int = 0) -> list[list[list[str]]]:
        """Generate sentences with each seed's model, word by word, each word drawn from the model's prediction.

        Only the part of the mask that concerns the words so far is used, since no word follows yet.

        Args:
            n_sentences: of each seed.
            seed: of the draws.

        Returns:
            For each seed its sentences, each a list of words.
        """
        table = self.weights["embedding"]
        generator = torch.Generator().manual_seed(seed)
        said = torch.ones(table.shape[0], n_sentences, 1, dtype=torch.long, device=table.device)  # START
        for n_tokens in range(1, LONGEST + 1):
            logits = predict(self.weights, said, self.allowed[:n_tokens, :n_tokens], self.attend)
            chances = logits[..., -1, :].softmax(dim=-1).flatten(0, 1)
            word = torch.multinomial(chances.cpu(), 1, generator=generator).to(said)
            said = torch.cat([said, word.unflatten(0, said.shape[:2])], dim=-1)
        return [[_until_the_end(row) for row in rows] for rows in said[..., 1:].tolist()]

    @one_thread()
    def mean_influence(self, words: Sequence[str]) -> Tensor:
        """The influence of each word on each prediction, (n_words, n_words), as a mean over the seeds.

        The influences of a seed are divided by their largest, since seeds differ in the size of their scores. The start
        mark is left out.
        """
        tokens, lengths = encode([words])
        tokens = tokens[:, : int(lengths[0])].to(self.allowed.device)
        allowed = self.allowed[: tokens.shape[-1], : tokens.shape[-1]]
        strengths = []
        for seed in range(len(self.loss)):
            weights = {name: weight[seed] for name, weight in self.weights.items()}
            x = _vectors(weights, tokens)[0]

            def logits(x: Tensor, weights: dict[str, Tensor] = weights) -> Tensor:
                return _from_vectors(weights, x[None], allowed, self.attend)[0]

            strength = influence(logits, x)[1:, 1:]
            strengths.append(strength / strength.max())
        return torch.stack(strengths).mean(dim=0)


def _until_the_end(row: list[int]) -> list[str]:
    stop = row.index(END) + 1 if END in row else len(row)
    return [WORDS[i] for i in row[:stop]]


def predict(weights: Mapping[str, Tensor], tokens: Tensor, allowed: Tensor, attend: Callable) -> Tensor:
    """Scores of each word as the next one, (..., batch, n_tokens, n_words), from tokens (..., batch, n_tokens)."""
    return _from_vectors(weights, _vectors(weights, tokens), allowed, attend)


def _vectors(weights: Mapping[str, Tensor], tokens: Tensor) -> Tensor:
    """Word vectors: a learned vector for each word, and one for its position added to it."""
    known = F.one_hot(tokens, len(WORDS)).to(weights["embedding"])
    places = weights["position"][..., : tokens.shape[-1], :]
    return known @ weights["embedding"].unsqueeze(-3) + places.unsqueeze(-3)


def _from_vectors(weights: Mapping[str, Tensor], x: Tensor, allowed: Tensor, attend: Callable) -> Tensor:
    """Logits from word vectors: one layer of attention, then a feed-forward network.

    There is no residual connection, so that the mask alone decides which words can be known.
    """
    query, key, value = (x @ weights[name].unsqueeze(-3) for name in ("query", "key", "value"))
    output, _ = attend(query, key, value, allowed)
    hidden = (output @ weights["hidden"].unsqueeze(-3) + weights["bias"].unsqueeze(-3)).relu()
    return hidden @ weights["words"].unsqueeze(-3)


@one_thread()
def train_language_models(
    masks: Mapping[str, Tensor],
    attend: Callable = attention,
    pad: Pad = padding_mask,
    n_seeds: int = 3,
    n_steps: int = 1000,
    batch: int = 16,
    d_model: int = 32,
    d_hidden: int = 64,
    rate: float = 0.004,
    device: torch.device | str = "cpu",
) -> dict[str, LanguageModels]:
    """Train a model for each mask and seed on the same sentences, all side by side.

    Args:
        masks: name → allowed, (n_tokens, n_tokens) with n_tokens = LONGEST + 1, start mark included.
        attend: the attention to use.
        pad: makes the padding mask that is joined with each of the masks.
        n_seeds: models for each mask.
        n_steps, batch: training steps, and sentences in each.
        d_model, d_hidden: sizes of the model.
        rate: the largest learning rate.
        device: where to train.

    Returns:
        name → the models trained under that mask.
    """
    generator = torch.Generator().manual_seed(0)
    allowed = torch.stack(list(masks.values())).to(device)
    weights = _weights(len(masks), n_seeds, d_model, d_hidden, generator, device)
    update = torch.optim.Adam(weights.values(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(update, rate, total_steps=n_steps, pct_start=0.1)
    tokens, lengths = (t.to(device) for t in encode(draw_sentences(batch * n_steps, seed=1)))
    losses = []
    for step in tqdm(range(n_steps), desc="steps", leave=False):
        rows = slice(step * batch, (step + 1) * batch)
        words, real = tokens[rows], pad(lengths[rows], tokens.shape[-1])
        both = allowed[:, None, None] & real  # (n_masks, 1, batch, n_tokens, n_tokens)
        logits = predict(weights, words, both, attend)[..., :-1, :]
        target = words[:, 1:].expand(logits.shape[:-1])
        surprise = F.cross_entropy(
            logits.flatten(0, -2), target.flatten(), ignore_index=PAD, reduction="none"
        )
        loss = surprise.view(target.shape).sum(dim=(-2, -1)) / (words[:, 1:] != PAD).sum()
        update.zero_grad()
        loss.sum().backward()  # a sum: no model's gradient depends on the others
        update.step()
        schedule.step()
        losses.append(loss.detach())
    curves = torch.stack(losses, dim=-1).cpu().numpy()  # (n_masks, n_seeds, n_steps)
    return {
        name: LanguageModels({n: w[i].detach() for n, w in weights.items()}, allowed[i], curves[i], attend)
        for i, name in enumerate(masks)
    }


def _weights(
    n_masks: int, n_seeds: int, d_model: int, d_hidden: int, generator: torch.Generator, device
) -> dict[str, Tensor]:
    """Random initial weights, name → (n_masks, n_seeds, …); those of a seed are the same under every mask."""

    def draw(*shape: int, scale: float) -> Tensor:
        drawn = scale * torch.randn(n_seeds, *shape, generator=generator)
        return drawn.expand(n_masks, *drawn.shape).clone().to(device).requires_grad_()

    return {
        "embedding": draw(len(WORDS), d_model, scale=1.0),
        "position": draw(LONGEST + 1, d_model, scale=1.0),
        **{name: draw(d_model, d_model, scale=d_model**-0.5) for name in ("query", "key", "value")},
        "hidden": draw(d_model, d_hidden, scale=d_model**-0.5),
        "bias": draw(1, d_hidden, scale=0.0),
        "words": draw(d_hidden, len(WORDS), scale=d_hidden**-0.5),
    }

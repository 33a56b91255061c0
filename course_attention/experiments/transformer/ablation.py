"""Ablation: a small Transformer is trained to copy letters, each time without one of its parts.

The parts are removed from outside, by the names of their layers, so that a student's own blocks can be used as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from tqdm.auto import tqdm

from course_attention.experiments.common.copy_task import copy_pairs
from course_attention.experiments.seq2seq import translation
from course_attention.experiments.transformer.model import Block, Transformer
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock

PARTS = ("positions", "residuals", "norm", "scale", "mask")
_ATTENTIONS = ("attention", "self_attention", "cross_attention")


def ablate(part: str | None, model: Transformer) -> Transformer:
    """Remove a part of a model, in place.

    Args:
        part: one of PARTS; None leaves the model whole. Without "positions" no encoding is added. Without "residuals" a
            sublayer's output replaces its input. Without "norm" the layer norms do nothing. Without "scale" the scores
            are not divided by √d_key. Without "mask" a decoder's token sees the tokens after it.
        model: the model.

    Raises:
        ValueError: there is no such part.

    Example:
        >>> ablate("mask", Transformer(5, 5)).causal
        False
    """
    blocks = [*model.encoder, *model.decoder]
    if part == "positions":
        model.positions = False
    elif part == "residuals":
        for block in blocks:
            for name in (*_ATTENTIONS, "feed_forward"):
                if hasattr(block, name):
                    getattr(block, name).register_forward_hook(_less_its_input)
    elif part == "norm":
        for block in blocks:
            for name in [name for name, _ in block.named_children() if name.startswith("norm_")]:
                setattr(block, name, nn.Identity())
    elif part == "scale":
        for block in blocks:
            for attention in (getattr(block, name) for name in _ATTENTIONS if hasattr(block, name)):
                attention.w_query.register_forward_hook(_unscaled(attention.n_heads))
    elif part == "mask":
        model.causal = False
    elif part is not None:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, or None; got {part!r}")
    return model


def _less_its_input(sublayer: nn.Module, inputs: tuple[Tensor, ...], output: Tensor | tuple):
    """Give f(x) − x in place of f(x), so that f(x) is left when the block adds x."""
    if isinstance(output, tuple):
        return output[0] - inputs[0], *output[1:]
    return output - inputs[0]


def _unscaled(n_heads: int) -> Callable:
    """Multiply the query by √d_key, by which the scores are divided afterwards."""
    return lambda layer, inputs, query: query * (query.shape[-1] / n_heads) ** 0.5


@dataclass(frozen=True)
class Runs:
    """Trainings that differ in their seed alone.

    Attributes:
        loss: at each step, with the right symbols before (teacher forcing), (n_seeds, n_steps).
        exact: share of unseen strings that are copied rightly by greedy decoding, (n_seeds,).
    """

    loss: np.ndarray
    exact: np.ndarray


def train_ablations(
    parts: Sequence[str | None] = (None, *PARTS),
    n_seeds: int = 3,
    encoder_block: Block = EncoderBlock,
    decoder_block: Block = DecoderBlock,
    n_steps: int = 120,
    n_blocks: int = 1,
    longest: int = 5,
    batch_size: int = 32,
    learning_rate: float = 1e-2,
    d_model: int = 32,
    device: torch.device | str = "cpu",
    progress: bool = False,
) -> dict[str | None, Runs]:
    """Train a model without each of the parts, from several seeds, on the same strings.

    Args:
        parts: of PARTS; None for the whole model.
        n_seeds: models for each part.
        encoder_block, decoder_block: classes with the contracts of `EncoderBlock` and `DecoderBlock`.
        n_steps, batch_size, learning_rate: of each training.
        n_blocks, d_model: sizes of the model.
        longest: letters in a string.
        device: where to train.
        progress: whether to show a progress bar.
    """
    pairs, unseen = copy_pairs(2000, 200, shortest=3, longest=longest)
    n_symbols, found = len(pairs.source_vocabulary), {}
    for part in tqdm(parts, leave=False, disable=not progress):
        losses, exact = [], []
        for seed in range(n_seeds):
            model = Transformer(
                n_symbols,
                n_symbols,
                encoder_block,
                decoder_block,
                d_model=d_model,
                d_hidden=2 * d_model,
                n_blocks=n_blocks,
                seed=seed,
            )
            ablate(part, model.to(device))
            history = translation.train(
                model,
                pairs,
                n_steps=n_steps,
                batch_size=batch_size,
                learning_rate=learning_rate,
                seed=seed,
                betas=(0.9, 0.98),
                fused=True,
            )
            losses.append(history.loss)
            exact.append(translation.translate(model, unseen).exact.mean())
        found[part] = Runs(np.array(losses), np.array(exact))
    return found

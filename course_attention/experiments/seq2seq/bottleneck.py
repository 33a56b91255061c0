"""The bottleneck of an encoder–decoder without attention: its accuracy by source length, and its states' gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from course_attention.experiments.common.copy_task import copy_pairs
from course_attention.experiments.common.pairs import Pairs
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.seq2seq.translation import Translation, train_translator, translate
from course_attention.experiments.seq2seq.translator import Attend, Translator
from course_attention.mechanisms.seq2seq import attend_and_concat


@dataclass(frozen=True)
class LengthCurve:
    """Accuracy against source length, with attention and without, for several seeds.

    Attributes:
        lengths: the middle of each range of lengths, (n_lengths,).
        with_attention, without_attention: share of characters right in their place, (n_seeds, n_lengths).
        exact_with_attention, exact_without_attention: share of strings right in every character, (n_seeds, n_lengths).
    """

    lengths: np.ndarray
    with_attention: np.ndarray
    without_attention: np.ndarray
    exact_with_attention: np.ndarray
    exact_without_attention: np.ndarray


def accuracy_by_length(values: np.ndarray, n_source: np.ndarray, edges: Sequence[int]) -> np.ndarray:
    """Mean of a value per translation, for the lengths from each edge up to, but not including, the next.

    Args:
        values: one for each translation, (n_translations,).
        n_source: length of each source, (n_translations,).
        edges: of the ranges of lengths, rising.

    Returns:
        (n_edges − 1,).

    Example:
        >>> accuracy_by_length(np.array([1.0, 0.0, 1.0]), np.array([2, 3, 4]), edges=(2, 4, 6))
        array([0.5, 1. ])
    """
    buckets = [(low <= n_source) & (n_source < high) for low, high in pairwise(edges)]
    return np.array([values[bucket].mean() for bucket in buckets])


def length_curve(
    attend: Attend = attend_and_concat,
    seeds: Sequence[int] = (0, 1, 2),
    n_steps: int = 250,
    edges: Sequence[int] = (4, 7, 10, 13, 16, 19),
    n_pairs: tuple[int, int] = (20_000, 2_000),
    device: torch.device | str = "cpu",
    progress: bool = False,
) -> LengthCurve:
    """Train both models to copy strings, once for each seed, and measure their accuracy by length.

    This is the experiment of Bahdanau et al. (2015), figure 2, at laptop scale.

    Args:
        attend: the attention of the model that has one.
        seeds: of the strings and the weights.
        n_steps: of each training.
        edges: of the ranges of lengths.
        n_pairs: strings to train on and to test on.
        device: where to train.
        progress: whether to show progress bars.
    """
    runs: dict[bool, list[Translation]] = {True: [], False: []}
    for seed in seeds:
        train, test = copy_pairs(*n_pairs, shortest=edges[0], longest=edges[-1] - 1, seed=seed)
        for attends in (True, False):
            model, _ = train_translator(
                train,
                attend=attend if attends else None,
                n_steps=n_steps,
                seed=seed,
                device=device,
                progress=progress,
            )
            runs[attends].append(translate(model, test))

    def by_length(attends: bool, measure: str) -> np.ndarray:
        rows = [accuracy_by_length(getattr(run, measure), run.n_source, edges) for run in runs[attends]]
        return np.stack(rows)

    return LengthCurve(
        lengths=np.array([(low + high - 1) / 2 for low, high in pairwise(edges)]),
        with_attention=by_length(True, "characters"),
        without_attention=by_length(False, "characters"),
        exact_with_attention=by_length(True, "exact"),
        exact_without_attention=by_length(False, "exact"),
    )


@one_thread()
def sensitivity_of_last_state(
    model: Translator, pairs: Pairs, n_source: int
) -> tuple[np.ndarray, np.ndarray]:
    """How much the encoder's last state of each direction depends on each character.

    Args:
        model: trained or not.
        pairs: sources of at least `n_source` characters are used, cut to that many; the others are left out.
        n_source: how many characters.

    Returns:
        Frobenius norm of the derivative of the last state with respect to each character's embedding,
        averaged over the sources, for the encoder that reads forwards and the one that reads backwards:
        each (n_source,), in the order of the text.

    Raises:
        ValueError: no source is that long.
    """
    device = next(model.parameters()).device
    long_enough = (pairs.lengths() >= n_source).nonzero().squeeze(1)[:200]
    if len(long_enough) == 0:
        longest = int(pairs.lengths().max())
        raise ValueError(f"n_source must be at most {longest}, the longest source; got {n_source}")
    source = pairs.source[long_enough, :n_source].to(device)
    embedded = model.embed_source(source).detach().requires_grad_()
    _, last = model.encode(embedded, torch.ones_like(source, dtype=torch.bool))
    forwards, backwards = last.chunk(2, dim=-1)
    return _sensitivity(forwards, embedded), _sensitivity(backwards, embedded)


def _sensitivity(state: Tensor, embedded: Tensor) -> np.ndarray:
    squares = torch.zeros(embedded.shape[:2], device=embedded.device)
    for unit in state.unbind(dim=-1):
        # Summing over the batch mixes nothing: a state depends on its own source only.
        (gradient,) = torch.autograd.grad(unit.sum(), embedded, retain_graph=True)
        squares += gradient.square().sum(dim=-1)
    return squares.sqrt().mean(dim=0).cpu().numpy()


@one_thread()
def sensitivity_of_states(encoder: nn.GRU, embedded: Tensor) -> np.ndarray:
    """How much each encoder state depends on each input.

    Args:
        encoder: a recurrent layer with `batch_first`, one-way or bidirectional.
        embedded: one source, (n_source, d_embedding).

    Returns:
        (n_source, n_source): row i, column j is the Frobenius norm of ∂h_i/∂x_j. It is exactly 0 where h_i cannot
        depend on x_j.
    """
    jacobian = torch.autograd.functional.jacobian(lambda x: encoder(x)[0], embedded)
    return jacobian.square().sum(dim=(1, 3)).sqrt().cpu().numpy()

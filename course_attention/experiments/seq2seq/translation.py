"""Trains a translation model, translates with it, and measures how well it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import OneCycleLR
from tqdm.auto import tqdm

from course_attention.experiments.common.pairs import END, MARKS, PAD, Pairs
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.seq2seq.translator import Attend, Translator
from course_attention.mechanisms.seq2seq import attend_and_concat
from course_attention.mechanisms.transformer import sequence_loss


@dataclass
class History:
    """What was recorded during a training.

    Attributes:
        loss: at every step.
        steps: the steps after which unseen pairs were measured.
        accuracy: share of unseen pairs translated exactly, after each of these steps.
        seconds: of the whole training.
    """

    loss: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class Translation:
    """Translations of some pairs.

    Attributes:
        texts: what was written.
        alignment: (batch, n_target, n_source), row t the distribution α^t; None without attention.
        n_source: number of characters of each source, (batch,).
        n_written: number of steps that each translation took, its end mark included, (batch,); rows of the alignment
            after them mean nothing.
        exact: True where a translation is right in every character, (batch,).
        characters: share of the target's characters that are right in their place, the end mark included, (batch,).
    """

    texts: tuple[str, ...]
    alignment: np.ndarray | None
    n_source: np.ndarray
    n_written: np.ndarray
    exact: np.ndarray
    characters: np.ndarray

    @classmethod
    def of(cls, pairs: Pairs, symbols: Tensor, alignment: Tensor | None) -> Translation:
        """Compare what was written with the targets.

        Args:
            pairs: what was translated.
            symbols: what was written, (batch, n_target).
            alignment: (batch, n_target, n_source), row t the distribution α^t; None without attention.

        Example:
            >>> from course_attention.experiments.common.pairs import Vocabulary
            >>> letters = Vocabulary.of(["ab"])
            >>> pairs = Pairs.of(["ab", "b"], ["ab", "b"], ["", ""], letters, letters)
            >>> Translation.of(pairs, torch.tensor([[3, 4, 2], [3, 2, 0]]), None).exact
            array([ True, False])
        """
        symbols = symbols.cpu()
        target = pairs.target[:, : symbols.shape[1]]
        n_written = (symbols == END).cumsum(dim=1).eq(0).sum(dim=1).add(1).clamp(max=symbols.shape[1])
        right, counted = symbols == target, target != PAD
        return cls(
            texts=tuple(pairs.target_vocabulary.decode(row) for row in symbols.tolist()),
            alignment=None if alignment is None else alignment.cpu().numpy(),
            n_source=pairs.lengths().numpy(),
            n_written=n_written.numpy(),
            exact=(right | ~counted).all(dim=1).numpy(),
            characters=((right & counted).sum(dim=1) / counted.sum(dim=1)).numpy(),
        )

    def steps(self, row: int) -> list[str]:
        """Return what was written at each step of one translation; ∎ is the end mark."""
        return [*self.texts[row], MARKS[END]][: self.n_written[row]]

    def weights(self, row: int) -> np.ndarray:
        """Return the alignment of one translation without its padding, (n_written, n_source)."""
        return self._alignment()[row, : self.n_written[row], : self.n_source[row]]

    def entropy(self) -> np.ndarray:
        """Entropy of each α^t in bits, (batch, n_target); NaN after the end mark.

        It is 0 where one character has all the weight, and log₂ n_source where all have the same.

        Raises:
            ValueError: the model has no attention.
        """
        alignment = self._alignment()
        logarithms = np.log2(alignment, where=alignment > 0, out=np.zeros_like(alignment))
        bits = -(alignment * logarithms).sum(axis=-1)
        return np.where(np.arange(bits.shape[1]) < self.n_written[:, None], bits, np.nan)

    def _alignment(self) -> np.ndarray:
        if self.alignment is None:
            raise ValueError("the model must have attention for its translations to have an alignment; got none")
        return self.alignment


def train_translator(
    pairs: Pairs,
    unseen: Pairs | None = None,
    attend: Attend | None = attend_and_concat,
    n_steps: int = 400,
    batch_size: int = 64,
    learning_rate: float = 1e-2,
    d_hidden: int = 64,
    seed: int = 0,
    device: torch.device | str = "cpu",
    check_every: int = 25,
    progress: bool = False,
) -> tuple[Translator, History]:
    """Build a recurrent translator and train it, as `train` does; `seed` sets its weights and its batches."""
    sizes = len(pairs.source_vocabulary), len(pairs.target_vocabulary)
    with torch.random.fork_rng(devices=[]):  # layers draw their weights from the global random state
        torch.manual_seed(seed)
        model = Translator(*sizes, attend, d_hidden=d_hidden).to(device)
    history = train(
        model,
        pairs,
        unseen,
        n_steps,
        batch_size,
        learning_rate,
        seed,
        check_every=check_every,
        progress=progress,
    )
    return model, history


@one_thread()
def train(
    model: nn.Module,
    pairs: Pairs,
    unseen: Pairs | None = None,
    n_steps: int = 400,
    batch_size: int = 64,
    learning_rate: float = 1e-2,
    seed: int = 0,
    loss: Callable[[Tensor, Tensor, int], Tensor] = sequence_loss,
    check_every: int = 25,
    progress: bool = False,
    **adam: Any,
) -> History:
    """Train a model by teacher forcing, with Adam, a one-cycle learning rate and clipped gradients.

    The budget is a number of steps and not of seconds, so that a run can be repeated. The global random state stays as
    it was.

    Args:
        model: on its device; is called as a `Translator` is.
        pairs: to train on.
        unseen: pairs that are measured every `check_every` steps and never trained on; None for no measurement.
        n_steps, batch_size: training steps, and pairs in each.
        learning_rate: the largest, reached after a tenth of the steps.
        seed: of the batches.
        loss: from logits, targets and the padding symbol to one number.
        check_every: steps between two measurements.
        progress: whether to show a progress bar.
        adam: further options of the optimiser.
    """
    device = next(model.parameters()).device
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=learning_rate, **adam)
    cycled = "betas" not in adam  # betas that were asked for stay as they are
    schedule = OneCycleLR(optimizer, learning_rate, total_steps=n_steps, pct_start=0.1, cycle_momentum=cycled)
    generator = torch.Generator().manual_seed(seed)
    history, began = History(), time.perf_counter()
    batches = islice(_batches(pairs, batch_size, generator), n_steps)
    batches = tqdm(batches, leave=False, disable=not progress, total=n_steps)
    for step, rows in enumerate(batches, start=1):
        source, allowed, target = pairs.batch(rows, device)
        error = loss(model(source, allowed, target), target, PAD)
        optimizer.zero_grad()
        error.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
        history.loss.append(error.item())
        if unseen is not None and (step % check_every == 0 or step == n_steps):
            history.steps.append(step)
            history.accuracy.append(float(translate(model, unseen).exact.mean()))
    history.seconds = time.perf_counter() - began
    return history


def _batches(pairs: Pairs, batch_size: int, generator: torch.Generator) -> Iterator[Tensor]:
    """Rows of each batch, endlessly; sources of about one length are put together, since that saves padding."""
    lengths, n_together = pairs.lengths(), 10
    while True:
        rows = torch.randint(len(pairs), (n_together * batch_size,), generator=generator)
        sorted_rows = rows[lengths[rows].argsort()].view(n_together, batch_size)
        yield from sorted_rows[torch.randperm(n_together, generator=generator)]


@one_thread()
def translate(model: Any, pairs: Pairs) -> Translation:
    """Translate all pairs by greedy decoding and compare the results with the targets."""
    device = next(model.parameters()).device
    source, allowed, target = pairs.batch(torch.arange(len(pairs)), device)
    return Translation.of(pairs, *model.translate(source, allowed, target.shape[1]))

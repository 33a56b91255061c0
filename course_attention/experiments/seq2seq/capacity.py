"""How long a string of digits a translator can copy, by the size of its states, with attention and without.

Each model is trained until its loss on held-out strings no longer falls, so that the result says what the model can
hold and not how fast it learns. This takes longer than a notebook may. `tools/long_runs/capacity.py` trains all models;
`long_run("seq2seq", "capacity")` reads what came.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from course_attention.experiments.common.pairs import END, MARKS
from course_attention.experiments.common.plateau import Plateau
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.experiments.seq2seq.translators import Adam, Translators
from course_attention.mechanisms.seq2seq import attend_and_concat

LENGTHS = (2, 4, 6, 8, 10)  # of the strings that are tested; all lengths from 2 to 10 are trained
N_SYMBOLS = len(MARKS) + 10
CHECK_EVERY, PATIENCE = 200, 10  # steps between two measurements; how many without progress are a plateau
SMALLEST_PROGRESS = 0.01, 0.0001  # the loss must fall by this share of it, and by at least this much
MAX_STEPS = 30_000
LOOKS = (500, 1000, 2000, 4000, 8000, 16_000)  # the steps after which the strings of ten digits are tested on the way


def digit_strings(n_strings: int, length: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Random digits to copy: source (n_strings, length), allowed, and target (n_strings, length + 1) with the end mark.

    Every digit is drawn independently, so that a string of n digits holds n · log₂ 10 ≈ 3.3 n bits.

    Example:
        >>> source, allowed, target = digit_strings(2, 5, torch.Generator().manual_seed(0))
        >>> source.shape, bool(allowed.all()), target.shape, bool((target[:, :-1] == source).all())
        (torch.Size([2, 5]), True, torch.Size([2, 6]), True)
    """
    source = torch.randint(len(MARKS), N_SYMBOLS, (n_strings, length), generator=generator)
    return source, torch.ones_like(source, dtype=torch.bool), F.pad(source, (0, 1), value=END)


def usual_rate(d_hidden: int) -> float:
    """Return the learning rate for states of this size; larger models need smaller steps.

    Example:
        >>> usual_rate(16), usual_rate(64)
        (0.02, 0.01)
    """
    return 0.08 / d_hidden**0.5


@dataclass
class Progress:
    """How the training of one model goes on.

    Attributes:
        plateau: whether its validation loss still falls.
        divided: whether the learning rate has been divided.
        steps: when the training ended; 0 before it does.
        ten_digits: the share of the longest strings that are copied without an error, at each of LOOKS.
    """

    plateau: Plateau = field(default_factory=lambda: Plateau(PATIENCE, *SMALLEST_PROGRESS))
    divided: bool = False
    steps: int = 0
    ten_digits: Sequence[float] = ()

    def measured(self, loss: float, step: int, max_steps: int) -> float:
        """Take note of a validation loss, and return the factor for the learning rate: 1, 1/5, or 0 at the end."""
        is_reached = self.plateau.reached(loss)
        if self.divided and is_reached:
            self.steps = step
            return 0.0
        if not self.divided and (is_reached or step >= 2 / 3 * max_steps):
            self.divided = True
            self.plateau.begin_anew()
            return 0.2
        return 1.0


@one_thread()
def train_to_plateau(
    d_hidden: int, attends: bool, seeds: Sequence[int], rates: Sequence[float], max_steps: int = MAX_STEPS
) -> list[dict[str, Any]]:
    """Train models with Adam until the validation loss of each is no better over PATIENCE measurements.

    At the first plateau of a model, and at the latest after two thirds of `max_steps`, its learning rate is divided by
    5. Its second plateau ends its training. Every batch is new, so that nothing can be learned by heart.

    Args:
        d_hidden, attends: which kind of model.
        seeds: of each model: of its initial weights and of its strings.
        rates: the learning rate of each model at the beginning.
        max_steps: where the training ends at the latest.

    Returns:
        For each model:
        steps: how many there were.
        plateau: False if the loss was still falling at `max_steps`.
        loss: on held-out strings at the end, with teacher forcing.
        exact: for each of LENGTHS, the share of strings that greedy decoding copies without an error.
        ten_digits: this share for the longest strings after each number of steps in LOOKS, as far as it got.
    """
    models = Translators([_new_model(d_hidden, attends, seed) for seed in seeds])
    lengths = torch.Generator().manual_seed(0)
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    held_out = [_strings(200, length, generators) for length in LENGTHS]
    tests = [[digit_strings(500, length, generator) for length in LENGTHS] for generator in generators]
    adam, progress = Adam(models, rates), [Progress() for _ in seeds]
    step = 0
    while step < max_steps and not all(one.steps for one in progress):
        step += 1
        length = int(torch.randint(LENGTHS[0], LENGTHS[-1] + 1, (), generator=lengths))
        losses(models, *_strings(32, length, generators)).sum().backward()
        adam.step()
        for i, one in enumerate(progress):
            if step in LOOKS and not one.steps:
                one.ten_digits = [*one.ten_digits, round(exact_share(models.model(i), *tests[i][-1]), 3)]
        if step % CHECK_EVERY == 0:
            for i, (one, loss) in enumerate(zip(progress, validation_losses(models, held_out), strict=True)):
                if not one.steps:
                    adam.rates[i] *= one.measured(loss, step, max_steps)
    at_end = validation_losses(models, held_out)
    return [
        {
            "steps": one.steps or step,
            "plateau": one.steps > 0,
            "loss": round(at_end[i], 4),
            "exact": [round(exact_share(models.model(i), *strings), 3) for strings in tests[i]],
            "ten_digits": list(one.ten_digits),
        }
        for i, one in enumerate(progress)
    ]


def _new_model(d_hidden: int, attends: bool, seed: int) -> Translator:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Translator(N_SYMBOLS, N_SYMBOLS, attend_and_concat if attends else None, d_hidden=d_hidden)


def _strings(n_strings: int, length: int, generators: Sequence[torch.Generator]) -> tuple[Tensor, Tensor]:
    """Return sources and targets for each model, (n_models, n_strings, …)."""
    sources, _, targets = zip(*(digit_strings(n_strings, length, one) for one in generators), strict=True)
    return torch.stack(sources), torch.stack(targets)


def losses(models: Translators, source: Tensor, target: Tensor) -> Tensor:
    """Mean cross-entropy of each model with teacher forcing, (n_models,)."""
    each = F.cross_entropy(models.logits(source, target).flatten(0, 2), target.flatten(), reduction="none")
    return each.view(len(source), -1).mean(dim=1)


@torch.no_grad()
def validation_losses(models: Translators, held_out: Sequence[tuple[Tensor, Tensor]]) -> list[float]:
    """Mean of the loss over the lengths, of each model."""
    return torch.stack([losses(models, *strings) for strings in held_out]).mean(dim=0).tolist()


def exact_share(model: Translator, source: Tensor, allowed: Tensor, target: Tensor) -> float:
    """Return the share of strings that greedy decoding copies without an error."""
    symbols, _ = model.translate(source, allowed, target.shape[1])
    return (symbols == target).all(dim=1).float().mean().item()

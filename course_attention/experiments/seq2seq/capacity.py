"""How long a string of digits a translator can copy, by the size of its states, with attention and without.

Each model is trained until its loss on held-out strings no longer falls, so that the result says what the model can
hold and not how fast it learns. This takes longer than a notebook may. `tools/capacity.py` trains all models and writes
`capacity.json`, which `saved_runs` reads.
"""

import json
from dataclasses import asdict, dataclass
from importlib.resources import files

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_attention.experiments.common.pairs import END, MARKS
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.mechanisms.seq2seq import attend_and_concat

SIZES, SEEDS = (16, 64, 256), (0, 1, 2)
LENGTHS = (2, 4, 6, 8, 10)  # of the strings that are tested; all lengths from 2 to 10 are trained
N_SYMBOLS = len(MARKS) + 10
CHECK_EVERY, PATIENCE = 200, 3  # steps between two measurements; how many without progress are a plateau
SMALLEST_PROGRESS = 0.03, 0.0005  # the loss must fall by this share of it, and by at least this much


@dataclass(frozen=True)
class Run:
    """One model, trained to a plateau.

    Attributes:
        d_hidden, attends, seed: which model; seed sets the initial weights and the strings.
        steps: how many it was trained for.
        plateau: whether it reached a plateau, and was not stopped at `max_steps`.
        loss: on held-out strings at the end, with teacher forcing.
        exact: for each of LENGTHS the share of strings that greedy decoding copies without an error.
    """

    d_hidden: int
    attends: bool
    seed: int
    steps: int
    plateau: bool
    loss: float
    exact: tuple[float, ...]


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


@one_thread()
def train_to_plateau(d_hidden: int, attends: bool, seed: int, max_steps: int = 16000) -> Run:
    """Train one model with Adam until its validation loss is no better over PATIENCE measurements.

    At the first plateau the learning rate is divided by 5, and the second plateau ends the training. Every batch is
    new, so that nothing can be learned by heart.

    Args:
        d_hidden, attends, seed: which model.
        max_steps: where the training ends at the latest.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Translator(N_SYMBOLS, N_SYMBOLS, attend_and_concat if attends else None, d_hidden=d_hidden)
    generator = torch.Generator().manual_seed(seed)
    held_out = [digit_strings(200, length, generator) for length in LENGTHS]
    optimizer = torch.optim.Adam(model.parameters(), lr=0.08 / d_hidden**0.5)  # larger models need smaller steps
    best, since, divided, step = float("inf"), 0, False, 0
    while step < max_steps:
        step += 1
        length = int(torch.randint(LENGTHS[0], LENGTHS[-1] + 1, (), generator=generator))
        error = loss(model, *digit_strings(32, length, generator))
        optimizer.zero_grad()
        error.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % CHECK_EVERY:
            continue
        share, least = SMALLEST_PROGRESS
        now = validation_loss(model, held_out)
        since = 0 if now < min((1 - share) * best, best - least) else since + 1
        best = min(best, now)
        if since == PATIENCE and divided:
            break
        if since == PATIENCE:
            divided, since = True, 0
            optimizer.param_groups[0]["lr"] /= 5
    test = [digit_strings(500, length, generator) for length in LENGTHS]
    exact = [exact_share(model, *strings) for strings in test]
    plateau = divided and since == PATIENCE
    return Run(d_hidden, attends, seed, step, plateau, validation_loss(model, held_out), tuple(exact))


def loss(model: Translator, source: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
    """Mean cross-entropy with teacher forcing."""
    return F.cross_entropy(model(source, allowed, target).flatten(0, 1), target.flatten())


@torch.no_grad()
def validation_loss(model: Translator, held_out: list[tuple[Tensor, Tensor, Tensor]]) -> float:
    """Mean of the loss over the lengths."""
    return sum(loss(model, *strings).item() for strings in held_out) / len(held_out)


def exact_share(model: Translator, source: Tensor, allowed: Tensor, target: Tensor) -> float:
    """Return the share of strings that greedy decoding copies without an error."""
    symbols, _ = model.translate(source, allowed, target.shape[1])
    return (symbols == target).all(dim=1).float().mean().item()


def saved_runs() -> list[Run]:
    """Return the runs that `tools/capacity.py` wrote.

    Example:
        >>> {run.d_hidden for run in saved_runs()} <= set(SIZES)
        True
    """
    text = (files("course_attention.experiments.seq2seq") / "capacity.json").read_text(encoding="utf-8")
    return [Run(**run | {"exact": tuple(run["exact"])}) for run in json.loads(text)["runs"]]


def as_data(run: Run) -> dict:
    """Return the run as JSON data, with as many digits as the measurement is worth."""
    rounded = {"loss": round(run.loss, 4), "exact": [round(share, 3) for share in run.exact]}
    return asdict(run) | rounded

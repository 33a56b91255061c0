"""Which model of the same size recognises most digits of notebook 13, each trained for as long as it needs?

    python -m tools.long_runs.picture_rivals

trains the notebook's classifier of patches and its rivals on 1,200 pictures with three seeds, until the loss on 200
held-out pictures is no better over ten measurements. The first seed tries three learning rates, and the others have the
one with which its loss was lowest. It does so three times:

- with the pictures as they are;
- with the pixels of all pictures shuffled in one order, so that neighbours say nothing of each other. This can change
  only the models that treat neighbours in some way of their own, so the linear layer and the hidden layer are left out;
- with the pictures of each batch moved by up to one pixel in each direction, those of the test as they are.

It can be stopped and goes on, and takes about ten minutes of one core; no single training takes more than one.

A seed draws which pictures are learned from, held out and kept for the test, the order of shuffled pixels, weights and
batches. All models of a seed have the same pictures. What is kept of a run is the model with the lowest loss on the
held-out pictures, so that the test decides nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import product

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.experiments.beyond_text import digits
from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.transformer import EncoderBlock
from course_attention.practice.beyond_text.picture_tokens import picture_tokens
from course_attention.practice.beyond_text.recognise import recognise
from tools.long_runs.store import Store

RATES, SEEDS = (0.01, 0.003, 0.001), (0, 1, 2)
PICTURES = ("as they are", "shuffled", "moved")
N_PICTURES, HELD_OUT, BATCH, EVERY, PATIENCE, LONGEST = 1200, 200, 64, 30, 10, 20_000
SETTINGS = ("kind", "pictures", "rate", "seed")


class PatchClassifier(nn.Module):
    """The classifier of notebook 13."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(4, 32)
        self.class_token = nn.Parameter(torch.randn(1, 32))
        self.place = nn.Parameter(torch.randn(16, 32))
        self.blocks = nn.ModuleList(EncoderBlock(32, 4, 64) for _ in range(2))
        self.classify = nn.Linear(32, 10)

    def forward(self, pictures: Tensor, kept: Tensor | None = None) -> Tensor:
        """Return the logits of the ten digits; patches that are not `kept` are hidden by a mask."""
        return recognise(self, picture_tokens(self, pictures), kept)


def convolutions() -> nn.Sequential:
    """Return the notebook's network of two convolutions."""
    first = [nn.Conv2d(1, 32, kernel_size=3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    second = [nn.Conv2d(32, 53, kernel_size=3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*first, *second, nn.Flatten(), nn.Linear(53 * 4, 10))


KINDS: dict[str, Callable[[], nn.Module]] = {
    "linear": lambda: nn.Sequential(nn.Flatten(), nn.Linear(64, 10)),
    "hidden layer": lambda: nn.Sequential(nn.Flatten(), nn.Linear(64, 238), nn.ReLU(), nn.Linear(238, 10)),
    "convolutions": convolutions,
    "patches": PatchClassifier,
}
LOCAL = ("convolutions", "patches")  # to the others, no pixel is the neighbour of another


def settings(store: Store) -> Iterator[dict]:
    """Yield what is to be run, one after another; a later seed's rate is known once the first seed has been run."""
    for pictures, seed, kind in product(PICTURES, SEEDS, KINDS):
        if pictures == "shuffled" and kind not in LOCAL:
            continue
        one = {"kind": kind, "pictures": pictures}
        tried = [row for row in store.rows if row["seed"] == SEEDS[0] and one.items() <= row.items()]
        best = None if seed == SEEDS[0] else min(tried, key=lambda row: row["loss_held_out"])["rate"]
        for rate in RATES if best is None else (best,):
            yield one | {"rate": rate, "seed": seed}


def parts(seed: int, shuffle: bool = False) -> tuple[digits.Digits, digits.Digits, digits.Digits]:
    """Return pictures to learn from, to hold out and to test with, in a split that the seed draws.

    Args:
        shuffle: bring the pixels of all pictures into one order, which the seed draws, too.
    """
    both = digits.load()
    pictures = torch.cat([part.pictures for part in both])
    if shuffle:
        pixels = torch.randperm(64, generator=torch.Generator().manual_seed(1000 + seed))
        pictures = pictures.flatten(1)[:, pixels].view_as(pictures)
    labels = torch.cat([part.labels for part in both])
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(seed))
    test, held_out, learn = order[: digits.N_TEST + HELD_OUT + N_PICTURES].split([digits.N_TEST, HELD_OUT, N_PICTURES])
    return (
        digits.Digits(pictures[learn], labels[learn]),
        digits.Digits(pictures[held_out], labels[held_out]),
        digits.Digits(pictures[test], labels[test]),
    )


def moved(pictures: Tensor) -> Tensor:
    """Move each picture by up to one pixel up or down, and left or right; what leaves the picture is lost.

    Example:
        >>> moved(torch.ones(2, 1, 8, 8)).shape
        torch.Size([2, 1, 8, 8])
    """
    windows = F.pad(pictures, (1, 1, 1, 1)).unfold(2, 8, 1).unfold(3, 8, 1)  # (batch, 1, 3, 3, 8, 8)
    down, right = torch.randint(3, (2, len(pictures)))
    return windows[torch.arange(len(pictures)), :, down, right]


@torch.no_grad()
def measured(model: nn.Module, part: digits.Digits) -> tuple[float, float]:
    """Return the mean loss and the accuracy on these pictures."""
    logits = model(part.pictures)
    right = (logits.argmax(dim=-1) == part.labels).float().mean().item()
    return F.cross_entropy(logits, part.labels).item(), right


@one_thread()
def trained(
    kind: str, rate: float, seed: int, pictures: str = "as they are", longest: int = LONGEST
) -> tuple[nn.Module, dict]:
    """Train one model until its loss on held-out pictures has stopped falling; return it, and what was measured."""
    learn, held_out, test = parts(seed, shuffle=pictures == "shuffled")
    torch.manual_seed(seed)
    model = KINDS[kind]()
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    best, best_step, step = float("inf"), 0, 0
    kept: dict[str, Tensor] = {}
    while step < longest and step - best_step < EVERY * PATIENCE:
        for _ in range(EVERY):
            rows = torch.randint(N_PICTURES, (BATCH,))
            shown = moved(learn.pictures[rows]) if pictures == "moved" else learn.pictures[rows]
            loss = F.cross_entropy(model(shown), learn.labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        step += EVERY
        found = measured(model, held_out)[0]
        if found < best:
            best, best_step = found, step
            kept = {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(kept)
    loss_held_out, accuracy_held_out = measured(model, held_out)
    return model.eval(), {
        "parameters": sum(one.numel() for one in model.parameters()),
        "steps": best_step,
        "plateau": step - best_step >= EVERY * PATIENCE,
        "loss_held_out": round(loss_held_out, 4),
        "accuracy_held_out": round(accuracy_held_out, 4),
        "accuracy": round(measured(model, test)[1], 4),
    }


def main() -> None:
    store = Store("beyond_text", __file__, SETTINGS)
    for setting in store.missing(settings(store)):
        began = time.process_time()
        found = trained(**setting)[1]
        store.add(**setting, **found)
        print(*setting.values(), *found.values(), f"{time.process_time() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()

"""Trains every reader of notebook 06 to a plateau, at several learning rates, and tests it on longer books.

    python tools/long_runs/race.py        all that the file does not have yet; it can be stopped and goes on

The question is which way to give positions goes on working in books that are longer than those of the training. A
reader is trained on 32 lines at every rate of a grid, with one seed. At the rate with the lowest loss on other books of
32 lines it gets three seeds. The tests on 64, 128 and 256 lines play no part in the choice. Other bases of the angles
and other reaches of the relative table get three seeds, at the best rate of their reader.

A run takes 10 to 30 seconds of one core, and there are 126.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import product

import torch
import torch.nn.functional as F

from course_attention.experiments.common.plateau import Plateau
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.positions import log_book
from course_attention.experiments.positions.readers import (
    ALiBiReader,
    LearnedReader,
    Reader,
    RelativeReader,
    SinusoidalReader,
)
from course_attention.mechanisms.positions import rotary, sinusoidal_encoding
from course_attention.practice.positions.RotaryReader import RotaryReader
from tools.long_runs.store import Store

LENGTHS = (32, 64, 128, 256)
RATES = (0.002, 0.005, 0.015)
TABLE_FACTORS = {"learned": (1, 10), "relative": (1, 10)}  # the rate of a table, as a multiple of the other weights'
SEEDS = (0, 1, 2)  # at the best rate; the first chooses it
CHECK_EVERY, PATIENCE, MAX_STEPS = 50, 10, 4000
SMALLEST_PROGRESS = 0.01, 0.001  # the loss must fall by this share of it, and by at least this much


class RotaryOfBase(Reader):
    def __init__(self, base):
        super().__init__()
        self.base = base

    def turn(self, vectors):
        return rotary(vectors, torch.arange(vectors.shape[-2]), self.base)


class RotaryOfFastPairs(Reader):
    """Rotary in which a pair that does not come round within the 32 lines of the training does not turn at all."""

    def turn(self, vectors):
        pairs = torch.arange(vectors.shape[-1] // 2)
        slow = 31 * 10000.0 ** (-pairs / len(pairs)) < 2 * torch.pi
        turned = rotary(vectors, torch.arange(vectors.shape[-2]))
        return torch.where(slow.repeat_interleave(2), vectors, turned)


class SinusoidalOfBase(Reader):
    def __init__(self, base):
        super().__init__()
        self.base = base

    def add_positions(self, x):
        return x + sinusoidal_encoding(*x.shape[-2:], self.base).to(x)


READERS = {
    "none": Reader,
    "learned": LearnedReader,
    "sinusoidal": SinusoidalReader,
    "relative": RelativeReader,
    "rotary": RotaryReader,
    "ALiBi": ALiBiReader,
}
VARIANTS = {
    **{("rotary", f"base {base:,}"): partial(RotaryOfBase, base) for base in (10, 100, 1_000_000)},
    ("rotary", "slow pairs still"): RotaryOfFastPairs,
    **{("sinusoidal", f"base {base:,}"): partial(SinusoidalOfBase, base) for base in (10, 100)},
    **{("relative", f"reach {reach}"): partial(RelativeReader, reach) for reach in (8, 16, 31)},
}


@one_thread()
def run(make, question: str, rate: float, table_factor: int, seed: int) -> dict:
    """Train one reader until its loss on other books of 32 lines is no better over PATIENCE measurements.

    At the first plateau all rates are divided by 10, and the second plateau ends the training. Where nothing is left
    to gain, the first one does.
    """
    torch.manual_seed(seed)  # decides the initial weights and the books
    reader = make()
    tables = [weight for name, weight in reader.named_parameters() if name == "table"]
    others = [weight for name, weight in reader.named_parameters() if name != "table"]
    groups = [{"params": others}, *({"params": [table], "lr": table_factor * rate} for table in tables)]
    optimizer = torch.optim.Adam(groups, lr=rate)
    held_out = log_book.draw_books(question, 128, 32, torch.Generator().manual_seed(1))
    plateau, is_reached, divided, step = Plateau(PATIENCE, *SMALLEST_PROGRESS), False, False, 0
    while step < MAX_STEPS:
        step += 1
        error = loss(reader, log_book.draw_books(question, 16, 32))
        optimizer.zero_grad()
        error.backward()
        optimizer.step()
        if step % CHECK_EVERY:
            continue
        with torch.no_grad():
            now = loss(reader, held_out).item()
        is_reached = plateau.reached(now)
        if is_reached and (divided or plateau.best < plateau.least):
            break
        if is_reached:
            divided, is_reached = True, False
            plateau.begin_anew()
            for group in optimizer.param_groups:
                group["lr"] /= 10
    with torch.no_grad():
        now = loss(reader, held_out).item()
    accuracies = [round(accuracy(reader, question, n_lines), 3) for n_lines in LENGTHS]
    return {"steps": step, "plateau": is_reached, "loss": round(now, 5), "accuracy": accuracies}


def loss(reader: Reader, books: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Cross-entropy of the digits that are asked for."""
    letters, digits, targets = books
    return F.cross_entropy(reader(letters, digits).flatten(0, 1), targets.flatten(), ignore_index=-1)


@torch.no_grad()
def accuracy(reader: Reader, question: str, n_lines: int) -> float:
    """Return the share of right answers at the last 16 lines of 128 books."""
    generator = torch.Generator().manual_seed(2)
    right = []
    for _ in range(4):
        letters, digits, targets = log_book.draw_books(question, 32, n_lines, generator)
        found = (reader(letters, digits).argmax(dim=-1) == targets)[:, -16:]
        right.append(found[targets[:, -16:] >= 0])
    return torch.cat(right).float().mean().item()


def best_rate(store: Store, question: str, name: str) -> tuple[float, int]:
    """Return the rate, and the factor of the table, with which the first seed has the lowest loss at 32 lines."""
    rows = [row for row in store.rows if (row["question"], row["reader"], row["variant"]) == (question, name, "")]
    best = min((row for row in rows if row["seed"] == SEEDS[0]), key=lambda row: row["loss"])
    return best["rate"], best["table_factor"]


def settings(store: Store) -> Iterator[dict]:
    """Yield what is to be run; a best rate is asked for when the grid of its reader has been run."""
    for question in reversed(log_book.QUESTIONS):
        for name in READERS:
            common = {"question": question, "reader": name, "variant": ""}
            for rate, factor in product(RATES, TABLE_FACTORS.get(name, (1,))):
                yield common | {"rate": rate, "table_factor": factor, "seed": SEEDS[0]}
            rate, factor = best_rate(store, question, name)
            for seed in SEEDS:
                yield common | {"rate": rate, "table_factor": factor, "seed": seed}
    for question, (name, variant), seed in product(reversed(log_book.QUESTIONS), VARIANTS, SEEDS):
        rate, factor = best_rate(store, question, name)
        one = {"question": question, "reader": name, "variant": variant}
        yield one | {"rate": rate, "table_factor": factor, "seed": seed}


def main() -> None:
    store = Store("positions", __file__, ("question", "reader", "variant", "rate", "table_factor", "seed"))
    for one in store.missing(settings(store)):
        began = time.process_time()
        make = VARIANTS[one["reader"], one["variant"]] if one["variant"] else READERS[one["reader"]]
        found = run(make, one["question"], one["rate"], one["table_factor"], one["seed"])
        store.add(**one, **found)
        print(*one.values(), *found.values(), f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

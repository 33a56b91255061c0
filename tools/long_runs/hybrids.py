"""Trains stacks of full attention, windows and memories to recall what a program has set, until the loss is small.

    nice -n 10 python -m tools.long_runs.hybrids        all that the file does not have yet; it can be stopped

The question of notebook 12 is what one full layer among three memories adds, and what the memories add to the full
layer. Every stack is trained on programs of 64 lines with 16 constants. A training ends when the loss on other programs
of 64 lines is below SMALL, or when it has made no progress over PATIENCE measurements, or after MAX_STEPS. Stacks whose
loss was still falling then have more steps at the larger rate. A smaller rate is tried for every stack, with one seed.
The tests on longer programs play no part in any choice. For more seeds, change SEEDS and run the script again.

All runs together take less than half an hour of one core.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.experiments.common.plateau import Plateau
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.linear.assignments import draw_programs
from course_attention.experiments.linear.hybrids import LENGTHS, STACKS, Layer, Stack, accuracies
from tools.long_runs.store import Store

N_LINES, N_CONSTANTS = int(LENGTHS[0]), 16
RATE, SMALLER = 0.01, 0.003
SEEDS = dict.fromkeys(STACKS, (0,)) | {
    "4 memories": (0, 1),
    "3 memories, 1 full": (0, 1, 2),
    "4 full, rotary": (0, 1, 2),
}
CHECK_EVERY, PATIENCE, MAX_STEPS = 50, 10, 800
# The loss of these stacks was still falling after MAX_STEPS.
LONGER = {("4 memories", RATE): 8000, ("3 windows, 1 full", RATE): 4000, ("1 full alone", RATE): 4000}
SMALL = 0.01  # a loss at which nearly every answer is right
SMALLEST_PROGRESS = 0.01, 0.001  # the loss must fall by this share of it, and by at least this much


def loss(model: Stack, programs: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """Cross-entropy of the answers."""
    names, digits, targets = programs
    return F.cross_entropy(model(names, digits).flatten(0, 1), targets.flatten(), ignore_index=-1)


def training(
    stack: str, rate: float, seed: int, falls_until: int | None = None, d_head: int = 8
) -> Iterator[tuple[int, Stack]]:
    """Train one stack, and yield it after each step, with the number of the step.

    Args:
        stack: its name in `STACKS`.
        rate: of the first step, and of all others unless it falls.
        seed: decides the initial weights and the programs.
        falls_until: the number of steps in which it falls to zero, along half a cosine. None keeps it constant.
        d_head: numbers of a key and of a value; the notebook has 8.
    """
    torch.manual_seed(seed)
    model = Stack(STACKS[stack])
    if d_head != 8:
        model.layers = nn.ModuleList(Layer(kind, d_head=d_head) for kind in STACKS[stack])
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for step in itertools.count(1):
        if falls_until is not None:
            for group in optimizer.param_groups:
                group["lr"] = rate * (1 + math.cos(math.pi * (step - 1) / falls_until)) / 2
        error = loss(model, draw_programs(16, N_LINES, N_CONSTANTS))
        optimizer.zero_grad()
        error.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield step, model


def held_out() -> tuple[Tensor, Tensor, Tensor]:
    """Draw the programs on which the loss is measured."""
    return draw_programs(64, N_LINES, N_CONSTANTS, torch.Generator().manual_seed(2))


def tested(model: Stack) -> dict[str, list[float]]:
    """Return the shares of right answers about variables and about constants, in programs of all lengths."""
    variables, constants = zip(*(accuracies(model, int(n), N_CONSTANTS) for n in LENGTHS), strict=True)
    return {"variables": [round(x, 3) for x in variables], "constants": [round(x, 3) for x in constants]}


@one_thread()
def run(stack: str, rate: float, seed: int) -> dict:
    """Train one stack until it has learned, and test it on programs of all lengths."""
    others, plateau = held_out(), Plateau(PATIENCE, *SMALLEST_PROGRESS)
    last, ended, now = LONGER.get((stack, rate), MAX_STEPS), "after the last step", float("inf")
    for step, model in itertools.islice(training(stack, rate, seed), last):
        if step % CHECK_EVERY:
            continue
        with torch.no_grad():
            now = loss(model, others).item()
        if now < SMALL:
            ended = "at a small loss"
            break
        if plateau.reached(now):
            ended = "at a plateau"
            break
    return {"steps": step, "ended": ended, "loss": round(now, 5), **tested(model)}


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for stack in STACKS:
        for seed in SEEDS[stack]:
            yield {"stack": stack, "rate": RATE, "seed": seed}
        yield {"stack": stack, "rate": SMALLER, "seed": 0}


def fill(store: Store, settings: Iterable[dict[str, Any]], run: Callable[..., dict[str, Any]]) -> None:
    """Run what the store does not have yet, and keep each row with the processor's seconds that it took."""
    for one in store.missing(settings):
        began = time.process_time()
        found = run(**one)
        seconds = round(time.process_time() - began)
        store.add(**one, **found, processor_seconds=seconds)
        print(*one.values(), *found.values(), f"{seconds} s", flush=True)


def main() -> None:
    fill(Store("linear", __file__, ("stack", "rate", "seed")), settings(), run)


if __name__ == "__main__":
    main()

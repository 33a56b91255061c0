"""Trains two of the stacks of `tools/long_runs/hybrids.py` far beyond the place where that script stops.

    nice -n 10 python -m tools.long_runs.hybrids_beyond        all that the file does not have yet; it can be stopped

The stacks of notebook 12 are compared where their loss is small or has reached a plateau. Does the comparison change
when they are trained on? Four memories, and three memories with a full layer, are trained for all of the LOOKS[-1]
steps, at the larger rate and with two seeds each, whatever their loss does. They are tested at each of the LOOKS.

All runs together take less than ten minutes of one core.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch

from course_attention.experiments.common.threads import one_thread
from tools.long_runs.hybrids import RATE, fill, held_out, loss, tested, training
from tools.long_runs.store import Store

STACKS = "4 memories", "3 memories, 1 full"
SEEDS = 0, 1
LOOKS = 1000, 2000, 4000, 6000, 8000  # the steps after which a stack is tested


@one_thread()
def run(stack: str, seed: int) -> dict:
    """Train one stack, and test it at each look; all lists have an entry for each."""
    others = held_out()
    found: dict[str, list] = {"loss": [], "variables": [], "constants": []}
    for step, model in itertools.islice(training(stack, RATE, seed), LOOKS[-1]):
        if step in LOOKS:
            with torch.no_grad():
                found["loss"].append(round(loss(model, others).item(), 5))
            for group, shares in tested(model).items():
                found[group].append(shares)
    return {"steps": list(LOOKS), **found}


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for seed, stack in itertools.product(SEEDS, STACKS):
        yield {"stack": stack, "seed": seed}


def main() -> None:
    fill(Store("linear", __file__, ("stack", "seed")), settings(), run)


if __name__ == "__main__":
    main()

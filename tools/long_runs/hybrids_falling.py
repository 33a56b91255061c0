"""Trains the stacks of `tools/long_runs/hybrids.py` at a rate that falls to zero.

    nice -n 10 python -m tools.long_runs.hybrids_falling        all that the file does not have yet; it can be stopped

At a constant rate the loss of a stack jumps to the end, and what a test finds depends on the step at which it is made.
Here the rate falls along half a cosine, from the larger rate to zero after the last step, where each stack is tested.
Two numbers of steps show whether a longer training would change the comparison. With the smaller one, four memories are
trained with keys and values of 16 numbers as well, so that each has four times as many numbers.

All runs together take less than an hour of one core.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.linear.hybrids import STACKS
from tools.long_runs.hybrids import RATE, fill, held_out, loss, tested, training
from tools.long_runs.store import Store

SEEDS = 0, 1
STEPS = 2500, 8000
WIDE, D_WIDE = "4 memories, 16 numbers", 16


@one_thread()
def run(stack: str, steps: int, seed: int) -> dict:
    """Train one stack at the falling rate, and test it on programs of all lengths."""
    name, d_head = ("4 memories", D_WIDE) if stack == WIDE else (stack, 8)
    trained = training(name, RATE, seed, falls_until=steps, d_head=d_head)
    model = next(model for step, model in trained if step == steps)
    with torch.no_grad():
        now = loss(model, held_out()).item()
    return {"loss": round(now, 5), **tested(model)}


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for steps, seed in itertools.product(STEPS, SEEDS):
        for stack in (*STACKS, WIDE) if steps == STEPS[0] else STACKS:
            yield {"stack": stack, "steps": steps, "seed": seed}


def main() -> None:
    fill(Store("linear", __file__, ("stack", "steps", "seed")), settings(), run)


if __name__ == "__main__":
    main()

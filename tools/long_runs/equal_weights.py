"""How much of the date translator's accuracy is due to where it looks? Notebook 01 compares it with equal weights.

    python -m tools.long_runs.equal_weights

trains with the notebook's loop, for as many steps and with the same seeds, and at other learning rates. The run with
seed 0 goes on to four times as many steps. At every step, the decoder gets the mean of all the encoder's states. So the
model has as many weights as with attention, and it cannot choose where it looks. The script can be stopped and goes on.
400 steps take a quarter of a minute of one core.
"""

from __future__ import annotations

import torch
from torch import Tensor

from course_attention.experiments.seq2seq.dates import date_pairs
from course_attention.mechanisms.seq2seq import attention_distribution, attention_output
from tools.long_runs.date_steps import accuracies
from tools.long_runs.store import Store

LOOKS = (100, 200, 400)  # steps
LONGER = (*LOOKS, 800, 1600)
# A learning rate, a seed, and the steps after which the accuracy is measured.
RUNS = (
    (5e-3, 1, LOOKS),
    (5e-3, 2, LOOKS),
    (2.5e-3, 0, LOOKS),
    (1e-2, 0, LOOKS),
    (2e-2, 0, LOOKS),
    (5e-3, 0, LONGER),
)


def equal_weights(state: Tensor, memory: Tensor, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """One step of attention with the score 0 for every encoder state, as the notebook has it."""
    distribution = attention_distribution(torch.zeros_like(memory[..., 0]), allowed)
    return torch.cat([attention_output(distribution, memory), state], dim=-1), distribution


def main() -> None:
    torch.set_num_threads(1)
    store = Store("seq2seq", __file__, ("rate", "seed"))
    train, test = date_pairs()
    for run in store.missing({"rate": rate, "seed": seed, "steps": list(looks)} for rate, seed, looks in RUNS):
        found = accuracies(train, test, equal_weights, run["rate"], run["seed"], run["steps"])
        shares = [round(share, 4) for share in found]
        store.add(**run, accuracy=shares)
        print(run["rate"], run["seed"], shares, flush=True)


if __name__ == "__main__":
    main()

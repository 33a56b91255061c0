"""Trains the stacks of `tools/long_runs/hybrids.py` far beyond the place where that script stops.

    nice -n 10 python -m tools.long_runs.hybrids_beyond        all that the file does not have yet; it can be stopped

The stacks of notebook 12 are compared where their loss is small or has reached a plateau. Does the comparison change
when they are trained on? All are trained for all of the LOOKS[-1] steps, at the larger rate and with two seeds each,
whatever their loss does. They are tested at each of the LOOKS.

One training loses variables in long programs between two looks. Its last test is made again with a first memory that
fades a little more at each line than the model chose, and the variables are counted for each quarter of the lines.

All runs together take less than half an hour of one core.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.linear import assignments
from course_attention.experiments.linear.hybrids import LENGTHS, STACKS, Stack
from tools.long_runs.hybrids import N_CONSTANTS, RATE, fill, held_out, loss, tested, training
from tools.long_runs.store import Store

SEEDS = 0, 1
LOOKS = 1000, 2000, 4000, 6000, 8000  # the steps after which a stack is tested
LOST = ("4 memories", 0)  # the training whose variables are lost in long programs, and its seed
LEFT = 0.995  # of the first memory at each line, times the model's own decay


class Fading(nn.Module):
    """The gates of a memory, of which a little less is left at each line."""

    def __init__(self, gates: nn.Module, left: float) -> None:
        super().__init__()
        self.gates, self.left = gates, left

    def forward(self, x: Tensor) -> Tensor:
        """Return what the layer makes β and the decay of."""
        beta, decay = self.gates(x).unbind(dim=-1)
        return torch.stack([beta, (self.left * decay.sigmoid()).logit()], dim=-1)


@torch.no_grad()
def by_quarter(model: Stack, n_programs: int = 64) -> list[float]:
    """Return the shares of right answers about variables in each quarter of the longest programs."""
    n_lines = int(LENGTHS[-1])
    generator = torch.Generator().manual_seed(1)  # as in `accuracies`
    names, digits, targets = assignments.draw_programs(n_programs, n_lines, N_CONSTANTS, generator)
    right = model(names, digits).argmax(dim=-1) == targets
    asked = (targets >= 0) & (names < assignments.N_VARIABLES)
    quarters = zip(right.chunk(4, dim=1), asked.chunk(4, dim=1), strict=True)
    return [round(found[where].float().mean().item(), 3) for found, where in quarters]


def where_lost(model: Stack) -> dict:
    """Return where variables are lost, and what is left of the loss when the first memory fades."""
    found = {"by_quarter": by_quarter(model)}
    gates = model.layers[0].gates
    model.layers[0].gates = Fading(gates, LEFT)
    found["first_fades"] = {"left": LEFT, **tested(model), "by_quarter": by_quarter(model)}
    model.layers[0].gates = gates
    return found


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
    lost = where_lost(model) if (stack, seed) == LOST else {"by_quarter": None, "first_fades": None}
    return {"steps": list(LOOKS), **found, **lost}


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for seed, stack in itertools.product(SEEDS, STACKS):
        yield {"stack": stack, "seed": seed}


def main() -> None:
    fill(Store("linear", __file__, ("stack", "seed")), settings(), run)


if __name__ == "__main__":
    main()

"""What must the decoder get from the text, so that notebook 01's translator learns fast? Each kind has its best rate.

    python -m tools.long_runs.date_contexts

trains each kind with the notebook's loop and for as many steps: with one seed at four learning rates, and the first
five kinds with two more seeds at the two middle rates. `places` and `Cho`, the strongest rivals, go on to 1,600 steps
with the first seed and a rate of 0.01. The kinds differ in what a step of the decoder gets from the text, besides its
own state:

- `attention`: a mean of the encoder's states, whose weights the step chooses;
- `mean`: the same mean at every step, with equal weights;
- `places`: a mean whose weights the step learns for each place, and which are the same for every text of a length;
- `last`: the encoder's last states at every step, in the place of the mean;
- `Cho`: the same, which the decoder's GRU reads as well (as in K. Cho et al., 2014, section 2.2);
- `state`: nothing, but the output layers get the decoder's state twice, and so have as many weights as the others;
- `nothing`: the first state alone.

The script can be stopped and goes on. A model takes a quarter of a minute of one core.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from course_attention.experiments.seq2seq.dates import date_pairs
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.mechanisms.seq2seq import attend_and_concat, attention_distribution, attention_output
from tools.long_runs.date_steps import accuracies
from tools.long_runs.equal_weights import equal_weights
from tools.long_runs.store import Store

LOOKS = (100, 200, 400)  # steps
LONGER = (*LOOKS, 800, 1600)
N_STEPS, N_PLACES = 11, 40  # symbols of a translation; no text is longer than 35 characters
RATES = (2.5e-3, 5e-3, 1e-2, 2e-2)


def last_states(memory: Tensor, allowed: Tensor | None) -> Tensor:
    """Join the last state of each direction: forwards at each text's last character, backwards at its first."""
    forwards, backwards = memory.chunk(2, dim=-1)
    if allowed is None:
        return torch.cat([forwards[:, -1], backwards[:, 0]], dim=-1)
    texts = torch.arange(len(memory), device=memory.device)
    return torch.cat([forwards[texts, allowed.sum(dim=1) - 1], backwards[:, 0]], dim=-1)


def no_weights(memory: Tensor) -> Tensor:
    """Stand in for a distribution where no place is looked at."""
    return torch.zeros_like(memory[..., 0])


def last_at_every_step(state: Tensor, memory: Tensor, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Hand the output layers the last states, and the decoder's state."""
    return torch.cat([last_states(memory, allowed), state], dim=-1), no_weights(memory)


def state_twice(state: Tensor, memory: Tensor, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Hand the output layers the decoder's state twice, and nothing of the text."""
    return torch.cat([state, state], dim=-1), no_weights(memory)


class Cho(Translator):
    """The decoder's GRU, too, reads the last states at every step."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        d_hidden = self.decoder.hidden_size
        self.decoder = nn.GRUCell(self.decoder.input_size + d_hidden, d_hidden)

    def step(
        self, symbol: Tensor, state: Tensor, memory: Tensor, allowed: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """One step, as a `Translator` has it."""
        read = torch.cat([self.embed_target(symbol), last_states(memory, allowed)], dim=-1)
        state = self.decoder(read, state)
        joined, distribution = last_at_every_step(state, memory, allowed)
        return self.output(joined), state, distribution


class Places(Translator):
    """Each step learns a score for every place, counted from the start and from the end of the text.

    So it can choose where it looks, but not by what is there. The scores are ten times the numbers that are learned:
    Adam changes a number by about its rate in a step, and 400 such steps would not make the softmax sharp.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.from_start = nn.Parameter(torch.zeros(N_STEPS, N_PLACES))
        self.from_end = nn.Parameter(torch.zeros(N_STEPS, N_PLACES))

    def encode(self, source: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        """Read a batch of texts, and begin to count the steps."""
        self.t = 0
        return super().encode(source, allowed)

    def step(
        self, symbol: Tensor, state: Tensor, memory: Tensor, allowed: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """One step, as a `Translator` has it."""
        state = self.decoder(self.embed_target(symbol), state)
        place = torch.arange(memory.shape[1], device=memory.device)
        left = (allowed.sum(dim=1, keepdim=True) - 1 - place).clamp(min=0)  # characters that follow
        scores = 10 * (self.from_start[self.t, place] + self.from_end[self.t, left])
        distribution = attention_distribution(scores, allowed)
        self.t += 1
        return self.output(torch.cat([attention_output(distribution, memory), state], dim=-1)), state, distribution


KINDS = {
    "attention": (Translator, attend_and_concat),
    "mean": (Translator, equal_weights),
    "places": (Places, attend_and_concat),  # `Places` computes the weights itself
    "last": (Translator, last_at_every_step),
    "Cho": (Cho, last_at_every_step),
    "state": (Translator, state_twice),
    "nothing": (Translator, None),
}


REPEATED = ("attention", "mean", "places", "last", "Cho")
RUNS = [
    *((kind, rate, 0) for rate in RATES for kind in KINDS),
    *((kind, rate, seed) for seed in (1, 2) for rate in (5e-3, 1e-2) for kind in REPEATED),
]


def looks(kind: str, rate: float, seed: int) -> tuple[int, ...]:
    """Say after which steps the accuracy is measured."""
    return LONGER if kind in ("places", "Cho") and (rate, seed) == (1e-2, 0) else LOOKS


def main() -> None:
    torch.set_num_threads(1)
    store = Store("seq2seq", __file__, ("kind", "rate", "seed"))
    train, test = date_pairs()
    for setting in store.missing({"kind": name, "rate": rate, "seed": seed} for name, rate, seed in RUNS):
        name, rate, seed = setting.values()
        kind, attend = KINDS[name]
        steps = looks(name, rate, seed)
        found = accuracies(train, test, attend, rate, seed, steps, kind)
        shares = [round(share, 4) for share in found]
        store.add(**setting, steps=list(steps), accuracy=shares)
        print(name, rate, seed, shares, flush=True)


if __name__ == "__main__":
    main()

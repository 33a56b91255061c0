"""Which translator of dates is right sooner, where both are trained alike and each at a rate that suits it?

    python -m tools.long_runs.translator_rates

trains the recurrent translator of notebook 01 and the Transformer of notebook 08, with about as many parameters, for
300 steps. Both have the notebook's loop: its schedule, its Adam and the same batches. So they differ in the network
alone. Beside them are the Transformer with its norms on the branches; the Transformer without feed-forward networks, as
wide and wider, with about as many parameters as the whole one; and a recurrent network with a third of the parameters.
It can be stopped and goes on. A model takes a quarter of a minute of one core.

In a row, `rate` is the highest rate of the schedule, and `accuracy` the share of 2,000 unseen dates without a mistake.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product

import torch
from torch import nn

from course_attention.experiments.seq2seq import dates, translation
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.mechanisms.seq2seq import attend_and_concat
from tools.long_runs import parts_and_norms
from tools.long_runs.store import Store

NETWORKS = ("recurrent", "Transformer")
OTHERS = ("pre-norm", "without feed-forward", "without feed-forward, wider", "recurrent, smaller")
RATES = (0.0025, 0.005, 0.01, 0.02, 0.04)
RATES_OF_OTHERS, SEEDS_OF_OTHERS = (0.01, 0.02, 0.04), (0, 1)
N_STEPS, WARM_UP, BATCH, SEEDS = 300, 0.1, 64, (0, 1, 2)


def built(network: str, seed: int) -> nn.Module:
    """Return a translator of dates with its initial weights."""
    sizes = [len(symbols) for symbols in dates.date_vocabularies()]
    if network.startswith("recurrent"):
        torch.manual_seed(seed)
        return Translator(*sizes, attend_and_concat, d_hidden=28 if network.endswith("smaller") else 64)
    name, _, width = network.partition(", ")
    model = "whole" if name == "Transformer" else name
    return parts_and_norms.built_of(*sizes, model, 2, seed, d_model=40 if width else 32)


def settings() -> Iterator[tuple[int, float, str]]:
    """Yield the seed, the rate and the network of each model."""
    yield from product(SEEDS, RATES, NETWORKS)
    yield from product(SEEDS_OF_OTHERS, RATES_OF_OTHERS, OTHERS)


def main() -> None:
    torch.set_num_threads(1)
    store = Store("transformer", __file__, ("network", "rate", "seed"))
    train, test = dates.date_pairs()
    for seed, rate, network in settings():
        if store.has(network=network, rate=rate, seed=seed):
            continue
        began, model = time.process_time(), built(network, seed)
        losses = parts_and_norms.train(model, train, BATCH, rate, WARM_UP, N_STEPS, seed)
        seconds = time.process_time() - began
        exact = round(float(translation.translate(model, test).exact.mean()), 4)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        loss = round(sum(losses[-20:]) / 20, 4)
        store.add(network=network, rate=rate, seed=seed, parameters=parameters, loss=loss, accuracy=exact)
        print(network, rate, seed, loss, exact, f"{seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()

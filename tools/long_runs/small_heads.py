"""How small may a head of notebook 04 be, when it is trained for as long as it needs?

    python -m tools.long_runs.small_heads

trains the notebook's model on the notebook's sentences, up to a hundred times as long as the notebook does, at several
learning rates, with three seeds. It can be stopped and goes on. There are two questions. With the number of parameters
fixed, which number of heads is best? And with two heads, what does a small d_key cost?

The seeds of one setting are trained side by side on the same sentences. Three seeds take 2 minutes of one core for
30,000 steps.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import product

import torch
from torch import Tensor

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.multi_head.partner_sentences import D_MODEL, D_PAYLOAD, Sentences, draw_sentences
from course_attention.mechanisms.multi_head import multi_head_attention
from tools.long_runs.store import Store

RATES, SEEDS = (0.05, 0.2, 0.02), (0, 1, 2)
SAME_COST = [(n_heads, 32 // n_heads, 16 // n_heads) for n_heads in (1, 2, 4, 8, 16)]
TWO_HEADS = [(2, d_key, D_PAYLOAD) for d_key in (8, 4, 2)]
LONGEST = [(2, d_key, D_PAYLOAD) for d_key in (4, 2)]  # at the first of the rates


def settings() -> Iterator[dict]:
    """Yield what is to be run: sizes of the heads, learning rate and number of steps."""
    runs = [(*run, 300) for run in product(RATES, SAME_COST + TWO_HEADS)]
    runs += [(*run, 3_000) for run in product(RATES[:2], SAME_COST + TWO_HEADS)]
    runs += [(RATES[0], sizes, 30_000) for sizes in LONGEST]
    runs += [(RATES[2], sizes, 3_000) for sizes in SAME_COST + TWO_HEADS]
    for rate, (n_heads, d_key, d_value), n_steps in runs:
        yield {"n_heads": n_heads, "d_key": d_key, "d_value": d_value, "rate": rate, "n_steps": n_steps}


def errors(weights: list[Tensor], sentences: Sentences, n_heads: int) -> Tensor:
    """Return the mean squared error of each model for the word before and for the partner, (n_models, 2)."""
    outputs = torch.vmap(lambda *own: multi_head_attention(sentences.x, *own, n_heads)[0])(*weights)
    return (outputs - sentences.wanted)[:, sentences.counted].square().unflatten(-1, (2, -1)).mean(dim=(1, 3))


@one_thread()
def run(n_heads: int, d_key: int, d_value: int, rate: float, n_steps: int) -> Tensor:
    """Train a model for each seed as the notebook does, and return its two errors on new sentences."""
    shapes = [(D_MODEL, n_heads * size) for size in (d_key, d_key, d_value)] + [(n_heads * d_value, 2 * D_PAYLOAD)]
    generators = [torch.Generator().manual_seed(seed) for seed in SEEDS]
    weights = [
        torch.stack([torch.randn(shape, generator=one) / math.sqrt(shape[0]) for one in generators]).requires_grad_()
        for shape in shapes
    ]
    optimizer = torch.optim.Adam(weights, lr=rate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, n_steps)
    generator = torch.Generator().manual_seed(100)
    for _ in range(n_steps):
        loss = errors(weights, draw_sentences(32, generator), n_heads).mean(dim=1).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        return errors(weights, draw_sentences(300, torch.Generator().manual_seed(1000)), n_heads)


def main() -> None:
    names = ("n_heads", "d_key", "d_value", "rate", "n_steps", "seed")
    store = Store("multi_head", __file__, names)
    for setting in settings():
        if all(store.has(**setting, seed=seed) for seed in SEEDS):
            continue
        began = time.process_time()
        found = run(**setting)
        for seed, (before, partner) in zip(SEEDS, found.tolist(), strict=True):
            store.add(**setting, seed=seed, word_before=round(before, 4), partner=round(partner, 4))
        print(*setting.values(), *found.flatten().numpy().round(3), f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

"""How many facts can notebook 08's Transformer learn by heart, with feed-forward networks and without?

    python -m tools.long_runs.facts

A fact is a random letter for three letters. The source is the three, the target is the one, and nothing but the fact
itself tells which letter is right. Six models learn 4,000 facts with the notebook's loop: the whole one, with one block
on each side; the same with the identity in the place of each ReLU, so that its networks are linear; and four without
feed-forward networks. One of these is wider and one has two blocks on each side, so that both have about as many
parameters as the whole one; the third is as wide as the whole one and has fewer; the last is twice as wide, and has
more than twice as many. Each has three rates or four, and the linear and the wider one also train three times as long.
It can be stopped and goes on. All of it takes about half an hour of one core.

In a row, `loss` is the mean training loss of the last 20 steps, and `known` the share of the facts that the model gets
right. A seed decides the facts, the initial weights and the batches.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import product
from string import ascii_lowercase

import torch
from torch import nn

from course_attention.experiments.common.pairs import Pairs, Vocabulary
from course_attention.experiments.transformer.model import Transformer
from tools.long_runs import parts_and_norms
from tools.long_runs.store import Store

LINEAR, AS_WIDE = "ReLU replaced by the identity", "without feed-forward, as wide"
LARGE = "without feed-forward, much wider"
# What each is called → what `parts_and_norms.built_of` calls it, its d_model, and its blocks on each side.
MODELS = {
    "whole": ("whole", 32, 1),
    "without feed-forward": ("without feed-forward", 40, 1),
    "without feed-forward, 2 blocks": ("without feed-forward", 28, 2),
    LINEAR: ("whole", 32, 1),
    AS_WIDE: ("without feed-forward", 32, 1),
    LARGE: ("without feed-forward", 64, 1),
}
FIRST, DEEPER = list(MODELS)[:2], list(MODELS)[2]
N_FACTS, N_STEPS, LONGER, RATE, BATCH, WARM_UP = 4000, 3000, 9000, 0.005, 256, 0.1
SETTINGS = ("model", "n_facts", "n_steps", "rate", "seed")


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for seed, model in product((0, 1), FIRST):
        yield dict(zip(SETTINGS, (model, N_FACTS, N_STEPS, RATE, seed), strict=True))
    for n_steps, rate in ((N_STEPS, 2 * RATE), (LONGER, RATE)):  # is it the rate, or the number of steps?
        yield dict(zip(SETTINGS, ("without feed-forward", N_FACTS, n_steps, rate, 0), strict=True))
    for model, rate, seed in product(reversed(FIRST), (4 * RATE, 2 * RATE), (0, 1)):  # has each its best rate?
        if (model, rate, seed) != ("without feed-forward", 2 * RATE, 0):  # it is above
            yield dict(zip(SETTINGS, (model, N_FACTS, N_STEPS, rate, seed), strict=True))
    for model, seed, rate in product((DEEPER, LINEAR), (0, 1), (2 * RATE, RATE, 4 * RATE)):
        yield dict(zip(SETTINGS, (model, N_FACTS, N_STEPS, rate, seed), strict=True))
    for n_steps, rate, seed in ((N_STEPS, RATE / 2, 0), (N_STEPS, RATE / 2, 1), (LONGER, RATE, 0)):
        yield dict(zip(SETTINGS, (LINEAR, N_FACTS, n_steps, rate, seed), strict=True))
    for seed, rate in product((0, 1), (2 * RATE, RATE, 4 * RATE)):  # do linear networks help at all?
        yield dict(zip(SETTINGS, (AS_WIDE, N_FACTS, N_STEPS, rate, seed), strict=True))
    for seed, rate in product((0, 1), (RATE, 2 * RATE, RATE / 2)):  # do more parameters help without networks?
        yield dict(zip(SETTINGS, (LARGE, N_FACTS, N_STEPS, rate, seed), strict=True))


def facts(n_facts: int, seed: int) -> Pairs:
    """Return triples of letters, no two alike, with a random letter each."""
    chance, letters = random.Random(seed), Vocabulary.of([ascii_lowercase])
    triples = chance.sample(["".join(three) for three in product(ascii_lowercase, repeat=3)], n_facts)
    answers = [chance.choice(ascii_lowercase) for _ in triples]
    return Pairs.of(triples, answers, ["fact"] * n_facts, letters, letters)


def built(pairs: Pairs, model: str, seed: int) -> Transformer:
    """Return a model for some facts, with its initial weights."""
    sizes = len(pairs.source_vocabulary), len(pairs.target_vocabulary)
    part, d_model, n_blocks = MODELS[model]
    built = parts_and_norms.built_of(*sizes, part, n_blocks, seed, d_model=d_model)
    for block in (*built.encoder, *built.decoder) if model == LINEAR else ():
        block.feed_forward[1] = nn.Identity()
    return built


@torch.no_grad()
def known(model: Transformer, pairs: Pairs) -> float:
    """Return the share of the facts whose letter the model finds the likeliest."""
    source, allowed, target = pairs.batch(torch.arange(len(pairs)))
    return (model(source, allowed, target)[:, 0].argmax(dim=-1) == target[:, 0]).float().mean().item()


def main() -> None:
    torch.set_num_threads(1)
    store = Store("transformer", __file__, SETTINGS)
    for one in store.missing(settings()):
        began, pairs = time.process_time(), facts(one["n_facts"], one["seed"])
        model = built(pairs, one["model"], one["seed"])
        losses = parts_and_norms.train(model, pairs, BATCH, one["rate"], WARM_UP, one["n_steps"], one["seed"])
        found = {
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
            "loss": round(sum(losses[-20:]) / 20, 4),
            "known": round(known(model, pairs), 4),
        }
        store.add(**one, **found)
        print(*one.values(), *found.values(), f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

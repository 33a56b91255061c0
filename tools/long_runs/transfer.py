"""What is worth taking over from a translator of eight languages for a ninth, of which there are 100 dates?

    python -m tools.long_runs.transfer

trains the Transformer of notebook 08 with its loop, for 300 steps at 0.005 (the notebook's rate is 0.01), and then does
with it what the notebook's transfer does, and more, at three rates, for 100 and 400 steps, with three seeds. The ways
that the notebook shows have 1,200 steps as well, at two of these rates or all three. A seed decides the trained model,
the new weights, the batches, and which Finnish dates are there. It can be stopped and goes on. A seed takes a quarter
of an hour of one core.

- as it is: the trained model, without a Finnish date. The rival that costs nothing.
- all: everything is taken over and trained further.
- tuned, frozen: source embedding and encoder are taken over and trained further, or not; the decoder is new.
- tuned at a tenth, tuned at a hundredth: the same as tuned, at this share of the decoder's rate.
- tuned at a third: the same, at a third of the decoder's rate (at 0.03, for 400 steps alone): between a tenth and all.
- tuned late: frozen for the first half of the steps, and trained with the decoder in the second, at its rate.
- new: nothing is taken over.
- new, frozen: nothing is taken over, and source embedding and encoder stay as they were drawn (100 steps alone).

New weights are drawn with another seed than those from which the trained model began. A decoder that began as its own
did would not be new to the encoder.

In a row, `accuracy` is the share of 300 unseen Finnish dates without a mistake; `digits` and `named` are the shares of
those whose month is written in digits or by its name. `rest` is the share of the latter whose year and day are right,
whatever the month is: of these, who guesses the month has a twelfth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import torch

from course_attention.experiments.common.pairs import Pairs
from course_attention.experiments.seq2seq import dates, translation
from course_attention.experiments.transformer.model import Transformer
from course_attention.experiments.transformer.transfer_learning import finnish_pairs
from course_attention.practice.transformer.take_over import take_over
from tools.long_runs import parts_and_norms
from tools.long_runs.store import Store

WAYS = ("new, frozen", "new", "frozen", "tuned", "all")
GENTLER = ("tuned at a tenth", "tuned at a hundredth", "tuned late")
BETWEEN = "tuned at a third"
SHARES = {BETWEEN: 1 / 3, GENTLER[0]: 0.1, GENTLER[1]: 0.01}  # of the decoder's rate, for the encoder
SEEDS, RATES, STEPS = (0, 1, 2), (0.003, 0.01, 0.03), {100: WAYS, 400: WAYS[1:]}
LONG = 1200  # steps, of the ways that the notebook shows, each at two rates or more
LONG_WAYS = {
    0.01: ("new", "frozen", "tuned", GENTLER[0], "all"),
    0.003: ("new", "frozen", "tuned", "all"),
    0.03: ("new", "frozen", "tuned", GENTLER[0]),
}
HIGHER = 0.06  # of the three rates, the highest is the best one for a frozen encoder and 100 steps
N_TRAIN, BATCH, WARM_UP = 100, 16, 0.1
OTHER = 100  # between the seed of the trained model's first weights and that of the new ones
SETTINGS = ("way", "n_steps", "rate", "seed")


def settings() -> Iterator[tuple[int, int, float, str]]:
    """Yield the seed, the number of steps, the rate and the way of each model."""
    for seed in SEEDS:
        yield seed, 0, 0.0, "as it is"
    for n_steps, ways in STEPS.items():
        for seed, rate, way in product(SEEDS, RATES, ways):
            yield seed, n_steps, rate, way
    for n_steps, seed, rate, way in product(STEPS, SEEDS, RATES, GENTLER):
        yield seed, n_steps, rate, way
    for seed, way in product(SEEDS, ("frozen", *GENTLER)):
        yield seed, 100, HIGHER, way
    for seed in SEEDS:
        yield seed, 400, RATES[-1], BETWEEN
    for rate, ways in LONG_WAYS.items():
        for seed, way in product(SEEDS, ways):
            yield seed, LONG, rate, way


def share_of(way: str, n_steps: int) -> Callable[[int], float] | None:
    """Return the share of the decoder's rate at which a way trains the encoder, for each step; None where it is all."""
    if way == "tuned late":
        return lambda step: float(step > n_steps // 2)
    return (lambda _: SHARES[way]) if way in SHARES else None


def drawn(seed: int) -> Transformer:
    """Return the notebook's translator of dates with the first weights of a seed."""
    n_source, n_target = map(len, dates.date_vocabularies())
    return parts_and_norms.built_of(n_source, n_target, "whole", 2, seed)


def transferred(way: str, trained: Transformer, seed: int) -> Transformer:
    """Return the model that a way trains: new weights, and what it takes over."""
    new = drawn(seed + OTHER)
    if way in ("as it is", "all"):
        new.load_state_dict(trained.state_dict())
    elif way == "frozen" or way.startswith("tuned"):
        take_over(new, trained, way == "frozen")
    elif way == "new, frozen":
        new.embed_source.requires_grad_(False)
        new.encoder.requires_grad_(False)
    return new


def measured(model: Transformer, unseen: Pairs) -> dict[str, float]:
    """Return the shares of right dates: of all, by how the month is written, and but for the month's name."""
    found = translation.translate(model, unseen)
    by_name = np.array(["kuuta" in text for text in unseen.sources])
    both = zip(found.texts, unseen.targets, strict=True)
    rest = np.array([text[:4] + text[8:] == iso[:4] + iso[8:] for text, iso in both])  # year and day
    shares = {
        "accuracy": found.exact.mean(),
        "digits": found.exact[~by_name].mean(),
        "named": found.exact[by_name].mean(),
        "rest": rest[by_name].mean(),
    }
    return {name: round(float(share), 4) for name, share in shares.items()}


def main() -> None:
    torch.set_num_threads(1)
    store = Store("transformer", __file__, SETTINGS)
    train_dates, _ = dates.date_pairs()
    trained: dict[int, Transformer] = {}
    asked = ({"way": way, "n_steps": n_steps, "rate": rate, "seed": seed} for seed, n_steps, rate, way in settings())
    for setting in store.missing(asked):
        way, n_steps, rate, seed = setting.values()
        began = time.process_time()
        if seed not in trained:
            trained[seed] = drawn(seed)
            parts_and_norms.train(trained[seed], train_dates, 64, 0.005, WARM_UP, 300, seed)
        finnish, unseen = finnish_pairs(N_TRAIN, seed=seed)
        model = transferred(way, trained[seed], seed)
        if n_steps:
            parts_and_norms.train(model, finnish, BATCH, rate, WARM_UP, n_steps, seed, share_of(way, n_steps))
        found = measured(model, unseen)
        store.add(**setting, **found)
        print(*setting.values(), *found.values(), f"{time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

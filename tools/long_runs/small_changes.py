"""How far do equal changes of all weights move the output of notebook 08's Transformer before it is trained?

    python -m tools.long_runs.small_changes

Liu et al. (2020) call it amplification that small changes of the weights move a post-norm model's output far. The four
models have four blocks on each side: post-norm and pre-norm, with PyTorch's first weights or with those of Xavier and
Glorot's rule. Every weight is changed by a normal number of one standard deviation, the same for all models; its
largest value here, 0.02, is what the first step of Adam without a warm-up changes at that rate. It can be stopped and
goes on. All of it takes about two minutes of one core.

In a row, `moved` is the length of the change of all logits as a share of the length of the logits before, the mean of
eight draws of the changes, for 256 strings of letters. The seed decides the first weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import torch

from course_attention.experiments.common.pairs import Pairs
from course_attention.experiments.transformer.model import Transformer
from tools.long_runs import parts_and_norms
from tools.long_runs.store import Store

MODELS = [f"{model}{drawn}" for drawn in ("", parts_and_norms.XAVIER) for model in ("whole", "pre-norm, last norms")]
SIZES, SEEDS, N_DRAWS, N_BLOCKS, N_STRINGS = (0.0001, 0.001, 0.01, 0.02), range(8), 8, 4, 256
SETTINGS = ("model", "size", "seed")


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for one in product(MODELS, SIZES, SEEDS):
        yield dict(zip(SETTINGS, one, strict=True))


@torch.no_grad()
def moved(model: Transformer, pairs: Pairs, size: float, n_draws: int = N_DRAWS) -> float:
    """Return how far changes of all weights move the logits, as a share of their length; the model stays as it is."""
    batch = pairs.batch(torch.arange(min(N_STRINGS, len(pairs))))
    before, weights = model(*batch), [weight.clone() for weight in model.parameters()]
    shares = []
    for draw in range(n_draws):
        generator = torch.Generator().manual_seed(draw)
        for weight, old in zip(model.parameters(), weights, strict=True):
            weight.copy_(old + size * torch.randn(old.shape, generator=generator))
        shares.append(((model(*batch) - before).norm() / before.norm()).item())
    for weight, old in zip(model.parameters(), weights, strict=True):
        weight.copy_(old)
    return sum(shares) / n_draws


def main() -> None:
    torch.set_num_threads(1)
    store, (pairs, _) = Store("transformer", __file__, SETTINGS), parts_and_norms.TASKS["letters"]()
    for one in store.missing(settings()):
        model = parts_and_norms.built(pairs, one["model"], N_BLOCKS, one["seed"])
        found = {"moved": float(f"{moved(model, pairs, one['size']):.4g}")}
        store.add(**one, **found)
        print(*one.values(), *found.values(), flush=True)


if __name__ == "__main__":
    main()

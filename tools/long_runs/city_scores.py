"""Which score finds the new cities of notebook 02 most often, at which learning rate, and after how many steps?

    python -m tools.long_runs.city_scores

trains a lookup with each score by the notebook's loop, and looks after 500 and after 2,000 steps. "bilinear, same
start" is one matrix that begins as the product of the two matrices of the dot product, so that only what is trained
differs. The dot product and the Gaussian are also trained with a `d_key` of 512. It can be stopped and goes on. An hour
and a quarter of a core.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import torch
from torch import Tensor

from course_attention.experiments.attention.city_lookups import (
    Directory,
    LookUp,
    city_loss,
    projections,
    soft,
    train,
)
from course_attention.mechanisms.attention import additive_scores, attention, bilinear_scores, gaussian_scores
from tools.long_runs.store import Store

RATES = (0.001, 0.003, 0.01, 0.03)
HIGHER = (0.1,)  # for 500 steps only
STILL_HIGHER = {"bilinear": (0.3,)}  # a score whose best rate was the highest
SEEDS = range(3)


def dot_product(seed: int, d_key: int = 64) -> tuple[LookUp, list[Tensor]]:
    w_query, w_key = projections(d_key, seed)
    return lambda query, key, value: attention(query @ w_query, key @ w_key, value), [w_query, w_key]


def bilinear(weight: Tensor) -> tuple[LookUp, list[Tensor]]:
    return soft(lambda query, key: bilinear_scores(query, key, weight) / math.sqrt(26)), [weight]


def bilinear_from_zero(seed: int) -> tuple[LookUp, list[Tensor]]:
    return bilinear(torch.zeros(26, 26, requires_grad=True))


def bilinear_same_start(seed: int) -> tuple[LookUp, list[Tensor]]:
    w_query, w_key = (matrix.detach() for matrix in projections(64, seed))
    return bilinear((w_query @ w_key.T * math.sqrt(26 / 64)).requires_grad_())


def additive(seed: int) -> tuple[LookUp, list[Tensor]]:
    w_score = (torch.randn(64, generator=torch.Generator().manual_seed(seed)) / 8).requires_grad_()
    parameters = [*projections(64, seed), w_score]
    return soft(lambda query, key: additive_scores(query, key, *parameters)), parameters


def gaussian(seed: int) -> tuple[LookUp, list[Tensor]]:
    w_query, w_key = projections(64, seed)
    return soft(lambda query, key: gaussian_scores(query @ w_query, key @ w_key, 64**0.25)), [w_query, w_key]


def wide_gaussian(seed: int, d_key: int = 512) -> tuple[LookUp, list[Tensor]]:
    w_query, w_key = projections(d_key, seed)

    def score(query: Tensor, key: Tensor) -> Tensor:  # half the squared length of the query is left out: the softmax
        query, key = query @ w_query, key @ w_key  # ignores it, and no array of all pairs of vectors has to be made
        return (query @ key.mT - key.square().sum(dim=-1) / 2) / math.sqrt(d_key)  # 2·width² = 2·√d_key, as above

    return soft(score), [w_query, w_key]


MAKERS: dict[str, Callable[[int], tuple[LookUp, list[Tensor]]]] = {
    "dot product": dot_product,
    "bilinear": bilinear_from_zero,
    "Gaussian": gaussian,
    "additive": additive,
    "bilinear, same start": bilinear_same_start,
    "dot product, d_key 512": partial(dot_product, d_key=512),
    "Gaussian, d_key 512": wide_gaussian,
}
WIDE = ("dot product, d_key 512", "Gaussian, d_key 512")  # for 500 steps only


def settings() -> Iterator[dict]:
    """Yield what is to be run."""
    for score, seed in product(MAKERS, SEEDS):
        steps_at = [(500, rate) for rate in RATES + HIGHER + STILL_HIGHER.get(score, ())]
        if score not in WIDE:
            steps_at += [(2000, rate) for rate in RATES]
        for n_steps, rate in steps_at:
            yield {"score": score, "rate": rate, "steps": n_steps, "seed": seed}


def main() -> None:
    torch.set_num_threads(1)
    store = Store("attention", __file__, ("score", "rate", "steps", "seed"))
    directory = Directory()
    for setting in store.missing(settings()):
        look_up, parameters = MAKERS[setting["score"]](setting["seed"])
        losses = train(
            parameters,
            lambda look_up=look_up: city_loss(look_up, *directory.draw_calls()),
            setting["steps"],
            setting["rate"],
            setting["seed"],
        )
        row = {"loss": round(sum(losses[-100:]) / 100, 4)}
        for name, cities in (("known", directory.known), ("new", directory.new)):
            found, distance = directory.try_out(look_up, cities)
            row |= {f"found_{name}": round(found, 3), f"km_{name}": round(distance, 1)}
        store.add(**setting, **row)
        print(f"{setting}: {row}", flush=True)


if __name__ == "__main__":
    main()

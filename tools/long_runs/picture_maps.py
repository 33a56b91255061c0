"""Do the maps of attention of notebook 13 name the patches on which the answer to a picture depends?

    python -m tools.long_runs.picture_maps

trains eight classifiers of patches: five as the notebook does, and three to a plateau on pictures that their seed draws
(`picture_rivals`). In each of them it takes one patch away from the pictures of the test, another one next time, and
measures by how much the loss of each picture rises. There are three ways to take a patch away:

- mask: no token may attend to the patch, in both blocks;
- mean picture: its pixels are replaced by those of the mean of the training pictures;
- blank paper: its pixels are replaced by 0.

It can be stopped and goes on, and takes about 2 minutes of one core. Each row is one training and one way, and has for
each ranking of the patches

- share: which share of all rises is on the three patches that the ranking puts first;
- hit: in which share of the pictures the patch with the largest rise is one of these three. Here each picture counts
  once, however much its loss rises;
- within_place: the rank correlation of ranking and rise over the pictures, the mean of the 16 places. A ranking that is
  the same for all pictures has none.

`ahead` is the share of the own map less that of the average map, and `ahead_low` and `ahead_high` are the bounds of 95%
of 1,000 draws of as many pictures, with replacement.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import groupby, product
from operator import itemgetter

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.experiments.beyond_text import digits
from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.beyond_text import image_patches
from course_attention.practice.beyond_text.first import first
from course_attention.practice.beyond_text.looks import looks
from course_attention.practice.beyond_text.picture_tokens import picture_tokens
from course_attention.practice.beyond_text.rises import rises
from tools.long_runs import falling_rate, picture_rivals
from tools.long_runs.store import Store

TRAININGS = {"300 steps": (0, 1, 2, 3, 4), "to a plateau": (0, 1, 2)}  # the seeds of each
WAYS = ("mask", "mean picture", "blank paper")
N_FIRST, N_DRAWS = 3, 1000
SETTINGS = ("training", "seed", "way")


def settings() -> Iterator[dict]:
    """Yield what is to be run, one after another."""
    for training, seeds in TRAININGS.items():
        for seed, way in product(seeds, WAYS):
            yield {"training": training, "seed": seed, "way": way}


@one_thread()
def trained(training: str, seed: int) -> tuple[nn.Module, digits.Digits, digits.Digits]:
    """Return a classifier of patches, the pictures that it has learned from, and those of its test."""
    if training == "to a plateau":
        learn, _, test = picture_rivals.parts(seed)
        return picture_rivals.trained("patches", 0.003, seed)[0], learn, test
    learn, test = digits.load()
    torch.manual_seed(seed)
    model = picture_rivals.PatchClassifier()
    falling_rate.train(
        model, lambda rows: F.cross_entropy(model(learn.pictures[rows]), learn.labels[rows]), len(learn), n_steps=300
    )
    return model.eval(), learn, test


@torch.no_grad()
def rollout(model: nn.Module, pictures: Tensor) -> Tensor:
    """Return which share of the class token comes from each patch, (n_pictures, 16), if weights were all there is.

    This is attention rollout (Abnar and Zuidema, 2020, "Quantifying attention flow in transformers"). A block hands on
    a half of each token as it is, for the residual connection, and a half by the mean weights of its heads.
    """
    x = picture_tokens(model, pictures)
    share = torch.eye(x.shape[1])
    for block in model.blocks:
        weights = block.attention(x)[1].mean(dim=1)
        share = (weights + torch.eye(x.shape[1])) / 2 @ share
        x = block(x)
    return share[:, 0, 1:]


@torch.no_grad()
def masked_rises(model: nn.Module, test: digits.Digits) -> Tensor:
    """Return by how much the loss of each picture rises when one patch is hidden from both blocks, (n_pictures, 16)."""

    def loss(kept: Tensor | None) -> Tensor:
        return F.cross_entropy(model(test.pictures, kept), test.labels, reduction="none")

    kept = ~torch.eye(16, dtype=torch.bool)
    return torch.stack([loss(row.expand(len(test), -1)) for row in kept], dim=1) - loss(None)[:, None]


def rise_of(way: str, model: nn.Module, learn: digits.Digits, test: digits.Digits) -> Tensor:
    """Return the rises of the loss, (n_pictures, 16), when patches are taken away in this way."""
    if way == "mask":
        return masked_rises(model, test)
    fill = learn.pictures.mean(dim=0) if way == "mean picture" else torch.zeros(1, 8, 8)
    return rises(model, test.pictures, test.labels, fill)


def rankings(model: nn.Module, learn: digits.Digits, test: digits.Digits) -> dict[str, Tensor]:
    """Return numbers by which the patches of each picture are ranked, (n_pictures, 16) each."""
    maps: dict[str, Callable] = {"map": looks, "rollout": rollout}
    found = {f"own {name}": make(model, test.pictures) for name, make in maps.items()}
    for name, make in maps.items():
        found[f"average {name}"] = make(model, learn.pictures).mean(dim=0).expand(len(test), -1)
    return found | {"most ink": image_patches(test.pictures, 2).sum(dim=-1)}


def rank_correlation(one: Tensor, other: Tensor) -> Tensor:
    """Return Spearman's rank correlation of each column; equal numbers have the mean of their ranks.

    Example:
        >>> rank_correlation(torch.tensor([[1.0], [2.0], [9.0]]), torch.tensor([[0.1], [0.2], [0.3]])).tolist()
        [1.0]
    """

    def ranks(x: Tensor) -> Tensor:
        below = (x[None] < x[:, None]).double().sum(dim=1)
        return below + (x[None] == x[:, None]).double().sum(dim=1) / 2

    one, other = (ranks(x) - ranks(x).mean(dim=0) for x in (one, other))
    return F.cosine_similarity(one, other, dim=0)


def measured(rise: Tensor, ranked: dict[str, Tensor], seed: int) -> dict[str, float]:
    """Return the row's figures."""
    top = {name: first(order, N_FIRST).float() for name, order in ranked.items()}
    largest = F.one_hot(rise.argmax(dim=1), 16)
    found = {f"share, {name}": (rise * one).sum() / rise.sum() for name, one in top.items()}
    found |= {f"hit, {name}": (largest * one).sum() / len(rise) for name, one in top.items()}
    for name, order in ranked.items():
        if not name.startswith("average"):
            by_place = rank_correlation(order, rise)
            found[f"within_place, {name}"] = by_place[by_place != 0].mean()
    more = (rise * (top["own map"] - top["average map"])).sum(dim=1)
    drawn = torch.randint(len(rise), (N_DRAWS, len(rise)), generator=torch.Generator().manual_seed(seed))
    draws = more[drawn].sum(dim=1) / rise.sum(dim=1)[drawn].sum(dim=1)
    low, high = draws.quantile(torch.tensor([0.025, 0.975]))
    found |= {"ahead": more.sum() / rise.sum(), "ahead_low": low, "ahead_high": high}
    return {name: round(float(one), 4) for name, one in found.items()}


def main() -> None:
    store = Store("beyond_text", __file__, SETTINGS)
    for (training, seed), left in groupby(store.missing(settings()), itemgetter("training", "seed")):
        began = time.process_time()
        model, learn, test = trained(training, seed)
        ranked = rankings(model, learn, test)
        with torch.no_grad():
            right = (model(test.pictures).argmax(dim=-1) == test.labels).float().mean().item()
        for setting in left:
            found = measured(rise_of(setting["way"], model, learn, test), ranked, seed)
            store.add(**setting, accuracy=round(right, 4), **found)
        print(training, seed, f"{time.process_time() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()

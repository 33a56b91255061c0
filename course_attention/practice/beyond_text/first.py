"""A choice of patches: those with the largest numbers, and exactly as many as asked for."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial


def first(order, n):
    """Rank the patches of each picture, and keep those of the first n ranks."""
    return order.argsort(dim=-1, descending=True).argsort(dim=-1) < n


def smallest(order, n):
    return first(-order, n)


def sorted_once(order, n):
    return order.argsort(dim=-1, descending=True) < n


def sorted_once_smallest_first(order, n):
    return order.argsort(dim=-1) < n


def numbers_of_the_patches(order, n):
    return order.topk(n).indices


def among_all_pictures(order, n):
    return order >= order.flatten().topk(n * len(order)).values[-1]


def pictures_compared(order, n):
    return order.argsort(dim=0, descending=True).argsort(dim=0) < n


def largest_twice(order, n):
    return order.argsort(dim=-1, descending=True).argsort(dim=-1, descending=True) < n


def one_more(order, n):
    return first(order, n + 1)


def by_a_border(order, n):
    return order >= order.topk(n).values[:, -1:]


def above_a_border(order, n):
    return order > order.topk(n).values[:, -1:]


def _chosen(answer: Callable[..., Any], order: Tensor, n: int) -> Any:
    """Return the choice; where patches have the same number, how many are kept, and whether they are the largest."""
    kept = answer(order, n)
    if all(len(row.unique()) == len(row) for row in order):
        return kept
    if not isinstance(kept, Tensor) or kept.shape != order.shape or kept.dtype != torch.bool:
        return kept
    left_out = order.masked_fill(kept, -torch.inf).amax(dim=1)
    least = order.masked_fill(~kept, torch.inf).amin(dim=1)
    larger = bool((left_out > least).any())
    return kept.sum(dim=1), "a larger number is left out" if larger else "the largest are kept"


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield three numbers, then drawn ones, and some of which several are the same."""
    yield Trial(
        "one picture of 3 patches; the one with the largest number is kept",
        {"order": torch.tensor([[0.2, 0.1, 0.9]]), "n": 1},
        torch.tensor([[False, False, True]]),
        _chosen,
        says="The largest number is 0.9, that of the last patch.",
    )
    for n_pictures, n in ((5, 6), (4, 1), (3, 15)):
        order = torch.stack([torch.randperm(16, generator=generator) for _ in range(n_pictures)]) / 16
        yield Trial(
            f"{n_pictures} pictures of 16 patches, {n} are kept",
            {"order": order, "n": n},
            run=_chosen,
            says="Each picture keeps its own n patches, those with the largest numbers.",
        )
    order = torch.tensor([[2.0, 1.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
    yield Trial(
        "two pictures of 4 patches, of which several have the same number; 2 are kept",
        {"order": order, "n": 2},
        (torch.tensor([2, 2]), "the largest are kept"),
        _chosen,
        says="Exactly 2 patches of each picture are kept, whichever of those with the same number they are.",
    )


PRACTICE = Practice(
    name="first",
    prompt="True on the n patches of each picture that have the largest numbers, and on no others.",
    minutes=6,
    hints=(
        "Along the last axis, `order.argsort(descending=True)` says which patch comes first, which comes second and so "
        "on. But you need the rank of each patch.",
        "Sort what `argsort` gives once more: the result says at which rank each patch is.",
        "The first n ranks are 0 to n − 1.",
    ),
    given=first,
    trials=trials,
    returns=("kept",),
    misconceptions={
        "first-smallest": Misconception(
            "The patches with the smallest numbers are kept",
            "The largest numbers come first: `descending=True`.",
            (smallest, largest_twice),
        ),
        "first-sorted-once": Misconception(
            "The numbers of the patches are taken for their ranks",
            "`argsort` says which patch comes first, which comes second, and so on. Sort what it gives once more, and "
            "you have the rank of each patch.",
            (sorted_once, sorted_once_smallest_first),
        ),
        "first-indices": Misconception(
            "The numbers of the patches are returned",
            "True or False for each patch is asked for, in the shape of `order`.",
            (numbers_of_the_patches,),
        ),
        "first-of-all-pictures": Misconception(
            "The patches of all pictures are compared with each other",
            "Each picture keeps n of its own: compare along the last axis.",
            (among_all_pictures, pictures_compared),
        ),
        "first-number": Misconception(
            "One patch too many is kept",
            "With ranks that are counted from 0, the first n are those below n.",
            (one_more,),
        ),
        "first-same-numbers": Misconception(
            "Too many or too few are kept where patches have the same number",
            "A comparison with the n-th largest number treats all patches with this number alike. A rank belongs to "
            "one patch only.",
            (by_a_border, above_a_border),
        ),
    },
)

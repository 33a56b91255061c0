"""A fair test: by how much the loss of each picture rises when one patch is hidden."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def rises(model, pictures, labels):
    """Hide each patch in turn, and subtract the loss with all 16 patches."""

    def loss(kept):
        return F.cross_entropy(model(pictures, kept), labels, reduction="none")

    everything = torch.ones(len(pictures), 16, dtype=torch.bool)
    before = loss(everything)
    return torch.stack([loss(everything & (torch.arange(16) != i)) - before for i in range(16)], dim=1)


@torch.no_grad()
def _losses(model, pictures, labels, rows):
    kept = [row.expand(len(pictures), 16) for row in rows]
    return torch.stack([F.cross_entropy(model(pictures, one), labels, reduction="none") for one in kept], dim=1)


def _before(model, pictures, labels):
    return _losses(model, pictures, labels, torch.ones(1, 16).bool())


def wrong_sign(model, pictures, labels):
    return -rises(model, pictures, labels)


def not_subtracted(model, pictures, labels):
    return _losses(model, pictures, labels, ~torch.eye(16).bool())


def one_patch_kept(model, pictures, labels):
    return _losses(model, pictures, labels, torch.eye(16).bool()) - _before(model, pictures, labels)


def one_patch_kept_not_subtracted(model, pictures, labels):
    return _losses(model, pictures, labels, torch.eye(16).bool())


def one_more_each_time(model, pictures, labels):
    places = torch.arange(16)
    return _losses(model, pictures, labels, places > places[:, None]) - _before(model, pictures, labels)


def mean_of_pictures(model, pictures, labels):
    return rises(model, pictures, labels).mean(dim=0)


def places_first(model, pictures, labels):
    return rises(model, pictures, labels).T


class InkReader(nn.Module):
    """A model that is the surer of the digit 1, and the less sure of 0, the more its patches weigh.

    Args:
        weight: of each of the 16 patches.
    """

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight)

    def forward(self, pictures: Tensor, kept: Tensor | None = None) -> Tensor:
        """Read pictures of 16 numbers, (batch, 16), of which some may be hidden. Returns logits (batch, 2)."""
        seen = pictures if kept is None else pictures * kept
        logit = (seen * self.weight).sum(dim=-1)
        return torch.stack([torch.zeros_like(logit), logit], dim=-1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a picture in which a single patch counts, then drawn pictures and models."""
    only = torch.zeros(16)
    only[3] = torch.tensor(3.0).log()
    expected = torch.zeros(1, 16)
    expected[0, 3] = torch.tensor(1.5).log()
    yield Trial(
        "one picture of the digit 1; with all patches the model gives it a probability of 3/4, and 1/2 where patch 3 "
        "is hidden; the other patches do not count",
        {"model": InkReader(only), "pictures": torch.ones(1, 16), "labels": torch.tensor([1])},
        expected,
        says="Without patch 3 the loss is −ln ½, and with all patches −ln ¾. So it rises by ln 1.5 = 0.405. Where "
        "another patch is hidden, it does not rise.",
    )
    for n_pictures in (3, 4):
        yield Trial(
            f"{n_pictures} pictures",
            {
                "model": InkReader(torch.randn(16, generator=generator)),
                "pictures": torch.rand(n_pictures, 16, generator=generator),
                "labels": torch.randint(2, (n_pictures,), generator=generator),
            },
            says="For each patch, 15 others are kept, and the loss with all 16 is subtracted.",
        )


PRACTICE = Practice(
    name="rises",
    prompt="By how much the loss of each picture rises when one patch is hidden.",
    minutes=10,
    hints=(
        'The loss of each picture: `F.cross_entropy(model(pictures, kept), labels, reduction="none")`.',
        "`kept` has the shape (n_pictures, 16). With all patches it is True everywhere. With patch i hidden it is "
        "False in column i.",
        "Stack the 16 differences along `dim=1`, so that there is a row for each picture.",
    ),
    given=rises,
    trials=trials,
    returns=("rises",),
    misconceptions={
        "rises-sign": Misconception(
            "The sign is wrong",
            "A loss that grows is a rise above 0: the loss with the patch hidden minus the loss with all patches.",
            (wrong_sign,),
        ),
        "rises-not-subtracted": Misconception(
            "The loss with all 16 patches is not subtracted",
            "These are the losses with a patch hidden. How much *more* is that than with all patches?",
            (not_subtracted, one_patch_kept_not_subtracted),
        ),
        "rises-one-kept": Misconception(
            "One patch is kept, and the other 15 are hidden",
            "Only one patch is hidden at a time: `kept` is False at this one and True at the others.",
            (one_patch_kept,),
        ),
        "rises-one-more": Misconception(
            "One patch more is hidden each time",
            "Each measurement begins with all 16 patches. What was hidden before is seen again.",
            (one_more_each_time,),
        ),
        "rises-mean": Misconception(
            "The mean of all pictures is returned",
            'Each picture has rises of its own. `reduction="none"` keeps the losses apart.',
            (mean_of_pictures,),
        ),
        "rises-places-first": Misconception(
            "There is a row for each place",
            "The result has a row for each picture, (n_pictures, 16).",
            (places_first,),
        ),
    },
)

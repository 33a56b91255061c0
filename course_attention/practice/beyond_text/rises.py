"""By how much the loss of each picture rises when the pixels of one patch are replaced."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.mechanisms.beyond_text import image_patches
from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def rises(model, pictures, labels, fill):
    """Replace the pixels of each patch in turn, and subtract the loss of the whole pictures."""

    def loss(shown):
        return F.cross_entropy(model(shown), labels, reduction="none")

    before, found = loss(pictures), []
    for place in range(16):
        rows, columns = (slice(2 * one, 2 * one + 2) for one in divmod(place, 4))
        changed = pictures.clone()
        changed[:, :, rows, columns] = fill[:, rows, columns]
        found.append(loss(changed) - before)
    return torch.stack(found, dim=1)


@torch.no_grad()
def _losses(model, pictures, labels, fill, hidden):
    """Return losses, (n_pictures, n_rows), with the patches of each row of `hidden`, (n_rows, 16), replaced."""
    pixels = hidden.unflatten(1, (4, 4)).repeat_interleave(2, dim=1).repeat_interleave(2, dim=2)
    shown = [torch.where(one, fill, pictures) for one in pixels]
    return torch.stack([F.cross_entropy(model(one), labels, reduction="none") for one in shown], dim=1)


def _before(model, pictures, labels):
    return _losses(model, pictures, labels, torch.zeros(1, 8, 8), torch.zeros(1, 16).bool())


def wrong_sign(model, pictures, labels, fill):
    return -rises(model, pictures, labels, fill)


def not_subtracted(model, pictures, labels, fill):
    return _losses(model, pictures, labels, fill, torch.eye(16).bool())


def one_patch_kept(model, pictures, labels, fill):
    return _losses(model, pictures, labels, fill, ~torch.eye(16).bool()) - _before(model, pictures, labels)


def one_patch_kept_not_subtracted(model, pictures, labels, fill):
    return _losses(model, pictures, labels, fill, ~torch.eye(16).bool())


def one_more_each_time(model, pictures, labels, fill):
    hidden = torch.arange(16) <= torch.arange(16)[:, None]
    return _losses(model, pictures, labels, fill, hidden) - _before(model, pictures, labels)


def mean_of_pictures(model, pictures, labels, fill):
    return rises(model, pictures, labels, fill).mean(dim=0)


def places_first(model, pictures, labels, fill):
    return rises(model, pictures, labels, fill).T


def column_by_column(model, pictures, labels, fill):
    return rises(model, pictures, labels, fill).unflatten(1, (4, 4)).mT.flatten(1)


def blank_in_place_of_fill(model, pictures, labels, fill):
    return rises(model, pictures, labels, torch.zeros_like(fill))


class InkReader(nn.Module):
    """A model that is the surer of the digit 1, and the less sure of 0, the more its patches weigh.

    Args:
        weight: of the ink of each of the 16 patches.
    """

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight)

    def forward(self, pictures: Tensor) -> Tensor:
        """Read pictures, (batch, 1, 8, 8). Returns logits (batch, 2)."""
        logit = (image_patches(pictures, 2).mean(dim=-1) * self.weight).sum(dim=-1)
        return torch.stack([torch.zeros_like(logit), logit], dim=-1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a picture in which a single patch counts, then drawn pictures and models."""
    only = torch.zeros(16)
    only[3] = torch.tensor(3.0).log()
    expected = torch.zeros(1, 16)
    expected[0, 3] = torch.tensor(1.5).log()
    yield Trial(
        "one picture of the digit 1, full of ink, and a fill without ink; the model gives the digit a probability of "
        "3/4, and 1/2 where the ink of patch 3, at the upper right, is missing; the other patches do not count",
        {
            "model": InkReader(only),
            "pictures": torch.ones(1, 1, 8, 8),
            "labels": torch.tensor([1]),
            "fill": torch.zeros(1, 8, 8),
        },
        expected,
        says="Without the ink of patch 3 the loss is −ln ½, and with all ink −ln ¾. So it rises by ln 1.5 = 0.405. "
        "Where another patch is replaced, it does not rise.",
    )
    for n_pictures in (3, 4):
        yield Trial(
            f"{n_pictures} pictures, and a fill with ink",
            {
                "model": InkReader(torch.randn(16, generator=generator)),
                "pictures": torch.rand(n_pictures, 1, 8, 8, generator=generator),
                "labels": torch.randint(2, (n_pictures,), generator=generator),
                "fill": torch.rand(1, 8, 8, generator=generator),
            },
            says="For each patch, its four pixels are those of `fill` at the same places, and the loss of the whole "
            "picture is subtracted.",
        )


PRACTICE = Practice(
    name="rises",
    prompt="By how much the loss of each picture rises when the pixels of one patch are replaced.",
    minutes=10,
    hints=(
        'The loss of each picture: `F.cross_entropy(model(shown), labels, reduction="none")`.',
        "Patch number 6 is in row 1 and column 2 of the patches: `divmod(6, 4)`. Its pixels are "
        "`pictures[:, :, 2:4, 4:6]`. Change a copy, `pictures.clone()`, and a new one for each patch.",
        "Stack the 16 differences along `dim=1`, so that there is a row for each picture.",
    ),
    given=rises,
    trials=trials,
    returns=("rises",),
    misconceptions={
        "rises-sign": Misconception(
            "The sign is wrong",
            "A loss that grows is a rise above 0: the loss with the patch replaced minus that of the whole picture.",
            (wrong_sign,),
        ),
        "rises-not-subtracted": Misconception(
            "The loss of the whole picture is not subtracted",
            "These are the losses with a patch replaced. How much *more* is that than without?",
            (not_subtracted, one_patch_kept_not_subtracted),
        ),
        "rises-one-kept": Misconception(
            "One patch is kept, and the other 15 are replaced",
            "Only one patch is replaced at a time.",
            (one_patch_kept,),
        ),
        "rises-one-more": Misconception(
            "One patch more is replaced each time",
            "Each measurement begins with the whole picture: with a new copy of it for each patch.",
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
        "rises-column-by-column": Misconception(
            "The patches are counted column by column",
            "Patches are in reading order: patch 1 is to the right of patch 0, and patch 4 is below it.",
            (column_by_column,),
        ),
        "rises-blank": Misconception(
            "The patch is left blank",
            "The pixels of `fill` at the same places take the place of the pixels of the patch.",
            (blank_in_place_of_fill,),
        ),
    },
)

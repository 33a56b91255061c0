"""Answers to the practice `rises(model, pictures, labels, fill)` of notebook 13."""

import torch
import torch.nn.functional as F

from tests.corpus import change

@torch.no_grad()
def right__slices(model, pictures, labels, fill):
    whole = F.cross_entropy(model(pictures), labels, reduction="none")
    columns = []
    for patch in range(16):
        top, left = 2 * (patch // 4), 2 * (patch % 4)
        shown = pictures.clone()
        shown[:, :, top : top + 2, left : left + 2] = fill[:, top : top + 2, left : left + 2]
        columns.append(F.cross_entropy(model(shown), labels, reduction="none") - whole)
    return torch.stack(columns, dim=1)

@torch.no_grad()
def right__masks(model, pictures, labels, fill):
    def loss(shown):
        chances = model(shown).log_softmax(dim=-1)
        return -chances[torch.arange(len(labels)), labels]

    number = torch.arange(16).view(4, 4).repeat_interleave(2, dim=0).repeat_interleave(2, dim=1)
    replaced = [loss(torch.where(number == patch, fill, pictures)) for patch in range(16)]
    return torch.stack(replaced).T - loss(pictures)[:, None]

wrong__rises_sign__1 = change(right__masks, ("return -chances", "return chances"))
wrong__rises_not_subtracted__1 = change(right__masks, (" - loss(pictures)[:, None]", ""))
wrong__rises_one_kept__1 = change(right__masks, ("number == patch", "number != patch"))
wrong__rises_one_more__1 = change(right__masks, ("number == patch", "number <= patch"))
wrong__rises_mean__1 = change(
    right__slices, ("torch.stack(columns, dim=1)", "torch.stack(columns, dim=1).mean(dim=0)")
)
wrong__rises_places_first__1 = change(right__slices, ("dim=1", "dim=0"))
wrong__rises_column_by_column__1 = change(
    right__slices, ("2 * (patch // 4), 2 * (patch % 4)", "2 * (patch % 4), 2 * (patch // 4)")
)
# The patch is blank, whatever should be put into its place.
wrong__rises_blank__1 = change(
    right__slices, ("= fill[:, top : top + 2, left : left + 2]", "= 0.0")
)

# The mean loss is one number for all pictures.
extra__one_loss = change(right__slices, ('labels, reduction="none")\n    columns', "labels)\n    columns"))
# The ratio of the losses.
extra__ratio = change(right__slices, (' - whole)', ' / whole)'))
# The pictures themselves are changed.
wrong__input_changed__1 = change(right__slices, ("pictures.clone()", "pictures"))

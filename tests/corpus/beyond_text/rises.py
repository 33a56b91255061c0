"""Answers to the practice `rises(model, pictures, labels)` of notebook 13."""

import torch
import torch.nn.functional as F

from tests.corpus import change

@torch.no_grad()
def right__columns(model, pictures, labels):
    whole = F.cross_entropy(model(pictures), labels, reduction="none")
    columns = []
    for patch in range(16):
        kept = torch.ones(len(pictures), 16, dtype=torch.bool)
        kept[:, patch] = False
        hidden = F.cross_entropy(model(pictures, kept), labels, reduction="none")
        columns.append(hidden - whole)
    return torch.stack(columns, dim=1)

def right__probabilities(model, pictures, labels):
    def loss(kept):
        with torch.no_grad():
            chances = model(pictures, kept).log_softmax(dim=-1)
        return -chances[torch.arange(len(labels)), labels]

    rows = ~torch.eye(16, dtype=torch.bool)
    hidden = [loss(row.repeat(len(pictures), 1)) for row in rows]
    return torch.stack(hidden).T - loss(None)[:, None]

wrong__rises_sign__1 = change(right__columns, ("hidden - whole", "whole - hidden"))
wrong__rises_not_subtracted__1 = change(right__columns, ("hidden - whole", "hidden"))
wrong__rises_one_kept__1 = change(right__probabilities, ("~torch.eye", "torch.eye"))
wrong__rises_one_more__1 = change(right__columns, ("kept[:, patch] = False", "kept[:, : patch + 1] = False"))
wrong__rises_mean__1 = change(
    right__columns, ("torch.stack(columns, dim=1)", "torch.stack(columns, dim=1).mean(dim=0)")
)
wrong__rises_places_first__1 = change(right__columns, ("dim=1", "dim=0"))

# The mean loss is one number for all pictures.
extra__one_loss = change(right__columns, ('labels, reduction="none")\n    columns', "labels)\n    columns"))
# The ratio of the losses.
extra__ratio = change(right__columns, ("hidden - whole", "hidden / whole"))

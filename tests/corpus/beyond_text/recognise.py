"""Answers to the practice `recognise(model, x, kept)` of notebook 13."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__joined(model, x, kept=None):
    allowed = None
    if kept is not None:
        always = torch.ones(len(kept), 1, dtype=torch.bool)
        allowed = torch.cat([always, kept], dim=1)[:, None, :]
    for block in model.blocks:
        x = block(x, allowed)
    return model.classify(x[:, 0, :])

def right__two_blocks(model, x, kept=None):
    kept = torch.ones(x.shape[0], 16, dtype=torch.bool) if kept is None else kept
    allowed = F.pad(kept, (1, 0), value=True).unsqueeze(1)
    first, second = model.blocks
    return model.classify(second(first(x, allowed), allowed))[:, 0]

wrong__recognise_all_tokens__1 = change(right__two_blocks, (")[:, 0]", ")"))
wrong__recognise_other_token__1 = change(right__joined, ("x[:, 0, :]", "x.mean(1)"))
wrong__recognise_other_token__2 = change(right__joined, ("x[:, 0, :]", "x[:, -1]"))
wrong__recognise_one_block__1 = change(right__joined, ("in model.blocks:", "in model.blocks[:1]:"))
wrong__recognise_one_block__2 = change(right__joined, ("in model.blocks:", "in model.blocks[1:]:"))
wrong__recognise_probabilities__1 = change(right__two_blocks, (")[:, 0]", ")[:, 0].softmax(-1)"))
wrong__recognise_not_classified__1 = change(right__joined, ("model.classify(x[:, 0, :])", "x[:, 0, :]"))
wrong__recognise_nothing_hidden__1 = change(right__joined, ("block(x, allowed)", "block(x)"))
wrong__recognise_inverted__1 = change(right__joined, ("[always, kept]", "[always, ~kept]"))
wrong__recognise_class_token_hidden__1 = change(right__joined, ("torch.ones(len", "torch.zeros(len"))
wrong__recognise_column_behind__1 = change(right__joined, ("[always, kept]", "[kept, always]"))
wrong__recognise_set_to_zero__1 = change(
    right__two_blocks, ("second(first(x, allowed), allowed)", "second(first(x * allowed.mT))")
)
wrong__recognise_one_mask__1 = change(right__two_blocks, ("(first(x, allowed), allowed)", "(first(x, allowed))"))
wrong__recognise_queries_hidden__1 = change(right__joined, ("[:, None, :]", "[:, :, None]"))

# The mask has no axis for the queries.
extra__no_axis = change(right__two_blocks, (".unsqueeze(1)", ""))
# The digit in place of its logits.
extra__digit = change(right__two_blocks, (")[:, 0]", ")[:, 0].argmax(-1)"))

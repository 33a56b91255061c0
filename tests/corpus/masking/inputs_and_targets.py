"""Answers to the practice `inputs_and_targets(tokens)` of notebook 05."""

import torch

from tests.corpus import change

def right__slices(tokens):
    inputs = tokens[..., :-1]
    targets = tokens[..., 1:]
    return inputs, targets

def right__narrow(tokens):
    n = tokens.size(1) - 1
    return tokens.narrow(1, 0, n), tokens.narrow(1, 1, n)

# A list in place of a pair.
def right__rows(tokens):
    inputs = torch.stack([row[:-1] for row in tokens])
    targets = torch.stack([row[1:] for row in tokens])
    return [inputs, targets]

def right__rolled(tokens):
    following = torch.roll(tokens, -1, dims=-1)
    return tokens[:, : tokens.shape[1] - 1], following[:, : tokens.shape[1] - 1]

wrong__shift_missing__1 = change(right__slices, ("[..., 1:]", "[..., :-1]"))
wrong__shift_missing__2 = change(right__slices, ("inputs = tokens[..., :-1]", "inputs = tokens"), ("[..., 1:]", ""))
wrong__shift_missing__3 = change(right__narrow, ("(1, 0, n)", "(1, 1, n)"))
wrong__shift_backwards__1 = change(right__slices, ("return inputs, targets", "return targets, inputs"))
wrong__shift_along_the_batch__1 = change(right__slices, ("[..., :-1]", "[:-1]"), ("[..., 1:]", "[1:]"))
wrong__shift_last_token_asks__1 = change(right__slices, ("[..., :-1]", ""))
wrong__shift_last_token_asks__2 = change(
    right__rolled,
    ("tokens[:, : tokens.shape[1] - 1], following[:, : tokens.shape[1] - 1]", "tokens, following"),
)
wrong__shift_first_token_is_a_target__1 = change(right__slices, ("[..., 1:]", ""))
wrong__shift_of_two__1 = change(right__slices, (":-1", ":-2"), ("1:", "2:"))
wrong__shift_loses_a_question__1 = change(
    right__slices, (":-1", "1:-1"), ("targets = tokens[..., 1:]", "targets = tokens[..., 2:]")
)
wrong__shift_loses_a_question__2 = change(right__slices, (":-1", ":-2"), ("1:", "1:-1"))

# One tensor of pairs.
extra__pairs = change(right__slices, ("return inputs, targets", "return torch.stack([inputs, targets], dim=-1)"))
# The axes in the wrong order.
extra__tokens_first = change(right__slices, ("return inputs, targets", "return inputs.T, targets.T"))

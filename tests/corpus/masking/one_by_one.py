"""Answers to the practice `one_by_one(layer, x)` of notebook 05."""

import torch

from tests.corpus import change

def right__loop(layer, x):
    outputs = []
    for n in range(1, len(x) + 1):
        outputs.append(layer(x[:n])[-1])
    return torch.stack(outputs)

# The last output keeps its axis.
def right__cat(layer, x):
    outputs = [layer(x[: i + 1])[-1:] for i in range(x.shape[0])]
    return torch.cat(outputs, dim=0)

def right__filled(layer, x):
    outputs = torch.zeros_like(x)
    for i in range(len(x)):
        so_far = x[: i + 1]
        outputs[i] = layer(so_far)[i]
    return outputs

def wrong__pass_over_everything__1(layer, x):
    return layer(x)

wrong__pass_over_everything__2 = change(right__filled, ("x[: i + 1]", "x"))
wrong__pass_first_output__1 = change(right__loop, ("[-1]", "[0]"))
wrong__pass_over_one_token__1 = change(right__cat, ("x[: i + 1]", "x[i : i + 1]"))
wrong__pass_missing__1 = change(right__loop, ("len(x) + 1", "len(x)"))
wrong__pass_missing__2 = change(right__loop, ("range(1", "range(2"))
wrong__pass_without_tokens__1 = change(right__loop, ("range(1, len(x) + 1)", "range(len(x))"))
wrong__pass_over_the_rest__1 = change(right__loop, ("range(1, len(x) + 1)", "range(len(x))"), ("x[:n]", "x[n:]"))
wrong__pass_over_the_rest__2 = change(
    right__loop, ("range(1, len(x) + 1)", "range(len(x))"), ("x[:n])[-1]", "x[n:])[0]")
)

# All outputs of all passes.
extra__all_outputs = change(right__cat, ("[-1:]", ""))
# One long vector.
extra__one_long_vector = change(right__loop, ("torch.stack", "torch.cat"))

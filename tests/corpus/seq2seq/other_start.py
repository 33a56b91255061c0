"""Answers to the practice `other_start(model, source, allowed)` of notebook 01."""

import torch

from tests.corpus import change

def right__roll(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, state.roll(1, dims=0)

def right__joined(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, torch.cat([state[-1:], state[:-1]])

def right__indices(model, source, allowed):
    memory, state = model.encode(source, allowed)
    before = torch.arange(len(state), device=state.device) - 1
    return memory, state[before]

def right__read_twice(model, source, allowed):
    """The encoder reads the texts before as well."""
    memory, _ = model.encode(source, allowed)
    _, state = model.encode(torch.roll(source, 1, dims=0), torch.roll(allowed, 1, dims=0))
    return memory, state

def right__loop(model, source, allowed):
    memory, state = model.encode(source, allowed)
    return memory, torch.stack([state[i - 1] for i in range(state.shape[0])])

wrong__other_start_unchanged__1 = change(right__roll, ("state.roll(1, dims=0)", "state"))
# What `roll` returns is thrown away.
wrong__other_start_unchanged__2 = change(
    right__roll, ("return memory, state.roll(1, dims=0)", "state.roll(1, dims=0)", "return memory, state")
)
wrong__other_start_memory_moved__1 = change(
    right__roll, ("return memory, state.roll(1, dims=0)", "return memory.roll(1, dims=0), state")
)
wrong__other_start_both_moved__1 = change(right__roll, ("return memory,", "return memory.roll(1, dims=0),"))
# The texts move before they are read.
wrong__other_start_both_moved__2 = change(
    right__roll,
    ("encode(source, allowed)", "encode(source.roll(1, dims=0), allowed.roll(1, dims=0))"),
    ("state.roll(1, dims=0)", "state"),
)
wrong__other_start_numbers_moved__1 = change(right__roll, ("dims=0", "dims=1"))
# Without `dims`, all numbers are one row.
wrong__other_start_numbers_moved__2 = change(right__roll, ("(1, dims=0)", "(1)"))
wrong__other_start_text_after__1 = change(right__roll, ("(1, dims=0)", "(-1, dims=0)"))
wrong__other_start_text_after__2 = change(right__joined, ("[state[-1:], state[:-1]]", "[state[1:], state[:1]]"))
wrong__other_start_turned_round__1 = change(right__roll, ("roll(1, dims=0)", "flip(0)"))
wrong__other_start_zeros__1 = change(right__roll, ("state.roll(1, dims=0)", "torch.zeros_like(state)"))

def wrong__other_start_one_for_all__1(model, source, allowed):
    """Each row is overwritten before the next one reads it."""
    memory, state = model.encode(source, allowed)
    for i in range(1, len(state)):
        state[i] = state[i - 1].clone()
    return memory, state

wrong__other_start_one_for_all__2 = change(
    right__joined, ("torch.cat([state[-1:], state[:-1]])", "state[-1:].expand_as(state)")
)
wrong__other_start_first_text__1 = change(right__joined, ("state[-1:], state", "state[:1], state"))

# The masks are in another order than the texts when the encoder reads.
extra__mask_moved = change(right__roll, ("encode(source, allowed)", "encode(source, allowed.flip(0))"))
# The two results are exchanged.
extra__exchanged = change(right__roll, ("memory, state.roll(1, dims=0)", "state.roll(1, dims=0), memory"))
# The state alone.
extra__state_alone = change(right__roll, ("return memory, state", "return state"))
# Drawn texts: some may keep their own state.
extra__shuffled = change(right__roll, ("state.roll(1, dims=0)", "state[torch.randperm(len(state))]"))
# Drawn numbers in the place of a state.
extra__random = change(right__roll, ("state.roll(1, dims=0)", "torch.randn_like(state)"))

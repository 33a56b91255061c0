"""Answers to the practice `reordered(state, memory, allowed)` of notebook 01."""

import torch

from course_attention import attend_and_concat
from tests.corpus import change

def right__flip(state, memory, allowed):
    return attend_and_concat(state, memory.flip(1), allowed.flip(1))

def right__permutation(state, memory, allowed):
    order = torch.randperm(memory.shape[1])
    return attend_and_concat(state, memory[:, order], allowed[:, order])

def right__rolled(state, memory, allowed):
    memory = memory.roll(1, dims=1)
    allowed = torch.roll(allowed, shifts=1, dims=1)
    return attend_and_concat(state, memory, allowed)

def right__list_of_places(state, memory, allowed):
    places = list(range(memory.size(1)))[::-1]
    return attend_and_concat(state, memory[:, places, :], allowed[:, places])

wrong__order_mask_left_behind__1 = change(right__flip, ("allowed.flip(1)", "allowed"))
wrong__order_mask_left_behind__2 = change(right__rolled, ("    allowed = torch.roll(allowed, shifts=1, dims=1)\n", ""))
wrong__order_mask_alone__1 = change(right__flip, ("memory.flip(1)", "memory"))
wrong__order_of_texts__1 = change(right__flip, ("memory.flip(1), allowed.flip(1)", "memory.flip(0), allowed.flip(0)"))
wrong__order_of_numbers__1 = change(right__flip, ("memory.flip(1), allowed.flip(1)", "memory.flip(2), allowed"))
wrong__order_of_numbers__2 = change(right__flip, ("memory.flip(1)", "memory.flip(-1)"))
wrong__order_no_mask__1 = change(right__flip, (", allowed.flip(1)", ""))

def wrong__order_unchanged__1(state, memory, allowed):
    """Turned round twice."""
    return attend_and_concat(state, memory.flip(1).flip(1), allowed.flip(1).flip(1))

# Indexing with a permutation along axis 0.
extra__permuted_texts = change(right__permutation, ("memory[:, order]", "memory[order]"))
# The context alone.
extra__one_result = change(right__flip, ("allowed.flip(1))", "allowed.flip(1))[0]"))

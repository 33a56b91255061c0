"""Answers to the practice `swapped(state, memory, allowed)` of notebook 01."""

import torch

from course_attention import attend_and_concat
from tests.corpus import change

def right__chunk(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    first, second = joined.chunk(2, dim=-1)
    return torch.cat([second, first], dim=-1), distribution

def right__slices(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    d = joined.shape[1] // 2
    joined = torch.cat([joined[:, d:], joined[:, :d]], dim=1)
    return joined, distribution

def right__rolled(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return joined.roll(joined.shape[-1] // 2, dims=-1), distribution

def right__in_place(state, memory, allowed):
    """Both halves are copied before anything is written."""
    joined, distribution = attend_and_concat(state, memory, allowed)
    d = joined.shape[1] // 2
    first, second = joined[:, :d].clone(), joined[:, d:].clone()
    joined[:, :d], joined[:, d:] = second, first
    return joined, distribution

# The state is an argument, and so needs no cut.
right__from_the_state = change(right__chunk, ("[second, first]", "[state, first]"))

wrong__swap_nothing_moved__1 = change(right__chunk, ("[second, first]", "[first, second]"))
wrong__swap_one_half_twice__1 = change(right__chunk, ("[second, first]", "[second, second]"))

def wrong__swap_one_half_twice__2(state, memory, allowed):
    """Slices are views: the first line overwrites what the second one reads."""
    joined, distribution = attend_and_concat(state, memory, allowed)
    d = joined.shape[1] // 2
    first, second = joined[:, :d], joined[:, d:]
    joined[:, :d] = second
    joined[:, d:] = first
    return joined, distribution

def wrong__swap_turned_round__1(state, memory, allowed):
    joined, distribution = attend_and_concat(state, memory, allowed)
    return joined.flip(dims=[-1]), distribution

wrong__swap_half_alone__1 = change(right__chunk, ("torch.cat([second, first], dim=-1)", "second"))

# The halves are stacked on each other.
extra__below_each_other = change(right__chunk, ("first], dim=-1", "first], dim=0"))
# The distribution is left out.
extra__one_result = change(right__chunk, ("dim=-1), distribution", "dim=-1)"))

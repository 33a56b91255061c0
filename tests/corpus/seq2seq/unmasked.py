"""Answers to the practice `unmasked(state, memory, allowed)` of notebook 01."""

import torch

from course_attention import attend_and_concat
from tests.corpus import change

def right__left_out(state, memory, allowed):
    return attend_and_concat(state, memory)

def right__none(state, memory, allowed):
    return attend_and_concat(state, memory, allowed=None)

def right__all_true(state, memory, allowed):
    return attend_and_concat(state, memory, torch.ones_like(allowed))

def wrong__unmasked_turned_round__1(state, memory, allowed):
    return attend_and_concat(state, memory, ~allowed)

wrong__unmasked_turned_round__2 = change(wrong__unmasked_turned_round__1, ("~allowed", "allowed == False"))
wrong__unmasked_nothing_allowed__1 = change(right__all_true, ("ones_like", "zeros_like"))

def wrong__unmasked_not_yet__1(state, memory, allowed):
    mask = allowed
    return attend_and_concat(state, memory, mask)

# The argument is True, not a tensor.
extra__true = change(right__none, ("None", "True"))

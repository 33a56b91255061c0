"""Answers to the practice `RotaryReader` of notebook 06."""

import torch

from course_attention.mechanisms.positions import rotary
from course_attention.experiments.positions.readers import Reader
from tests.corpus import change

class right__own_function(Reader):
    def turn(self, vectors):
        return rotary(vectors, torch.arange(vectors.shape[-2]))

class right__sizes(Reader):
    def turn(self, vectors):
        n_tokens = vectors.size(2)
        positions = torch.arange(0, n_tokens)
        return rotary(vectors, positions, base=10_000.0)

wrong__rotary_not_turned__1 = change(right__sizes, ("rotary(vectors, positions, base=10_000.0)", "vectors"))
wrong__rotary_other_start__1 = change(right__sizes, ("torch.arange(0, n_tokens)", "torch.arange(1, n_tokens + 1)"))
wrong__rotary_backwards__1 = change(right__sizes, ("torch.arange(0, n_tokens)", "-torch.arange(0, n_tokens)"))
wrong__rotary_one_position__1 = change(
    right__own_function, ("torch.arange(vectors.shape[-2])", "torch.tensor([vectors.shape[-2]])")
)
wrong__rotary_added__1 = change(right__own_function, ("return rotary", "return vectors + rotary"))
# The sizes are read from the wrong axes, and do not fit.
extra__number_of_heads = change(right__own_function, ("vectors.shape[-2]", "vectors.shape[-1]"))

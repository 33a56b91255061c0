"""Answers to the practice `ALiBiReader` of notebook 06."""

import torch

from course_attention.mechanisms.positions import alibi_bias
from course_attention.practice.positions.reader import Reader
from tests.corpus import change

class right__own_function(Reader):
    def bias(self, n_tokens):
        return alibi_bias(self.n_heads, n_tokens, n_tokens).float()

class right__by_hand(Reader):
    def bias(self, n_tokens):
        slopes = torch.tensor([2 ** (-8 * (h + 1) / self.n_heads) for h in range(self.n_heads)])
        place = torch.arange(n_tokens)
        return -slopes[:, None, None] * (place[:, None] - place).abs()

wrong__alibi_rewarded__1 = change(right__by_hand, ("return -slopes", "return slopes"))
wrong__alibi_one_slope__1 = change(right__own_function, ("self.n_heads", "1"))
wrong__alibi_heads_fixed__1 = change(right__own_function, ("self.n_heads", "4"))
wrong__alibi_one_query__1 = change(right__own_function, ("n_tokens, n_tokens)", "1, n_tokens)"))
# The slopes of heads that are counted from 0.
extra__from_zero = change(right__by_hand, ("(h + 1)", "h"))

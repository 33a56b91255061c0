"""Answers to the practice `RelativeReader` of notebook 06."""

import torch
from torch import nn

from course_attention.mechanisms.positions import relative_bias
from course_attention.practice.positions.reader import Reader
from tests.corpus import change

class right__own_function(Reader):
    def __init__(self, reach=16):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(self.n_heads, 2 * reach + 1))

    def bias(self, n_tokens):
        return relative_bias(self.table, n_tokens, n_tokens)

class right__by_hand(Reader):
    def __init__(self, reach=16):
        super().__init__()
        self.reach = reach
        self.table = nn.Parameter(torch.zeros(self.n_heads, 2 * reach + 1))

    def bias(self, n_tokens):
        place = torch.arange(n_tokens)
        offset = (place - place[:, None]).clamp(-self.reach, self.reach)
        return self.table[:, offset + self.reach]

wrong__relative_turned__1 = change(right__by_hand, ("place - place[:, None]", "place[:, None] - place"))
wrong__relative_one_head__1 = change(right__own_function, ("n_tokens, n_tokens)", "n_tokens, n_tokens)[0]"))
wrong__relative_one_query__1 = change(right__own_function, ("self.table, n_tokens,", "self.table, 1,"))
wrong__relative_detached__1 = change(right__own_function, ("self.table, n_tokens", "self.table.detach(), n_tokens"))
wrong__relative_detached__2 = change(right__own_function, ("self.table, n_tokens", "self.table.data, n_tokens"))
# The bias is not returned.
extra__no_return = change(right__own_function, ("return relative_bias", "relative_bias"))

"""Answers to `causal_pairs`, a number, of notebook 05."""

from fractions import Fraction

import numpy as np
import torch

right__int = 2080
right__float = 2080.0
right__numpy_int64 = np.int64(2080)
right__numpy_array = np.array(2080)
right__torch_tensor = torch.tensor(2080)
right__worked_out = torch.ones(64, 64).tril().sum()
right__fraction = Fraction(64 * 65, 2)
right__worked_out_2 = sum(range(1, 65))
right__worked_out_3 = 64 * 65 // 2
right__worked_out_4 = int(torch.ones(64, 64).tril().sum())
# the diagonal left out: 64 · 63 / 2
wrong__diagonal_left_out__1 = 2016
wrong__diagonal_left_out__2 = 64 * 63 // 2
# every pair
wrong__pairs_unmasked__1 = 4096
wrong__pairs_unmasked__2 = 64 * 64
# half of all pairs
wrong__half_of_all__1 = 2048
wrong__half_of_all__2 = 64 * 64 / 2
# 64 · 65, not halved
wrong__pairs_not_halved__1 = 4160
# 64 · 63: the diagonal left out and not halved
wrong__pairs_not_halved__2 = 4032
wrong__pairs_not_halved__3 = 64 * 65
# one future token allowed: 63 pairs more
wrong__future_counted__1 = 2143
# the diagonal alone, or the last row
wrong__pairs_one_query__1 = 64
# the last row without its own token
wrong__pairs_one_query__2 = 63
# one too many
extra__2081 = 2081
# 65 · 66 / 2, for 65 tokens
wrong__one_token_more_or_less__1 = 2145
# 62 · 63 / 2: the diagonal left out, and counted to 62
wrong__one_token_more_or_less__2 = sum(range(63))
# half of all pairs, and the whole diagonal beside it
wrong__diagonal_added_to_half__1 = 64 * 64 // 2 + 64
# half of all pairs without the diagonal
wrong__diagonal_added_to_half__2 = 64 * 64 // 2 - 64
# the share of the pairs that are allowed
wrong__pairs_as_share__1 = 2080 / 4096
wrong__pairs_as_share__2 = 0.5
# the share as a percentage
wrong__pairs_as_share__3 = 50.78125
# pairs for each query, on average
wrong__pairs_as_share__4 = 32.5
# the sum halved twice
wrong__pairs_halved_twice__1 = 64 * 65 / 4
# a quarter of all pairs
wrong__pairs_halved_twice__2 = 1024

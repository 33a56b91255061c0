"""Answers to `dense_parameters`, a number, of notebook 07."""

from fractions import Fraction

import numpy as np
import torch

right__int = 40960000
right__float = 40960000.0
right__numpy_int64 = np.int64(40960000)
right__numpy_float32 = np.float32(40960000)
right__numpy_array = np.array(40960000)
right__torch_tensor = torch.tensor(40960000)
right__torch_tensor_float64 = torch.tensor(40960000.0, dtype=torch.float64)
right__fraction = Fraction(40960000)
right__worked_out = (100 * 64) ** 2
right__worked_out_2 = 100 * 64 * 100 * 64
# one token's layer, used for every token
wrong__one_token_only__1 = 4096
wrong__one_token_only__2 = 64 * 64
# a layer of its own for every token: n, not n squared
wrong__one_output_token__1 = 409600
wrong__one_output_token__2 = 100 * 64 * 64
# inputs and outputs added
wrong__sizes_added__1 = 12800
wrong__sizes_added__2 = 100 * 64 + 100 * 64
# one matrix of 100 x 100 for all channels
wrong__channels_forgotten__1 = 10000
# biases counted: 100 · 64 more
wrong__biases_counted__1 = 40966400
wrong__biases_counted__2 = (100 * 64) ** 2 + 100 * 64
# multiplications and additions counted apart
wrong__counted_twice__1 = 81920000
# bytes of float32
wrong__bytes_counted__1 = 163840000
# 100 · 64: the output's size
wrong__input_counted__1 = 6400
# one matrix of 100 x 100 for every channel
wrong__channels_once__1 = 640000
# the layer's products counted once for each of 100 tokens
extra__4096000000 = 4096000000
# n² · (64 + 64), as for attention
extra__1280000 = 1280000
# three projections of 64 x 64, as in attention
extra__12288 = 12288
# one too many
extra__40960001 = 40960001
# a slip of the decimal point
extra__4_096 = 4.096
# in millions
wrong__in_millions__1 = 40.96
# both directions of a pair taken for one
wrong__half_of_the_weights__1 = 6400 * 6400 // 2
# all tokens and channels added, on either side
wrong__sizes_added__3 = (100 + 64) * (100 + 64)
# in thousands
wrong__in_millions__2 = 40960
# no weights from a token to itself
extra__40550400 = 100 * 99 * 64 * 64
# the weights of one output token, twice
extra__819200 = 2 * 100 * 64 * 64

"""Answers to `additive_parameters`, a number, of notebook 01."""

from fractions import Fraction

import numpy as np
import torch

right__int = 4128
right__float = 4128.0
right__numpy_int64 = np.int64(4128)
right__numpy_float32 = np.float32(4128)
right__numpy_array = np.array(4128)
right__torch_tensor = torch.tensor(4128)
right__torch_tensor_float = torch.tensor(4128.0)
right__fraction = Fraction(4128)
right__worked_out = 64 * 32 + 64 * 32 + 32
right__worked_out_2 = sum(torch.zeros(size).numel() for size in [(64, 32), (64, 32), (32,)])
# w forgotten: W1 and W2 only
wrong__score_vector_forgotten__1 = 4096
wrong__score_vector_forgotten__2 = 2 * 64 * 32
# one of the two matrices, and w
wrong__one_projection__1 = 2080
# one matrix alone
wrong__one_projection__2 = 2048
# w taken as long as the state, 64
wrong__width_counted_again__1 = 4160
# biases of W1 and W2 counted too
wrong__biases_counted__2 = 4192
wrong__biases_counted__3 = 2 * (64 * 32 + 32) + 32
# one bias of 32
wrong__width_counted_again__2 = 4128 + 32
# the inner width taken as 64: 2 * 64 * 64 + 64
wrong__square_projections__1 = 8256
# W1 and W2 each 64 x 64, w of 32
wrong__square_projections__2 = 8224
wrong__square_projections__3 = 64 * 64 + 64 * 64 + 64
# dot-product attention's number
wrong__nothing_added__1 = 0
# a third matrix 64 x 32 in place of w
extra__6144 = 6144
# the product of 64 * 32 and 32
extra__65536 = 65536
# 64 + 32
extra__96 = 96
# a slip of the decimal point
extra__41_28 = 41.28

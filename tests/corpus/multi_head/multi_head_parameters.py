"""Answers to `multi_head_parameters`, a number, of notebook 04."""

from fractions import Fraction

import numpy as np
import torch

right__int = 1048576
right__float = 1048576.0
right__numpy_int32 = np.int32(1048576)
right__numpy_float64 = np.float64(1048576)
right__numpy_array = np.array(1048576)
right__torch_tensor = torch.tensor(1048576)
right__torch_tensor_float64 = torch.tensor(1048576.0, dtype=torch.float64)
right__fraction = Fraction(2**21, 2)
right__worked_out = 4 * 512**2
right__worked_out_2 = 4 * 512 * 512
right__worked_out_3 = 8 * 3 * 512 * 64 + 512 * 512
# the output projection forgotten
wrong__output_projection_forgotten__1 = 786432
wrong__output_projection_forgotten__2 = 3 * 512 * 512
# one matrix
wrong__one_projection_only__1 = 262144
# two matrices
wrong__one_projection_only__2 = 524288
# heads counted twice: each head as wide as the model
wrong__heads_counted_twice__1 = 8388608
# heads counted twice and no output projection
wrong__heads_counted_twice__2 = 6291456
# heads counted twice, and one output projection of 512 × 512
wrong__heads_counted_twice__3 = 6553600
wrong__heads_counted_twice__4 = 4 * 512 * (8 * 512)
# divided by the number of heads
wrong__one_head_only__1 = 131072
# the three projections of one head
wrong__one_head_only__2 = 98304
# the three projections of one head, and the output projection
wrong__one_head_only__3 = 360448
wrong__one_head_only__4 = 3 * 512 * 64
# biases counted: 4 · 512 more
wrong__biases_counted__1 = 1050624
# the bias of the output projection counted
wrong__biases_counted__2 = 1049088
wrong__biases_counted__3 = 4 * (512 * 512 + 512)
# a block's feed-forward layers counted too
extra__3145728 = 3145728
# 512 + 512 + 512 + 512
extra__2048 = 2048
# one off
extra__1048575 = 1048575
# a million, roughly
extra__1000000 = 1000000

"""Answers to `self_attention_parameters`, a number, of notebook 03."""

from fractions import Fraction

import numpy as np
import torch
from torch import nn

right__int = 98304
right__float = 98304.0
right__numpy_int64 = np.int64(98304)
right__numpy_float32 = np.float32(98304)
right__numpy_array = np.array(98304)
right__torch_tensor = torch.tensor(98304)
right__torch_tensor_float = torch.tensor(98304.0)
right__fraction = Fraction(98304)
right__worked_out = 3 * 512 * 64
right__worked_out_2 = 3 * nn.Linear(512, 64, bias=False).weight.numel()
# one matrix
wrong__one_matrix__1 = 32768
# two matrices: the value not projected, or key and query shared
wrong__one_matrix_forgotten__1 = 65536
# an output projection counted too
wrong__output_projection_counted__1 = 131072
wrong__output_projection_counted__2 = 4 * 512 * 64
# biases counted: 3 · 64 more
wrong__biases_counted__1 = 98496
wrong__biases_counted__2 = 3 * (512 * 64 + 64)
# matrices of 512 × 512
wrong__square_matrices__1 = 786432
wrong__square_matrices__2 = 3 * 512**2
# one matrix of 512 × 512: the interaction matrix
wrong__interaction_counted__1 = 262144
# an interaction matrix of 512 × 512, and the value's matrix
wrong__interaction_counted__2 = 294912
# matrices of 64 × 64
wrong__model_size_forgotten__1 = 12288
# 512 + 64 in place of 512 · 64, three times
wrong__sizes_added__1 = 1728
# 512 + 64
wrong__sizes_added__2 = 576
# the widths of query, key and value
wrong__sizes_added__3 = 192
# no parameters: Q = K = V = X
wrong__formula_alone__1 = 0
# a slip of the decimal point
extra__9830_4 = 9830.4

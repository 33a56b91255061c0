"""Answers to `score_variance`, a number, of notebook 02."""

import math
from fractions import Fraction

import numpy as np
import torch

d_key = 256
right__int = 256
right__float = 256.0
right__numpy_int32 = np.int32(256)
right__numpy_float64 = np.float64(256)
right__numpy_array = np.array(256)
right__torch_tensor = torch.tensor(256)
right__torch_tensor_float64 = torch.tensor(256.0, dtype=torch.float64)
right__fraction = Fraction(512, 2)
right__worked_out = 2**8
right__worked_out_2 = d_key * 1  # a sum of d_key terms, each of variance 1
# the standard deviation, √256
wrong__standard_deviation__1 = 16
wrong__standard_deviation__2 = math.sqrt(256)
# the variance of one entry, or of the scaled score
wrong__variance_of_one_term__1 = 1
# that of the mean of the products
wrong__already_scaled__1 = 1 / 256
# 1/√d_key, the scale
wrong__already_scaled__2 = 1 / 16
# 256 squared
wrong__terms_squared__1 = 65536
# the two variances of each product added
wrong__variances_added__1 = 512
wrong__variances_added__2 = 256 * (1 + 1)
# the mean of the score
wrong__mean_of_a_score__1 = 0
# one degree of freedom taken off
extra__255 = 255
# half of it
extra__128 = 128
# 3 · 256, the fourth moment of a normal entry: key taken as equal to query
extra__768 = 768
# the variance of a sum of two entries
extra__2 = 2

"""Answers to `encoding_norm`, a number, of notebook 06."""

import math
from fractions import Fraction

import numpy as np
import torch

right__int = 32
right__float = 32.0
right__numpy_float32 = np.float32(32)
right__numpy_array_float = np.array(32.0)
right__torch_tensor = torch.tensor(32)
right__torch_tensor_float64 = torch.tensor(32.0, dtype=torch.float64)
right__fraction = Fraction(64, 2)
right__worked_out = 64 // 2
right__worked_out_2 = 64 / 2  # each pair gives sin² + cos² = 1
# 1 for each channel
wrong__every_channel_one__1 = 64
# the norm, not its square
wrong__root_taken__1 = 32**0.5
# √64, the norm of 64 ones
wrong__root_taken__2 = 8
wrong__root_taken__3 = math.sqrt(32)
# one pair, or a unit vector
wrong__unit_length__1 = 1
wrong__unit_length__2 = 1.0
# the mean of the squares
wrong__mean_square__1 = 0.5
# half again: the sines' share alone
wrong__pairs_halved__1 = 16
# 32 squared
wrong__square_taken__1 = 1024
# 64 squared
wrong__square_taken__2 = 4096
# half of 64 squared
wrong__square_taken__3 = 64**2 / 2
# the root, to three digits
wrong__root_taken__4 = 5.66
# the sum of the signs
wrong__channels_summed__1 = 0
# pairs counted to 31
wrong__pairs_miscounted__1 = 31
# pairs counted from 0 to 32
wrong__pairs_miscounted__2 = 33
# twice the channels
wrong__pair_as_two__1 = 128
# the root of one half, as for an angle of 45 degrees
extra__root_of_half = 0.707
# one pair alone
extra__2 = 2

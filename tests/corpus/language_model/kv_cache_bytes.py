"""Answers to `kv_cache_bytes`, a number, of notebook 10."""

from fractions import Fraction

import numpy as np
import torch

right__int = 2147483648
right__float = 2147483648.0
right__numpy_int64 = np.int64(2147483648)
right__numpy_float32 = np.float32(2**31)
right__numpy_array = np.array(2147483648)
right__torch_tensor = torch.tensor(2147483648)
right__torch_tensor_float = torch.tensor(2.0**31)
right__fraction = Fraction(2**31)
right__worked_out = 2 * 32 * 32 * 128 * 4096 * 2
right__worked_out_2 = 2**31
# the keys alone, or one byte for each number
wrong__factor_two_forgotten__1 = 2**30
wrong__factor_two_forgotten__2 = 32 * 32 * 128 * 4096 * 2
# bits for bytes
wrong__bits_for_bytes__1 = 2**34
wrong__bits_for_bytes__2 = 2 * 32 * 32 * 128 * 4096 * 16
# one layer, or one head
wrong__one_layer_or_head__1 = 2**26
# one token
wrong__one_token__1 = 2**19
wrong__one_token__2 = 2 * 32 * 32 * 128 * 2
# four bytes for each number
wrong__four_bytes__1 = 2**32
wrong__four_bytes__2 = 2 * 32 * 32 * 128 * 4096 * 4
# the number in GiB
wrong__another_unit__1 = 2
# the number in MiB
wrong__another_unit__2 = 2048
# the number in GB
wrong__another_unit__3 = 2.147483648
# 4096² tokens: the score matrix's square
extra__2_to_43 = 2**43
# bits divided by eight once too often
extra__2_to_28 = 2**28
# numbers for one layer and one head of keys and values
extra__2_to_20 = 2**20
# the keys of one layer, in numbers
extra__2_to_24 = 2**24
# the largest int32, one too few
extra__2147483647 = 2147483647
# two billion, roughly
extra__2000000000 = 2000000000
# queries kept too
wrong__queries_counted__1 = 3 * 2**30
wrong__queries_counted__2 = 3 * 32 * 32 * 128 * 4096 * 2

"""Answers to `attention_layers`, a number, of notebook 08."""

from fractions import Fraction

import numpy as np
import torch

right__int = 18
right__float = 18.0
right__numpy_int32 = np.int32(18)
right__numpy_array = np.array(18)
right__torch_tensor = torch.tensor(18)
right__torch_tensor_float = torch.tensor(18.0)
right__fraction = Fraction(36, 2)
right__worked_out = 6 * 1 + 6 * 2
right__worked_out_2 = 6 + 2 * 6
# one in each layer
wrong__cross_attention_forgotten__1 = 12
wrong__cross_attention_forgotten__2 = 6 + 6
# the encoder's alone, or one for each pair of layers
wrong__one_stack_only__1 = 6
# two in each layer
wrong__encoder_counted_twice__1 = 24
wrong__encoder_counted_twice__2 = 2 * 6 + 2 * 6
# three in each layer, as the decoder has sub-layers
wrong__other_things_counted__1 = 36
# each decoder block attends to each encoder block
wrong__other_things_counted__2 = 6 * 6
# one block of each stack
wrong__one_block_each__1 = 1 + 2
# the two kinds of attention
wrong__one_block_each__2 = 2
# three projections for each of the 18
wrong__projections_counted__1 = 54
wrong__projections_counted__2 = (6 + 2 * 6) * 3
# eight heads in each of the 18
wrong__heads_counted__1 = 144
# eight heads in each of 12
wrong__heads_counted__2 = 96
# sub-layers of both: 2 · 6 + 3 · 6
wrong__sublayers_counted__1 = 30
wrong__sublayers_counted__2 = 6 * 2 + 6 * 3
# one cross-attention for the whole decoder
extra__13 = 13
# the heads
extra__8 = 8
# one too many
extra__19 = 19

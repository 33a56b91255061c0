"""Answers to the value exercises, and likely wrong numbers with what the person thought."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import torch

RIGHT_VALUES = {
    "additive_parameters": [
        4128,
        4128.0,
        np.int64(4128),
        np.float32(4128),
        np.array(4128),
        torch.tensor(4128),
        torch.tensor(4128.0),
        Fraction(4128),
        64 * 32 + 64 * 32 + 32,
    ],
    "score_variance": [
        256,
        256.0,
        np.int32(256),
        np.float64(256),
        np.array(256),
        torch.tensor(256),
        torch.tensor(256.0, dtype=torch.float64),
        Fraction(512, 2),
        2**8,
    ],
}
WRONG_VALUES = {
    "additive_parameters": [
        (0, "dot-product attention's number"),
        (4096, "w forgotten: W1 and W2 only"),
        (2080, "one of the two matrices, and w"),
        (2048, "one matrix alone"),
        (4160, "w taken as long as the state, 64"),
        (4192, "biases of W1 and W2 counted too"),
        (8256, "the inner width taken as 64: 2 * 64 * 64 + 64"),
        (8224, "W1 and W2 each 64 x 64, w of 32"),
        (6144, "a third matrix 64 x 32 in place of w"),
        (65536, "the product of 64 * 32 and 32"),
        (96, "64 + 32"),
        (41.28, "a slip of the decimal point"),
    ],
    "score_variance": [
        (16, "the standard deviation, √256"),
        (1, "the variance of one entry, or of the scaled score"),
        (1 / 256, "that of the mean of the products"),
        (1 / 16, "1/√d_key, the scale"),
        (65536, "256 squared"),
        (512, "the two variances of each product added"),
        (0, "the mean of the score"),
        (255, "one degree of freedom taken off"),
        (128, "half of it"),
        (768, "3 · 256, the fourth moment of a normal entry: key taken as equal to query"),
        (2, "the variance of a sum of two entries"),
    ],
}

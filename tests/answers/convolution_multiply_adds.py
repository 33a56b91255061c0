"""Answers to `convolution_multiply_adds(n_tokens, kernel_size, d_in, d_out)` of notebook 07."""

from __future__ import annotations

import math
from functools import reduce
from operator import mul

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.answers.gather import gather


def right__convolution_multiply_adds__formula(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * kernel_size * d_in * d_out


def right__convolution_multiply_adds__prod(n_tokens, kernel_size, d_in, d_out):
    return math.prod((n_tokens, kernel_size, d_in, d_out))


def right__convolution_multiply_adds__loops(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    count = 0
    for _position in range(n_tokens):
        for _offset in range(kernel_size):
            count += d_in * d_out
    return count


def right__convolution_multiply_adds__weights(n_tokens, kernel_size, d_in, d_out):
    layer = nn.Conv1d(d_in, d_out, kernel_size, bias=False, device="meta")
    return n_tokens * layer.weight.numel()


def right__convolution_multiply_adds__flop_counter(n_tokens, kernel_size, d_in, d_out):
    x = torch.empty(1, d_in, n_tokens + kernel_size - 1, device="meta")  # padded already
    with FlopCounterMode(display=False) as counter:
        F.conv1d(x, torch.empty(d_out, d_in, kernel_size, device="meta"))
    return counter.get_total_flops() // 2


def right__convolution_multiply_adds__one_product(n_tokens, kernel_size, d_in, d_out):
    # Each window laid out as a row, times a matrix.
    window = np.ones(kernel_size * d_in)
    return n_tokens * (window @ np.ones((kernel_size * d_in, d_out))).sum()


def right__convolution_multiply_adds__tensor_size(n_tokens, kernel_size, d_in, d_out):
    return torch.empty(n_tokens, kernel_size, d_in, d_out, device="meta").numel()


def odd__convolution_multiply_adds__reduce(*sizes):
    """Any number of arguments, multiplied."""
    return reduce(mul, sizes)


def odd__convolution_multiply_adds__logarithms(n_tokens, kernel_size, d_in, d_out):
    """A sum of logarithms, rounded back: a float."""
    return float(round(math.exp(sum(map(math.log, (n_tokens, kernel_size, d_in, d_out))))))


def odd__convolution_multiply_adds__numpy_number(n, k, c_in, c_out):
    """Other names, a NumPy number."""
    return np.prod([n, k, c_in, c_out], dtype=np.int64)


def wrong__convolution_multiply_adds__kernel_forgotten__1(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * d_in * d_out


def wrong__convolution_multiply_adds__kernel_forgotten__2(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * nn.Linear(d_in, d_out, bias=False, device="meta").weight.numel()


def wrong__convolution_multiply_adds__kernel_squared__1(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * kernel_size**2 * d_in * d_out


def wrong__convolution_multiply_adds__kernel_squared__2(n_tokens, kernel_size, d_in, d_out):
    # The layer for images.
    return n_tokens * nn.Conv2d(d_in, d_out, kernel_size, bias=False, device="meta").weight.numel()


def wrong__convolution_multiply_adds__no_padding__1(n_tokens, kernel_size, d_in, d_out):
    count = 0
    for _start in range(n_tokens - kernel_size + 1):
        count += kernel_size * d_in * d_out
    return count


def wrong__convolution_multiply_adds__length_forgotten__1(n_tokens, kernel_size, d_in, d_out):
    return nn.Conv1d(d_in, d_out, kernel_size, bias=False, device="meta").weight.numel()


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

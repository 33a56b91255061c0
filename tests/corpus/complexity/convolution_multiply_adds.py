"""Answers to `convolution_multiply_adds(n_tokens, kernel_size, d_in, d_out)` of notebook 07."""

import math
from functools import reduce
from operator import mul

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.corpus import change

def right__formula(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * kernel_size * d_in * d_out

def right__prod(n_tokens, kernel_size, d_in, d_out):
    return math.prod((n_tokens, kernel_size, d_in, d_out))

def right__loops(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    count = 0
    for _position in range(n_tokens):
        for _offset in range(kernel_size):
            count += d_in * d_out
    return count

def right__weights(n_tokens, kernel_size, d_in, d_out):
    layer = nn.Conv1d(d_in, d_out, kernel_size, bias=False, device="meta")
    return n_tokens * layer.weight.numel()

def right__flop_counter(n_tokens, kernel_size, d_in, d_out):
    x = torch.empty(1, d_in, n_tokens + kernel_size - 1, device="meta")  # padded already
    with FlopCounterMode(display=False) as counter:
        F.conv1d(x, torch.empty(d_out, d_in, kernel_size, device="meta"))
    return counter.get_total_flops() // 2

def right__one_product(n_tokens, kernel_size, d_in, d_out):
    # Each window laid out as a row, times a matrix.
    window = np.ones(kernel_size * d_in)
    return n_tokens * (window @ np.ones((kernel_size * d_in, d_out))).sum()

def right__tensor_size(n_tokens, kernel_size, d_in, d_out):
    return torch.empty(n_tokens, kernel_size, d_in, d_out, device="meta").numel()

def odd__reduce(*sizes):
    """Any number of arguments, multiplied."""
    return reduce(mul, sizes)

def odd__logarithms(n_tokens, kernel_size, d_in, d_out):
    """A sum of logarithms, rounded back: a float."""
    return float(round(math.exp(sum(map(math.log, (n_tokens, kernel_size, d_in, d_out))))))

def odd__numpy_number(n, k, c_in, c_out):
    """Other names, a NumPy number."""
    return np.prod([n, k, c_in, c_out], dtype=np.int64)

def wrong__kernel_forgotten__2(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * nn.Linear(d_in, d_out, bias=False, device="meta").weight.numel()

def wrong__kernel_squared__2(n_tokens, kernel_size, d_in, d_out):
    # The layer for images.
    return n_tokens * nn.Conv2d(d_in, d_out, kernel_size, bias=False, device="meta").weight.numel()

def wrong__no_padding__1(n_tokens, kernel_size, d_in, d_out):
    count = 0
    for _start in range(n_tokens - kernel_size + 1):
        count += kernel_size * d_in * d_out
    return count

wrong__kernel_forgotten__1 = change(right__formula, ("n_tokens * kernel_size", "n_tokens"))
wrong__kernel_squared__1 = change(right__formula, ("* kernel_size", "* kernel_size**2"))
wrong__length_forgotten__1 = change(
    wrong__kernel_squared__2, ("# The layer for images.", ""), ("n_tokens * nn.Conv2d", "nn.Conv1d"),
)
# One input channel.
wrong__channels_not_crossed__1 = change(right__formula, ("d_in * d_out", "d_out"))

def extra__padding_left_out(n_tokens, kernel_size, d_in, d_out):
    """Products with the zeros of the padding not counted."""
    half = kernel_size // 2
    used = sum(0 <= i + t - half < n_tokens for i in range(n_tokens) for t in range(kernel_size))
    return used * d_in * d_out

def extra__biases(n_tokens, kernel_size, d_in, d_out):
    """Biases counted."""
    layer = nn.Conv1d(d_in, d_out, kernel_size, device="meta")
    return n_tokens * sum(weight.numel() for weight in layer.parameters())

# Only the windows that lie within the sequence: no padding.
extra__valid_positions = change(right__formula, ("n_tokens *", "(n_tokens - kernel_size + 1) *"))
# Each channel by itself.
extra__depthwise = change(right__formula, ("d_in * d_out", "d_in"))
# The handout's k·n·d²: one width for both.
extra__square_channels = change(right__formula, ("d_in * d_out", "d_in**2"))
# The handout's k·n·d², with the width of the output.
extra__square_output_channels = change(right__formula, ("d_in * d_out", "d_out**2"))
# Every token to every token.
extra__quadratic = change(right__formula, ("n_tokens * kernel_size", "n_tokens**2"))
# Multiplications and additions counted apart.
extra__doubled = change(right__formula, ("return", "return 2 *"))
# The widths added, not multiplied.
extra__channels_added = change(right__formula, ("d_in * d_out", "(d_in + d_out)"))
# A depthwise and then a pointwise convolution.
extra__separable = change(
    right__formula, ("kernel_size * d_in * d_out", "(kernel_size * d_in + d_in * d_out)"),
)
# Windows side by side, as patches.
extra__strided = change(right__formula, ("n_tokens *", "n_tokens // kernel_size *"))
# An output for every place of the padded sequence.
extra__padded_length = change(right__formula, ("n_tokens *", "(n_tokens + kernel_size - 1) *"))


def wrong__zeros_have_outputs__1(n_tokens, kernel_size, d_in, d_out):
    return (n_tokens + kernel_size - 1) * kernel_size * d_in * d_out


def wrong__zeros_have_outputs__2(n_tokens, kernel_size, d_in, d_out):
    return (n_tokens + kernel_size // 2) * kernel_size * d_in * d_out


def wrong__additions_only__1(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * d_out * (kernel_size * d_in - 1)


def wrong__sizes_added__1(n_tokens, kernel_size, d_in, d_out):
    return n_tokens * (kernel_size + d_in * d_out)


def wrong__zeros_not_counted__formula(n_tokens, kernel_size, d_in, d_out):
    return (n_tokens * kernel_size - (kernel_size**2 - 1) // 4) * d_in * d_out

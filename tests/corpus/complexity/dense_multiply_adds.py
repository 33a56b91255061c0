"""Answers to `dense_multiply_adds(n_tokens, d_in, d_out)` of notebook 07."""

import numpy as np
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.corpus import change

def right__formula(n_tokens, d_in, d_out):
    return n_tokens**2 * d_in * d_out

def right__flattened(n_tokens, d_in, d_out):
    inputs = n_tokens * d_in
    outputs = n_tokens * d_out
    return inputs * outputs

def right__loops(n_tokens: int, d_in: int, d_out: int) -> int:
    count = 0
    for _to in range(n_tokens):
        count += d_out * (n_tokens * d_in)
    return count

def right__weights(n_tokens, d_in, d_out):
    layer = nn.Linear(n_tokens * d_in, n_tokens * d_out, bias=False, device="meta")
    return layer.weight.numel()

def right__flop_counter(n_tokens, d_in, d_out):
    x = torch.empty(1, n_tokens * d_in, device="meta")
    with FlopCounterMode(display=False) as counter:
        x @ torch.empty(n_tokens * d_in, n_tokens * d_out, device="meta")
    return counter.get_total_flops() // 2

right__numpy_power = change(right__formula, ("n_tokens**2", "np.square(n_tokens, dtype=np.float64)"))
# A kernel as long as the sequence, with weights of its own for every output.
right__as_convolution = change(
    right__formula, (":", ":", "    kernel_size = n_tokens"), ("n_tokens**2", "n_tokens * kernel_size"),
)

def odd__strided(n_tokens, d_in, d_out):
    """Counted by the shape of a weight with four axes."""
    return torch.tensor(
        np.lib.stride_tricks.as_strided(0, (n_tokens, d_in, n_tokens, d_out), (0, 0, 0, 0)).size
    )

def odd__keyword_only(n_tokens, *, d_in, d_out):
    """Widths by name only."""
    return (n_tokens * d_in) * (n_tokens * d_out)

def wrong__linear_in_length__2(n_tokens, d_in, d_out):
    count = 0
    for _token in range(n_tokens):
        count += d_in * d_out
    return count

def wrong__linear_in_length__3(n_tokens, d_in, d_out):
    # nn.Linear on (n_tokens, d_in): every token by itself.
    with FlopCounterMode(display=False) as counter:
        nn.Linear(d_in, d_out, bias=False, device="meta")(torch.empty(n_tokens, d_in, device="meta"))
    return counter.get_total_flops() / 2

wrong__linear_in_length__1 = change(right__formula, ("n_tokens**2", "n_tokens"))
# The weights of one token's layer.
wrong__length_forgotten__1 = change(right__formula, ("return n_tokens**2 *", "return"))
# Numbers that go in and come out, added.
wrong__sizes_added__1 = change(right__formula, ("**2 * d_in *", " * d_in + n_tokens *"))
# One n × n matrix for every channel, as attention mixes.
wrong__channels_not_crossed__1 = change(right__formula, ("d_in * d_out", "d_in"))

def natural__linear_in_length__1(n_tokens, d_in, d_out):
    weights = nn.Linear(d_in, d_out, bias=False, device="meta").weight.numel()
    return float(weights * n_tokens)

def extra__biases(n_tokens, d_in, d_out):
    """Biases counted."""
    layer = nn.Linear(n_tokens * d_in, n_tokens * d_out, device="meta")
    return sum(weight.numel() for weight in layer.parameters())

# Multiplications and additions counted apart.
extra__doubled = change(right__formula, ("return", "return 2 *"))
# The whole layer used once more for every token.
extra__cubic = change(right__formula, ("2 * d_in", "3 * d_in"))
# Input width squared: the output taken as wide as the input.
extra__everything_squared = change(right__formula, ("n_tokens**2 * d_in * d_out", "(n_tokens * d_in) ** 2"))
# Output width squared.
extra__output_squared = change(right__formula, ("n_tokens**2 * d_in * d_out", "(n_tokens * d_out) ** 2"))
# As for attention: the widths added.
extra__widths_added = change(right__formula, ("d_in * d_out", "(d_in + d_out)"))
# Every pair of tokens once.
extra__pairs_once = change(right__formula, ("n_tokens**2", "n_tokens * (n_tokens + 1) // 2"))
# `^` is not a power in Python.
extra__caret = change(right__formula, ("n_tokens**2", "(n_tokens ^ 2)"))
# n · 2 for n²: close for a sequence of two.
extra__times_two = change(right__formula, ("n_tokens**2", "n_tokens * 2"))


def wrong__additions_only__1(n_tokens, d_in, d_out):
    return n_tokens * d_out * (n_tokens * d_in - 1)


def wrong__all_squared__1(n_tokens, d_in, d_out):
    return n_tokens**2 * d_in**2 * d_out**2


def wrong__linear_in_length__twice(n_tokens, d_in, d_out):
    return 2 * n_tokens * d_in * d_out


def wrong__biases_counted__1(n_tokens, d_in, d_out):
    return n_tokens * d_in * n_tokens * d_out + n_tokens * d_out


def wrong__one_width__1(n_tokens, d_in, d_out):
    return (n_tokens * d_in) ** 2

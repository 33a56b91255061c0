"""Answers to `dense_multiply_adds(n_tokens, d_in, d_out)` of notebook 07."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.answers.gather import gather


def right__dense_multiply_adds__formula(n_tokens, d_in, d_out):
    return n_tokens**2 * d_in * d_out


def right__dense_multiply_adds__flattened(n_tokens, d_in, d_out):
    inputs = n_tokens * d_in
    outputs = n_tokens * d_out
    return inputs * outputs


def right__dense_multiply_adds__loops(n_tokens: int, d_in: int, d_out: int) -> int:
    count = 0
    for _to in range(n_tokens):
        count += d_out * (n_tokens * d_in)
    return count


def right__dense_multiply_adds__weights(n_tokens, d_in, d_out):
    layer = nn.Linear(n_tokens * d_in, n_tokens * d_out, bias=False, device="meta")
    return layer.weight.numel()


def right__dense_multiply_adds__flop_counter(n_tokens, d_in, d_out):
    x = torch.empty(1, n_tokens * d_in, device="meta")
    with FlopCounterMode(display=False) as counter:
        x @ torch.empty(n_tokens * d_in, n_tokens * d_out, device="meta")
    return counter.get_total_flops() // 2


def right__dense_multiply_adds__numpy_power(n_tokens, d_in, d_out):
    return np.square(n_tokens, dtype=np.float64) * d_in * d_out


def right__dense_multiply_adds__as_convolution(n_tokens, d_in, d_out):
    # A kernel as long as the sequence, with weights of its own for every output.
    kernel_size = n_tokens
    return n_tokens * kernel_size * d_in * d_out


def odd__dense_multiply_adds__strided(n_tokens, d_in, d_out):
    """Counted by the shape of a weight with four axes."""
    return torch.tensor(
        np.lib.stride_tricks.as_strided(0, (n_tokens, d_in, n_tokens, d_out), (0, 0, 0, 0)).size
    )


def odd__dense_multiply_adds__keyword_only(n_tokens, *, d_in, d_out):
    """Widths by name only."""
    return (n_tokens * d_in) * (n_tokens * d_out)


def wrong__dense_multiply_adds__linear_in_length__1(n_tokens, d_in, d_out):
    return n_tokens * d_in * d_out


def wrong__dense_multiply_adds__linear_in_length__2(n_tokens, d_in, d_out):
    count = 0
    for _token in range(n_tokens):
        count += d_in * d_out
    return count


def wrong__dense_multiply_adds__linear_in_length__3(n_tokens, d_in, d_out):
    # nn.Linear on (n_tokens, d_in): every token by itself.
    with FlopCounterMode(display=False) as counter:
        nn.Linear(d_in, d_out, bias=False, device="meta")(torch.empty(n_tokens, d_in, device="meta"))
    return counter.get_total_flops() / 2


def natural__dense_multiply_adds__linear_in_length__1(n_tokens, d_in, d_out):
    weights = nn.Linear(d_in, d_out, bias=False, device="meta").weight.numel()
    return float(weights * n_tokens)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

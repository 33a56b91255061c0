"""Answers to `recurrent_multiply_adds(n_tokens, d_in, d_hidden)` of notebook 07."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.answers.gather import gather


def right__recurrent_multiply_adds__formula(n_tokens, d_in, d_hidden):
    return n_tokens * (d_in * d_hidden + d_hidden**2)


def right__recurrent_multiply_adds__concatenated(n_tokens, d_in, d_hidden):
    # One matrix for [x; h].
    return n_tokens * d_hidden * (d_in + d_hidden)


def right__recurrent_multiply_adds__steps(n_tokens: int, d_in: int, d_hidden: int) -> int:
    count = 0
    for _step in range(n_tokens):
        count += d_in * d_hidden  # from the input
        count += d_hidden * d_hidden  # from the last state
    return count


def right__recurrent_multiply_adds__cell_weights(n_tokens, d_in, d_hidden):
    cell = nn.RNNCell(d_in, d_hidden, bias=False, device="meta")
    return n_tokens * sum(weight.numel() for weight in cell.parameters())


def right__recurrent_multiply_adds__flop_counter(n_tokens, d_in, d_hidden):
    from_input, from_state = (
        torch.empty(d_in, d_hidden, device="meta"),
        torch.empty(d_hidden, d_hidden, device="meta"),
    )
    state = torch.empty(1, d_hidden, device="meta")
    token = torch.empty(1, d_in, device="meta")
    with FlopCounterMode(display=False) as counter:
        state = torch.tanh(token @ from_input + state @ from_state)
    return n_tokens * counter.get_total_flops() // 2


def right__recurrent_multiply_adds__ones_multiplied(n_tokens, d_in, d_hidden):
    step = np.ones(d_in) @ np.ones((d_in, d_hidden)) + np.ones(d_hidden) @ np.ones((d_hidden, d_hidden))
    return n_tokens * step.sum()


def right__recurrent_multiply_adds__two_sums(n_tokens, d_in, d_hidden):
    input_to_hidden = n_tokens * d_in * d_hidden
    hidden_to_hidden = n_tokens * d_hidden * d_hidden
    return input_to_hidden + hidden_to_hidden


def odd__recurrent_multiply_adds__triangle(n_tokens, d_in, d_hidden):
    """Squares as sums of odd numbers, in an array of no axes."""
    return np.array(n_tokens * (d_in * d_hidden + sum(range(1, 2 * d_hidden, 2))))


def odd__recurrent_multiply_adds__state_dict(length, width, hidden):
    """The shapes of nn.RNN's own weights, and other names."""
    state = nn.RNN(width, hidden, bias=False).state_dict()
    return torch.tensor(
        float(length * sum(w.shape[0] * w.shape[1] for w in state.values())), dtype=torch.float64
    )


def wrong__recurrent_multiply_adds__recurrent_input_only__1(n_tokens, d_in, d_hidden):
    return n_tokens * d_in * d_hidden


def wrong__recurrent_multiply_adds__recurrent_input_only__2(n_tokens, d_in, d_hidden):
    return n_tokens * nn.Linear(d_in, d_hidden, bias=False, device="meta").weight.numel()


def wrong__recurrent_multiply_adds__recurrent_input_only__3(n_tokens, d_in, d_hidden):
    return (np.ones((n_tokens, d_in)) @ np.ones((d_in, d_hidden))).sum()


def natural__recurrent_multiply_adds__recurrent_input_only__1(n_tokens, d_in, d_hidden):
    cost = 0
    for _ in range(n_tokens):
        cost += d_in * d_hidden
    return float(cost)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

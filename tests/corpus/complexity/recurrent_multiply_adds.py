"""Answers to `recurrent_multiply_adds(n_tokens, d_in, d_hidden)` of notebook 07."""

import numpy as np
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.corpus import change

def right__formula(n_tokens, d_in, d_hidden):
    return n_tokens * (d_in * d_hidden + d_hidden**2)

# One matrix for [x; h].
right__concatenated = change(right__formula, ("(d_in * d_hidden + d_hidden**2)", "d_hidden * (d_in + d_hidden)"))

def right__steps(n_tokens: int, d_in: int, d_hidden: int) -> int:
    count = 0
    for _step in range(n_tokens):
        count += d_in * d_hidden  # from the input
        count += d_hidden * d_hidden  # from the last state
    return count

def right__cell_weights(n_tokens, d_in, d_hidden):
    cell = nn.RNNCell(d_in, d_hidden, bias=False, device="meta")
    return n_tokens * sum(weight.numel() for weight in cell.parameters())

def right__flop_counter(n_tokens, d_in, d_hidden):
    from_input, from_state = (
        torch.empty(d_in, d_hidden, device="meta"),
        torch.empty(d_hidden, d_hidden, device="meta"),
    )
    state = torch.empty(1, d_hidden, device="meta")
    token = torch.empty(1, d_in, device="meta")
    with FlopCounterMode(display=False) as counter:
        state = torch.tanh(token @ from_input + state @ from_state)
    return n_tokens * counter.get_total_flops() // 2

def right__ones_multiplied(n_tokens, d_in, d_hidden):
    step = np.ones(d_in) @ np.ones((d_in, d_hidden)) + np.ones(d_hidden) @ np.ones((d_hidden, d_hidden))
    return n_tokens * step.sum()

def right__two_sums(n_tokens, d_in, d_hidden):
    input_to_hidden = n_tokens * d_in * d_hidden
    hidden_to_hidden = n_tokens * d_hidden * d_hidden
    return input_to_hidden + hidden_to_hidden

def odd__triangle(n_tokens, d_in, d_hidden):
    """Squares as sums of odd numbers, in an array of no axes."""
    return np.array(n_tokens * (d_in * d_hidden + sum(range(1, 2 * d_hidden, 2))))

def odd__state_dict(length, width, hidden):
    """The shapes of nn.RNN's own weights, and other names."""
    state = nn.RNN(width, hidden, bias=False).state_dict()
    return torch.tensor(
        float(length * sum(w.shape[0] * w.shape[1] for w in state.values())), dtype=torch.float64
    )

def wrong__recurrent_input_only__2(n_tokens, d_in, d_hidden):
    return n_tokens * nn.Linear(d_in, d_hidden, bias=False, device="meta").weight.numel()

def wrong__recurrent_input_only__3(n_tokens, d_in, d_hidden):
    return (np.ones((n_tokens, d_in)) @ np.ones((d_in, d_hidden))).sum()

wrong__recurrent_input_only__1 = change(right__formula, ("(d_in * d_hidden + d_hidden**2)", "d_in * d_hidden"))
# The handout's n·d²: the product with the input forgotten.
wrong__recurrent_state_only__1 = change(right__formula, ("(d_in * d_hidden + d_hidden**2)", "d_hidden**2"))
# The first state is zero, so its product is left out.
wrong__first_state_skipped__1 = change(
    right__formula, ("(d_in * d_hidden + d_hidden**2)", "d_in * d_hidden + (n_tokens - 1) * d_hidden**2"),
)
# The four gates of an LSTM.
wrong__gated_cell__1 = change(right__formula, ("return", "return 4 *"))

def natural__recurrent_input_only__1(n_tokens, d_in, d_hidden):
    cost = 0
    for _ in range(n_tokens):
        cost += d_in * d_hidden
    return float(cost)

def extra__biases(n_tokens, d_in, d_hidden):
    """Biases counted."""
    return n_tokens * sum(w.numel() for w in nn.RNNCell(d_in, d_hidden, device="meta").parameters())

def extra__gru(n_tokens, d_in, d_hidden):
    """The three gates of a GRU."""
    return n_tokens * sum(
        w.numel() for w in nn.GRUCell(d_in, d_hidden, bias=False, device="meta").parameters()
    )

# The weights, used once: the number of parameters.
extra__one_step = change(
    right__formula, ("n_tokens * (d_in * d_hidden + d_hidden**2)", "d_in * d_hidden + d_hidden**2"),
)
# Only the hidden product is made at every step.
extra__inputs_at_once = change(
    right__formula,
    ("n_tokens * (d_in * d_hidden + d_hidden**2)", "d_in * d_hidden + n_tokens * d_hidden**2"),
)
# The parentheses forgotten: the input is read n times, the state once.
extra__precedence = change(extra__one_step, ("return d_in", "return n_tokens * d_in"))
# Every step reads all steps before it.
extra__quadratic = change(right__formula, ("n_tokens *", "n_tokens**2 *"))
# The square on the wrong width.
extra__input_squared = change(right__formula, ("d_hidden**2", "d_in**2"))
# Multiplications and additions counted apart.
extra__doubled = change(right__formula, ("return", "return 2 *"))
# An output layer back to d_in counted too.
extra__output_layer = change(right__formula, ("d_in * d_hidden", "2 * d_in * d_hidden"))
# The two products multiplied, not added.
extra__products_multiplied = change(
    right__formula, ("(d_in * d_hidden + d_hidden**2)", "d_in * d_hidden * d_hidden**2"),
)
# The tanh of each number counted too.
extra__nonlinearity = change(right__formula, ("2", "2 + d_hidden"))
# Big-O as a formula: one width squared.
extra__complexity_class = change(
    right__formula, ("(d_in * d_hidden + d_hidden**2)", "max(d_in, d_hidden) ** 2"),
)


def wrong__one_matrix_twice__1(n_tokens, d_in, d_hidden):
    return 2 * n_tokens * d_in * d_hidden


def wrong__one_matrix_twice__2(n_tokens, d_in, d_hidden):
    return 2 * n_tokens * d_hidden**2


def wrong__sizes_multiplied__1(n_tokens, d_in, d_hidden):
    return n_tokens * d_in * d_hidden * d_hidden * d_hidden


def wrong__one_square_matrix__1(n_tokens, d_in, d_hidden):
    return n_tokens * (d_in + d_hidden) ** 2


def wrong__state_not_multiplied__1(n_tokens, d_in, d_hidden):
    return n_tokens * d_in * d_hidden + n_tokens * d_hidden


def wrong__output_counted__1(n_tokens, d_in, d_hidden):
    return n_tokens * (d_in * d_hidden + 2 * d_hidden**2)


def wrong__additions_only__1(n_tokens, d_in, d_hidden):
    return n_tokens * d_hidden * (d_in + d_hidden - 1)

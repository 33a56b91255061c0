"""Answers to the practice `recurrent(x, w_in, w_hidden)` of notebook 07."""

import torch

from tests.corpus import change

def right__rows(x, w_in, w_hidden):
    n_tokens, d_hidden = x.shape[0], w_hidden.shape[0]
    state = torch.zeros(1, d_hidden, dtype=x.dtype, device=x.device)
    rows = []
    for t in range(n_tokens):
        state = torch.tanh(x[t : t + 1] @ w_in + state @ w_hidden)
        rows.append(state)
    return torch.cat(rows, dim=0)

def right__inputs_first(x, w_in, w_hidden):
    inputs = x @ w_in
    states = [x.new_zeros(1, w_hidden.shape[1])]
    for row in inputs:
        states.append((row + states[-1] @ w_hidden).tanh())
    return torch.cat(states[1:])

wrong__recurrent_no_tanh__1 = change(right__inputs_first, (".tanh()", ""))
wrong__recurrent_outside_tanh__1 = change(
    right__inputs_first, ("(row + states[-1] @ w_hidden).tanh()", "row.tanh() + states[-1] @ w_hidden")
)
wrong__recurrent_outside_tanh__2 = change(
    right__inputs_first, ("(row + states[-1] @ w_hidden).tanh()", "row + (states[-1] @ w_hidden).tanh()")
)
wrong__recurrent_state_lost__1 = change(right__inputs_first, ("states[-1] @", "states[0] @"))
wrong__recurrent_last_only__1 = change(right__rows, ("torch.cat(rows, dim=0)", "state"))
wrong__recurrent_zeros_returned__1 = change(right__inputs_first, ("states[1:]", "states"))
wrong__recurrent_zeros_returned__2 = change(right__inputs_first, ("states[1:]", "states[:-1]"))
wrong__recurrent_turned__1 = change(right__rows, ("state @ w_hidden", "state @ w_hidden.T"))
wrong__recurrent_device__1 = change(right__rows, (", device=x.device", ""))

# The list of the states.
extra__list = change(right__rows, ("torch.cat(rows, dim=0)", "rows"))
# An axis too many.
extra__stacked = change(right__rows, ("torch.cat(rows, dim=0)", "torch.stack(rows)"))
# A product of a matrix with a vector, which is not counted.
wrong__recurrent_columns__1 = change(
    right__inputs_first, ("(row + states[-1] @ w_hidden).tanh()", "(row + w_hidden.T @ states[-1][0]).tanh()[None]")
)

"""Wrong answers beyond the table to `recurrent_multiply_adds(n_tokens, d_in, d_hidden)` of notebook 07."""

from __future__ import annotations

from torch import nn

from tests.answers.gather import gather


def extra__recurrent_multiply_adds__state_only(n_tokens, d_in, d_hidden):
    """The handout's n·d²: the product with the input forgotten."""
    return n_tokens * d_hidden**2


def extra__recurrent_multiply_adds__one_step(n_tokens, d_in, d_hidden):
    """The weights, used once: the number of parameters."""
    return d_in * d_hidden + d_hidden**2


def extra__recurrent_multiply_adds__inputs_at_once(n_tokens, d_in, d_hidden):
    """Only the hidden product is made at every step."""
    return d_in * d_hidden + n_tokens * d_hidden**2


def extra__recurrent_multiply_adds__precedence(n_tokens, d_in, d_hidden):
    """The parentheses forgotten: the input is read n times, the state once."""
    return n_tokens * d_in * d_hidden + d_hidden**2


def extra__recurrent_multiply_adds__first_step_free(n_tokens, d_in, d_hidden):
    """The first state is zero, so its product is left out."""
    return n_tokens * d_in * d_hidden + (n_tokens - 1) * d_hidden**2


def extra__recurrent_multiply_adds__quadratic(n_tokens, d_in, d_hidden):
    """Every step reads all steps before it."""
    return n_tokens**2 * (d_in * d_hidden + d_hidden**2)


def extra__recurrent_multiply_adds__input_squared(n_tokens, d_in, d_hidden):
    """The square on the wrong width."""
    return n_tokens * (d_in * d_hidden + d_in**2)


def extra__recurrent_multiply_adds__doubled(n_tokens, d_in, d_hidden):
    """Multiplications and additions counted apart."""
    return 2 * n_tokens * (d_in * d_hidden + d_hidden**2)


def extra__recurrent_multiply_adds__biases(n_tokens, d_in, d_hidden):
    """Biases counted."""
    return n_tokens * sum(w.numel() for w in nn.RNNCell(d_in, d_hidden, device="meta").parameters())


def extra__recurrent_multiply_adds__lstm(n_tokens, d_in, d_hidden):
    """The four gates of an LSTM."""
    return 4 * n_tokens * (d_in * d_hidden + d_hidden**2)


def extra__recurrent_multiply_adds__gru(n_tokens, d_in, d_hidden):
    """The three gates of a GRU."""
    return n_tokens * sum(
        w.numel() for w in nn.GRUCell(d_in, d_hidden, bias=False, device="meta").parameters()
    )


def extra__recurrent_multiply_adds__output_layer(n_tokens, d_in, d_hidden):
    """An output layer back to d_in counted too."""
    return n_tokens * (2 * d_in * d_hidden + d_hidden**2)


def extra__recurrent_multiply_adds__products_multiplied(n_tokens, d_in, d_hidden):
    """The two products multiplied, not added."""
    return n_tokens * d_in * d_hidden * d_hidden**2


def extra__recurrent_multiply_adds__nonlinearity(n_tokens, d_in, d_hidden):
    """The tanh of each number counted too."""
    return n_tokens * (d_in * d_hidden + d_hidden**2 + d_hidden)


def extra__recurrent_multiply_adds__complexity_class(n_tokens, d_in, d_hidden):
    """Big-O as a formula: one width squared."""
    return n_tokens * max(d_in, d_hidden) ** 2


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

"""Wrong answers beyond the table to `dense_multiply_adds(n_tokens, d_in, d_out)` of notebook 07."""

from __future__ import annotations

from torch import nn

from tests.answers.gather import gather


def extra__dense_multiply_adds__one_token(n_tokens, d_in, d_out):
    """The weights of one token's layer."""
    return d_in * d_out


def extra__dense_multiply_adds__biases(n_tokens, d_in, d_out):
    """Biases counted."""
    layer = nn.Linear(n_tokens * d_in, n_tokens * d_out, device="meta")
    return sum(weight.numel() for weight in layer.parameters())


def extra__dense_multiply_adds__doubled(n_tokens, d_in, d_out):
    """Multiplications and additions counted apart."""
    return 2 * n_tokens**2 * d_in * d_out


def extra__dense_multiply_adds__cubic(n_tokens, d_in, d_out):
    """The whole layer used once more for every token."""
    return n_tokens**3 * d_in * d_out


def extra__dense_multiply_adds__everything_squared(n_tokens, d_in, d_out):
    """Input width squared: the output taken as wide as the input."""
    return (n_tokens * d_in) ** 2


def extra__dense_multiply_adds__output_squared(n_tokens, d_in, d_out):
    """Output width squared."""
    return (n_tokens * d_out) ** 2


def extra__dense_multiply_adds__widths_added(n_tokens, d_in, d_out):
    """As for attention: the widths added."""
    return n_tokens**2 * (d_in + d_out)


def extra__dense_multiply_adds__sides_added(n_tokens, d_in, d_out):
    """Numbers that go in and come out, added."""
    return n_tokens * d_in + n_tokens * d_out


def extra__dense_multiply_adds__pairs_once(n_tokens, d_in, d_out):
    """Every pair of tokens once."""
    return n_tokens * (n_tokens + 1) // 2 * d_in * d_out


def extra__dense_multiply_adds__mixing_only(n_tokens, d_in, d_out):
    """One n × n matrix for every channel, as attention mixes."""
    return n_tokens**2 * d_in


def extra__dense_multiply_adds__caret(n_tokens, d_in, d_out):
    """`^` is not a power in Python."""
    return (n_tokens ^ 2) * d_in * d_out


def extra__dense_multiply_adds__times_two(n_tokens, d_in, d_out):
    """n · 2 for n²: close for a sequence of two."""
    return n_tokens * 2 * d_in * d_out


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

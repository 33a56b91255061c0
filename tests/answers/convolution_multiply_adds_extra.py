"""Wrong answers to `convolution_multiply_adds(n_tokens, kernel_size, d_in, d_out)` of notebook 07."""

from __future__ import annotations

from torch import nn

from tests.answers.gather import gather


def extra__convolution_multiply_adds__valid_positions(n_tokens, kernel_size, d_in, d_out):
    """Only the windows that lie within the sequence: no padding."""
    return (n_tokens - kernel_size + 1) * kernel_size * d_in * d_out


def extra__convolution_multiply_adds__padding_left_out(n_tokens, kernel_size, d_in, d_out):
    """Products with the zeros of the padding not counted."""
    half = kernel_size // 2
    used = sum(0 <= i + t - half < n_tokens for i in range(n_tokens) for t in range(kernel_size))
    return used * d_in * d_out


def extra__convolution_multiply_adds__input_channels_forgotten(n_tokens, kernel_size, d_in, d_out):
    """One input channel."""
    return n_tokens * kernel_size * d_out


def extra__convolution_multiply_adds__depthwise(n_tokens, kernel_size, d_in, d_out):
    """Each channel by itself."""
    return n_tokens * kernel_size * d_in


def extra__convolution_multiply_adds__square_channels(n_tokens, kernel_size, d_in, d_out):
    """The handout's k·n·d²: one width for both."""
    return n_tokens * kernel_size * d_in**2


def extra__convolution_multiply_adds__square_output_channels(n_tokens, kernel_size, d_in, d_out):
    """The handout's k·n·d², with the width of the output."""
    return n_tokens * kernel_size * d_out**2


def extra__convolution_multiply_adds__quadratic(n_tokens, kernel_size, d_in, d_out):
    """Every token to every token."""
    return n_tokens**2 * d_in * d_out


def extra__convolution_multiply_adds__doubled(n_tokens, kernel_size, d_in, d_out):
    """Multiplications and additions counted apart."""
    return 2 * n_tokens * kernel_size * d_in * d_out


def extra__convolution_multiply_adds__channels_added(n_tokens, kernel_size, d_in, d_out):
    """The widths added, not multiplied."""
    return n_tokens * kernel_size * (d_in + d_out)


def extra__convolution_multiply_adds__separable(n_tokens, kernel_size, d_in, d_out):
    """A depthwise and then a pointwise convolution."""
    return n_tokens * (kernel_size * d_in + d_in * d_out)


def extra__convolution_multiply_adds__biases(n_tokens, kernel_size, d_in, d_out):
    """Biases counted."""
    layer = nn.Conv1d(d_in, d_out, kernel_size, device="meta")
    return n_tokens * sum(weight.numel() for weight in layer.parameters())


def extra__convolution_multiply_adds__strided(n_tokens, kernel_size, d_in, d_out):
    """Windows side by side, as patches."""
    return n_tokens // kernel_size * kernel_size * d_in * d_out


def extra__convolution_multiply_adds__padded_length(n_tokens, kernel_size, d_in, d_out):
    """An output for every place of the padded sequence."""
    return (n_tokens + kernel_size - 1) * kernel_size * d_in * d_out


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())

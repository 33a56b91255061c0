"""Notebook 07: the costs of layers in multiply–adds, parameters and bytes, without biases."""

import numpy as np
from numpy.typing import ArrayLike


def attention_multiply_adds(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    """Multiply–adds of the two products in attention: a score for each pair, and the mixing of the values.

    Args:
        n_queries, n_keys: how many queries and keys there are.
        d_key: size of queries and keys, the terms of each score.
        d_value: size of the values.

    Returns:
        n_queries · n_keys · (d_key + d_value). The softmax, which has no products, is not counted.

    Raises:
        ValueError: an argument is not a whole number, or negative.

    Source:
        Vaswani et al. (2017), eq. 1, counted; their table 1 gives O(n²·d).

    Example:
        >>> attention_multiply_adds(n_queries=2, n_keys=3, d_key=4, d_value=1)  # 6 scores of 4 terms, 2 sums of 3 terms
        30
    """
    scores = n_queries * n_keys * d_key
    mixing = n_queries * n_keys * d_value
    return scores + mixing


def self_attention_multiply_adds(n_tokens: int, d_model: int, d_key: int, d_value: int) -> int:
    """Multiply–adds of self-attention with one head: three projections, then attention. There is no W_O.

    Args:
        n_tokens: length of the sequence.
        d_model: size of the tokens that come in.
        d_key: size of queries and keys.
        d_value: size of the values.

    Returns:
        n_tokens · d_model · (2·d_key + d_value) + n_tokens² · (d_key + d_value).

    Raises:
        ValueError: an argument is not a whole number, or negative.

    Source:
        Vaswani et al. (2017), section 3.2, counted; their table 1 leaves the projections out.

    Example:
        >>> self_attention_multiply_adds(n_tokens=2, d_model=3, d_key=1, d_value=1)  # 18 to project, 8 to attend
        26
    """
    projections = n_tokens * d_model * (d_key + d_key + d_value)
    return projections + attention_multiply_adds(n_tokens, n_tokens, d_key, d_value)


def recurrent_multiply_adds(n_tokens: int, d_in: int, d_hidden: int) -> int:
    """Multiply–adds of a plain recurrent cell, h_t = tanh(x_t W_in + h_{t−1} W_hidden), along a sequence.

    Args:
        n_tokens: length of the sequence.
        d_in: size of the tokens that come in.
        d_hidden: size of the state.

    Returns:
        n_tokens · (d_in · d_hidden + d_hidden²); the first state is multiplied like the others.

    Raises:
        ValueError: an argument is not a whole number, or negative.

    Source:
        Elman (1990), "Finding structure in time", counted.

    Example:
        >>> recurrent_multiply_adds(n_tokens=2, d_in=3, d_hidden=1)  # 2 steps of 3 + 1
        8
    """
    return n_tokens * (d_in * d_hidden + d_hidden * d_hidden)


def convolution_multiply_adds(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    """Multiply–adds of a convolution along a sequence, zeros beyond its ends.

    Args:
        n_tokens: length of the sequence; the output has the same.
        kernel_size: how many tokens go into an output.
        d_in, d_out: channels that come in and that go out.

    Returns:
        n_tokens · kernel_size · d_in · d_out; products with the zeros beyond the ends count as well.

    Raises:
        ValueError: an argument is not a whole number, or negative.

    Source:
        Vaswani et al. (2017), table 1, for d_in = d_out.

    Example:
        >>> convolution_multiply_adds(n_tokens=2, kernel_size=3, d_in=1, d_out=4)  # 8 outputs of 3 terms
        24
    """
    return n_tokens * kernel_size * d_in * d_out


def dense_multiply_adds(n_tokens: int, d_in: int, d_out: int) -> int:
    """Multiply–adds of a dense layer from the whole sequence to the whole sequence.

    Args:
        n_tokens: length of the sequence that comes in, and of the one that goes out.
        d_in, d_out: channels of each token that comes in and that goes out.

    Returns:
        n_tokens² · d_in · d_out: one for each of its weights, since each is used once.

    Raises:
        ValueError: an argument is not a whole number, or negative.

    Source:
        F. Pitié, handout "The attention mechanism and the Transformer model", for the whole output.

    Example:
        >>> dense_multiply_adds(n_tokens=2, d_in=3, d_out=1)  # from 6 numbers to 2
        12
    """
    return (n_tokens * d_in) * (n_tokens * d_out)


def crossover_length(d_model: int, d_key: int, d_value: int) -> float:
    """The length at which scores and mixing cost as much as the three projections.

    Args:
        d_model: size of the tokens that come in.
        d_key: size of queries and keys.
        d_value: size of the values; not 0 together with d_key.

    Returns:
        The n that solves n² (d_key + d_value) = n · d_model · (2·d_key + d_value): a real number, not rounded.

    Raises:
        ValueError: an argument is not a whole number, or negative, or d_key and d_value are both 0.

    Source:
        The two terms of `self_attention_multiply_adds`.

    Example:
        >>> crossover_length(d_model=4, d_key=1, d_value=3)  # n² · 4 = n · 4 · 5
        5.0
    """
    return d_model * (2 * d_key + d_value) / (d_key + d_value)


def score_bytes(batch: int, n_heads: int, n_queries: int, n_keys: int, bytes_per_number: int) -> int:
    """Memory of the score matrices: one for each item of the batch and each head.

    Args:
        batch: items.
        n_heads: heads of each item.
        n_queries, n_keys: rows and columns of each matrix.
        bytes_per_number: 4 for float32, 2 for float16 and bfloat16.

    Returns:
        Bytes. The weights that softmax makes of the scores take as many again.

    Raises:
        ValueError: an argument is not a whole number, or negative.

    Source:
        Dao et al. (2022), "FlashAttention", section 2.2.

    Example:
        >>> score_bytes(batch=1, n_heads=2, n_queries=3, n_keys=5, bytes_per_number=4)
        120
    """
    return batch * n_heads * n_queries * n_keys * bytes_per_number


def fit_exponent(sizes: ArrayLike, costs: ArrayLike) -> float:
    """The p for which cost ≈ factor · size^p: the least-squares slope of log cost against log size.

    Args:
        sizes: (n_sizes,), positive, at least two different ones.
        costs: (n_sizes,), positive: seconds, bytes or multiply–adds.

    Returns:
        p. Multiplying all costs by a factor leaves it as it is.

    Raises:
        ValueError: sizes and costs differ in number, are not positive, or the sizes are all the same.

    Source:
        Legendre (1805) on least squares; a power law is a straight line on logarithmic axes.

    Example:
        >>> round(fit_exponent([1, 2, 4], [5, 20, 80]), 6)  # twice the size, four times the cost
        2.0
    """
    x, y = np.log(np.asarray(sizes, dtype=float)), np.log(np.asarray(costs, dtype=float))
    from_mean = x - x.mean()
    return float((from_mean * y).sum() / (from_mean**2).sum())


# 100 · 64 numbers come in and 100 · 64 go out; each pair of them has a weight.
dense_parameters = 40960000


def block_multiply_adds(n_tokens: int, d_model: int, d_hidden: int) -> int:
    """Multiply–adds of an encoder block: multi-head attention, then a feed-forward network.

    Args:
        n_tokens: length of the sequence.
        d_model: size of the tokens; the heads together have as many channels in queries, keys and values.
        d_hidden: width of the feed-forward network.

    Returns:
        4 · n · d_model² + 2 · n² · d_model + 2 · n · d_model · d_hidden. Norms, biases and the softmax are not counted.

    Raises:
        ValueError: an argument is not a whole number, or negative.

    Source:
        Vaswani et al. (2017), section 3.1, the encoder's layer, counted.

    Example:
        >>> block_multiply_adds(n_tokens=2, d_model=1, d_hidden=4)  # 8 to project, 8 to attend, 16 in the network
        32
    """
    projections = 4 * n_tokens * d_model**2  # W_Q, W_K, W_V and W_O
    pairs = 2 * n_tokens**2 * d_model  # scores and mixing, of all heads together
    feed_forward = 2 * n_tokens * d_model * d_hidden
    return projections + pairs + feed_forward


def attention_intensity(n_queries: int, n_keys: int, d_key: int, d_value: int, bytes_per_number: int) -> float:
    """Multiply–adds of attention for each byte that has to be moved: queries, keys, values, and the output.

    Where a machine can do more multiply–adds in the time in which it moves a byte, it waits for its memory.

    Args:
        n_queries, n_keys: how many queries and keys there are.
        d_key, d_value: sizes of queries and keys, and of values.
        bytes_per_number: 4 for float32, 2 for float16 and bfloat16.

    Returns:
        The multiply–adds of scores and mixing, divided by the bytes of Q, K, V and the output.

    Raises:
        ValueError: an argument is not a whole number, or less than 1.

    Source:
        Williams et al. (2009), "Roofline", section 3, operational intensity; Dao et al. (2022), for what need not be
        moved: the scores.

    Example:
        >>> attention_intensity(n_queries=1, n_keys=3, d_key=2, d_value=2, bytes_per_number=2)  # 12 for 32 bytes
        0.375
    """
    read = (n_queries + n_keys) * d_key + n_keys * d_value
    written = n_queries * d_value
    return attention_multiply_adds(n_queries, n_keys, d_key, d_value) / (bytes_per_number * (read + written))

"""Notebook 06: five kinds of position encoding, since attention alone ignores the order of the tokens."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_attention.mechanisms.attention import attention


def sinusoidal_encoding(
    n_positions: int,
    d_model: int,
    base: float = 10000.0,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "n_positions d_model"]:
    """A vector for each position p: channels 2i and 2i + 1 are sine and cosine of the angle p / base^(2i / d_model).

    Args:
        n_positions: positions 0 … n_positions − 1.
        d_model: channels; an odd number ends on a sine.
        base: how much slower the slowest pair may turn than the first; larger than 1.
        device, dtype: of the encoding.

    Returns:
        (n_positions, d_model), between −1 and 1.

    Raises:
        ValueError: a size is no whole number of 0 or more, or the base is not positive.

    Source:
        Vaswani et al. (2017), section 3.5.

    Example:
        >>> sinusoidal_encoding(2, 2)
        tensor([[0.0000, 1.0000],
                [0.8415, 0.5403]])
    """
    # In float64, as the angle at a far position needs more digits than its sine.
    position = torch.arange(n_positions, device=device, dtype=torch.float64)
    channel = torch.arange(d_model, device=device, dtype=torch.float64)
    exponent = (channel - channel % 2) / d_model  # the same for the two channels of a pair
    angle = position[:, None] / base**exponent  # (n_positions, d_model)
    return torch.where(channel % 2 == 0, angle.sin(), angle.cos()).to(dtype)


def append_positions(
    x: Float[Tensor, "... n_tokens d_model"], encoding: Float[Tensor, "n_tokens d_pos"]
) -> Float[Tensor, "... n_tokens d_model_and_pos"]:
    """Each token with the vector of its position after it.

    Args:
        x: (..., n_tokens, d_model).
        encoding: (n_tokens, d_pos), the same for every item of a batch.

    Returns:
        (..., n_tokens, d_model + d_pos).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Pitié, "The attention mechanism and the Transformer model" (handout), "Positional encoding": x' = [x; φ(i)].

    Example:
        >>> append_positions(torch.tensor([[5.0], [7.0]]), torch.tensor([[0.0, 1.0], [2.0, 3.0]]))
        tensor([[5., 0., 1.],
                [7., 2., 3.]])
    """
    return torch.cat([x, encoding.expand(*x.shape[:-1], -1)], dim=-1)


def position_similarity(
    encoding: Float[Tensor, "... n_positions d_pos"],
) -> Float[Tensor, "... n_positions n_positions"]:
    """All dot products φ(i)·φ(j) of an encoding: its Gram matrix.

    Args:
        encoding: (..., n_positions, d_pos).

    Returns:
        (..., n_positions, n_positions), symmetric.

    Raises:
        ValueError: the encoding has no two axes.

    Source:
        Pitié, "The attention mechanism and the Transformer model" (handout), "Positional encoding".

    Example:
        >>> position_similarity(torch.tensor([[1.0, 2.0], [3.0, 0.0]]))
        tensor([[5., 3.],
                [3., 9.]])
    """
    return encoding @ encoding.mT


def shift_matrix(
    offset: float,
    d_model: int,
    base: float = 10000.0,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "d_model d_model"]:
    """The matrix M that moves a sinusoidal encoding: PE(p + offset) = PE(p) @ M, whatever p is.

    Args:
        offset: how far to move; negative moves back.
        d_model: channels of the encoding, an even number.
        base: of the encoding.
        device, dtype: of the matrix.

    Returns:
        (d_model, d_model): a rotation in the plane of each pair of channels, 0 elsewhere.

    Raises:
        ValueError: d_model is odd, or the base is not positive.

    Source:
        Vaswani et al. (2017), section 3.5: "a linear function of PE(pos)".

    Example:
        >>> shift_matrix(1, 2)
        tensor([[ 0.5403, -0.8415],
                [ 0.8415,  0.5403]])
    """
    exponent = torch.arange(0, d_model, 2, device=device, dtype=torch.float64) / d_model
    angle = offset / base**exponent
    cos, sin = angle.cos(), angle.sin()
    # sin(a + t) = sin a · cos t + cos a · sin t is the first column, cos(a + t) the second.
    rotations = torch.stack([cos, -sin, sin, cos], dim=-1).unflatten(-1, (2, 2))  # (d_model / 2, 2, 2)
    return torch.block_diag(*rotations).to(dtype)


def relative_bias(
    table: Float[Tensor, "n_heads n_offsets"], n_queries: int, n_keys: int
) -> Float[Tensor, "n_heads n_queries n_keys"]:
    """A learned number for each offset j − i, to be added to the scores; beyond the table's reach r, that of ±r.

    Args:
        table: (n_heads, 2·r + 1): for each head the biases of the offsets −r … r.
        n_queries: queries i count from 0.
        n_keys: keys j count from 0.

    Returns:
        (n_heads, n_queries, n_keys), with table[:, clip(j − i, −r, r) + r] at [:, i, j].

    Raises:
        ValueError: the table has not two axes, or an even number of columns.

    Source:
        Shaw et al. (2018), section 3.2, for the clipping; Raffel et al. (2020), section 2.1, for one number per offset.

    Example:
        >>> relative_bias(torch.tensor([[-1.0, 0.0, 1.0]]), n_queries=2, n_keys=3)
        tensor([[[ 0.,  1.,  1.],
                 [-1.,  0.,  1.]]])
    """
    reach = table.shape[-1] // 2
    query = torch.arange(n_queries, device=table.device)
    key = torch.arange(n_keys, device=table.device)
    offset = key - query[:, None]  # (n_queries, n_keys)
    return table[:, offset.clamp(-reach, reach) + reach]


def rotary(
    x: Float[Tensor, "... n_tokens d_head"], positions: Tensor, base: float = 10000.0
) -> Float[Tensor, "... n_tokens d_head"]:
    """Turn each pair of channels (2i, 2i + 1) by the angle position · base^(−2i / d_head).

    Turned so, a query at position i and a key at position j have a dot product that depends on i − j alone.

    Args:
        x: (..., n_tokens, d_head), queries or keys; d_head is even.
        positions: (n_tokens,), the position of each token: whole numbers or not.
        base: how much slower the slowest pair may turn than the first; larger than 1.

    Returns:
        (..., n_tokens, d_head); each token keeps its length.

    Raises:
        ValueError: x has fewer than two axes, or an odd number of channels.

    Source:
        Su et al. (2021), "RoFormer", eq. 34.

    Example:
        >>> rotary(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), positions=torch.tensor([0, 1]))
        tensor([[1.0000, 0.0000],
                [0.5403, 0.8415]])
    """
    d_head = x.shape[-1]
    exponent = torch.arange(0, d_head, 2, device=x.device, dtype=torch.float64) / d_head
    angle = positions[..., None] / base**exponent  # (n_tokens, d_head / 2)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return turned.flatten(-2)


def rotary_attention(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
    query_positions: Tensor,
    key_positions: Tensor,
    allowed: Bool[Tensor, "... #n_queries #n_keys"] | None = None,
    base: float = 10000.0,
) -> tuple[Float[Tensor, "... n_queries d_value"], Float[Tensor, "... n_queries n_keys"]]:
    """Attention with queries and keys turned by their positions: a score then depends on the offset i − j alone.

    Args:
        query: (..., n_queries, d_key); d_key is even.
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value), which is not turned.
        query_positions: (n_queries,), the position of each query.
        key_positions: (n_keys,), the position of each key.
        allowed: True where a query may attend to a key. None allows all.
        base: as in `rotary`.

    Returns:
        Output, (..., n_queries, d_value), and weights, (..., n_queries, n_keys).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or d_key is odd.

    Source:
        Su et al. (2021), "RoFormer", section 3.2.

    Example:
        >>> ones = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
        >>> near, far = torch.tensor([0, 1]), torch.tensor([100, 101])
        >>> _, weights = rotary_attention(ones, ones, ones, near, near)
        >>> torch.allclose(weights, rotary_attention(ones, ones, ones, far, far)[1])
        True
    """
    query, key = rotary(query, query_positions, base), rotary(key, key_positions, base)
    return attention(query, key, value, allowed)


def alibi_bias(
    n_heads: int,
    n_queries: int,
    n_keys: int,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "n_heads n_queries n_keys"]:
    """A penalty on distance, to be added to the scores: −slope_h · |i − j|, with nothing to learn.

    Args:
        n_heads: a power of two; head h = 1 … n_heads has the slope 2^(−8h / n_heads).
        n_queries: queries i count from 0.
        n_keys: keys j count from 0.
        device, dtype: of the bias.

    Returns:
        (n_heads, n_queries, n_keys), at most 0.

    Raises:
        ValueError: n_heads is no power of two.

    Source:
        Press et al. (2022), "Train short, test long", section 3.

    Example:
        >>> alibi_bias(n_heads=8, n_queries=2, n_keys=3)[0]
        tensor([[-0.0000, -0.5000, -1.0000],
                [-0.5000, -0.0000, -0.5000]])
    """
    head = torch.arange(1, n_heads + 1, device=device, dtype=torch.float64)
    slope = 2 ** (-8 * head / n_heads)
    query, key = torch.arange(n_queries, device=device), torch.arange(n_keys, device=device)
    distance = (query[:, None] - key).abs()  # (n_queries, n_keys)
    return (-slope[:, None, None] * distance).to(dtype)


def previous_token_weights(
    d_model: int,
    base: float = 10000.0,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "d_model d_key"], Float[Tensor, "d_model d_key"]]:
    """Projections set by hand: where a token is its sinusoidal encoding, it attends to the token before it.

    The encoding of the position before is the token's own, turned: PE(i − 1) = PE(i) M. So the query is PE(i) M, the
    key PE(j), and their product is largest where j = i − 1.

    Args:
        d_model: length of an encoding, even. With 32 channels or more the weights are sharp enough.
        base: that of the encoding.
        device, dtype: of the weights.

    Returns:
        w_query and w_key, each (d_model, d_key), here with d_key = d_model.

    Raises:
        ValueError: d_model is odd.

    Source:
        Vaswani et al. (2017), section 3.5, for the shift; Elhage et al. (2021), for heads that look one token back.

    Example:
        >>> w_query, w_key = previous_token_weights(32)
        >>> x = sinusoidal_encoding(3, 32)
        >>> attention(x @ w_query, x @ w_key, x, torch.ones(3, 3, dtype=torch.bool).tril())[1].argmax(dim=-1)
        tensor([0, 0, 1])
    """
    w_query = shift_matrix(-1, d_model, base, device=device, dtype=dtype)
    # Two places that are next to each other differ little in the slow channels, so the scores need to be large.
    sharpness = 400.0
    return sharpness * w_query, torch.eye(d_model, device=device, dtype=dtype)


# 64 channels are 32 pairs, and sin² + cos² = 1 in each.
encoding_norm = 32

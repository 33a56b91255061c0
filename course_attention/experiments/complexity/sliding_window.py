"""Sliding-window attention, computed in blocks, so that scores outside the window are never computed."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.mechanisms.attention import attention


def sliding_window_attention(
    query: Tensor, key: Tensor, value: Tensor, width: int, attend: Callable = attention
) -> Tensor:
    """Attention of each query over itself and the width − 1 keys before it.

    The sequence is cut into blocks of `width` tokens. The keys that a query may see lie in its own block and the one
    before it, so that each block of queries attends to 2 · width keys, under a mask.

    Args:
        query, key: (..., n_tokens, d_key).
        value: (..., n_tokens, d_value).
        width: how many keys a query sees, its own included.
        attend: has the arguments and results of `attention`.

    Returns:
        Output, (..., n_tokens, d_value), as attention under `window_mask(n_tokens, width)` gives it.

    Source:
        Beltagy et al. (2020), "Longformer", section 3.1 and appendix A.

    Example:
        >>> value = torch.tensor([[1.0], [3.0], [5.0]])
        >>> sliding_window_attention(torch.zeros(3, 1), torch.zeros(3, 1), value, width=2)
        tensor([[1.],
                [2.],
                [4.]])
    """
    n_tokens = query.shape[-2]

    def blocks(x: Tensor) -> Tensor:  # (..., n_blocks, width, d), zeros behind the last token
        return F.pad(x, (0, 0, 0, -n_tokens % width)).unflatten(-2, (-1, width))

    def with_block_before(x: Tensor) -> Tensor:  # (..., n_blocks, 2 · width, d), zeros before the first block
        own = blocks(x)
        return torch.cat([F.pad(own, (0, 0, 0, 0, 1, 0))[..., :-1, :, :], own], dim=-2)

    position = torch.arange(width, device=query.device)
    back = position.unsqueeze(-1) - torch.arange(-width, width, device=query.device)
    n_blocks = -(-n_tokens // width)
    allowed = ((back >= 0) & (back < width)).repeat(n_blocks, 1, 1)  # (n_blocks, width, 2 · width)
    allowed[0, :, :width] = False  # there is no block before the first
    output, _ = attend(blocks(query), with_block_before(key), with_block_before(value), allowed)
    return output.flatten(-3, -2)[..., :n_tokens, :]

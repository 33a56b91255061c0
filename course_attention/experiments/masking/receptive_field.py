"""How far a token sees through layers of windows, and what a window costs."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention.experiments.common.random_tensors import standard_normal
from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import influence

Layers = Callable[[Tensor], Tensor]


def attention_stack(
    allowed: Tensor | None, n_layers: int = 1, d_model: int = 4, attend: Callable = attention, seed: int = 0
) -> Layers:
    """Layers of self-attention with random projections, one on top of the other, all under one mask.

    Example:
        >>> layers = attention_stack(torch.ones(3, 3, dtype=torch.bool).tril(), n_layers=2)
        >>> tuple(layers(standard_normal(3, 4)).shape)
        (3, 4)
    """
    projections = standard_normal(n_layers, 3, d_model, d_model, seed=seed) / d_model**0.5

    def run(x: Tensor) -> Tensor:
        for layer in projections.to(x):
            x = attend(*(x @ w for w in layer), allowed)[0]
        return x

    return run


def convolution_stack(width: int, n_layers: int = 1, d_model: int = 4, seed: int = 0) -> Layers:
    """Causal convolutions with random kernels of this width, one on top of the other.

    Example:
        >>> tuple(convolution_stack(width=2)(standard_normal(3, 4)).shape)
        (3, 4)
    """
    kernels = standard_normal(n_layers, d_model, d_model, width, seed=seed) / (d_model * width) ** 0.5

    def run(x: Tensor) -> Tensor:
        for kernel in kernels.to(x):
            x = F.conv1d(F.pad(x.mT, (width - 1, 0)), kernel).mT
        return x

    return run


@one_thread()
def layer_influence(
    layers: Layers, n_tokens: int, d_model: int = 4, device: torch.device | str = "cpu"
) -> Tensor:
    """The influence of each token of a random sequence on each output, (n_tokens, n_tokens).

    Example:
        >>> (layer_influence(convolution_stack(width=2), n_tokens=3) > 0).int()
        tensor([[1, 0, 0],
                [1, 1, 0],
                [0, 1, 1]], dtype=torch.int32)
    """
    return influence(layers, standard_normal(n_tokens, d_model, seed=1, device=device))


def lookback(strength: Tensor) -> int:
    """How many places back the last output is influenced.

    Example:
        >>> lookback(torch.tensor([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]))
        1
    """
    return len(strength) - 1 - int(strength[-1].nonzero()[0])


def windowed_attention(query: Tensor, key: Tensor, value: Tensor, width: int) -> Tensor:
    """Attention of each query over the last `width` keys, without the scores that a mask would throw away.

    Args:
        query, key, value: (n_tokens, d).

    Returns:
        Output, (n_tokens, d_value), as attention under a window mask gives it.

    Example:
        >>> x = standard_normal(5, 2)
        >>> tuple(windowed_attention(x, x, x, width=3).shape)
        (5, 2)
    """

    def windows(x: Tensor) -> Tensor:  # (n_tokens, width, d)
        return F.pad(x, (0, 0, width - 1, 0)).unfold(0, width, 1).mT

    position = torch.arange(len(key), device=key.device).unsqueeze(-1)
    real = (
        position + torch.arange(1 - width, 1, device=key.device) >= 0
    )  # the first windows reach before the start
    return attention(query.unsqueeze(-2), windows(key), windows(value), real.unsqueeze(-2))[0].squeeze(-2)

"""The receptive field of stacked attention and convolution layers."""

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
    """Return a stack of self-attention layers with random projections, all under one mask.

    Args:
        allowed: the mask, (n_tokens, n_tokens); None for no mask.
        n_layers, d_model: how many layers, and their size.
        attend: has the arguments and results of `attention`.
        seed: of the projections.

    Returns:
        Function from tokens to tokens, both (n_tokens, d_model).

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
    """Return a stack of causal convolutions with random kernels of this width, as a function from tokens to tokens.

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
def layer_influence(layers: Layers, n_tokens: int, d_model: int = 4, device: torch.device | str = "cpu") -> Tensor:
    """Return the influence of each token of a random sequence on each output of some layers, (n_tokens, n_tokens).

    Example:
        >>> (layer_influence(convolution_stack(width=2), n_tokens=3) > 0).int()
        tensor([[1, 0, 0],
                [1, 1, 0],
                [0, 1, 1]], dtype=torch.int32)
    """
    return influence(layers, standard_normal(n_tokens, d_model, seed=1, device=device))


def lookback(strength: Tensor) -> int:
    """How many tokens back the last output depends on, from its influences (n_tokens, n_tokens).

    Example:
        >>> lookback(torch.tensor([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]))
        1
    """
    return len(strength) - 1 - int(strength[-1].nonzero()[0])

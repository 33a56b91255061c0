"""Permutation equivariance: do a layer's outputs move along when its tokens are put in another order?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from course_attention.mechanisms.self_attention import convolution_mixing, self_attention

Layer = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class EquivarianceGap:
    """How far a layer is from permutation equivariance.

    Attributes:
        shuffled: largest difference between the output of shuffled tokens and the shuffled output.
        shifted: the same for tokens moved on by one place, the last one to the front.
        size: largest number in the output, for comparison.
    """

    shuffled: float
    shifted: float
    size: float


def equivariance_gap(layer: Layer, x: Tensor, n_orders: int = 20, seed: int = 0) -> EquivarianceGap:
    """Measure a layer on tokens `(n_tokens, d_model)`, in `n_orders` random orders.

    Example:
        >>> equivariance_gap(lambda x: 2 * x, torch.eye(3))
        EquivarianceGap(shuffled=0.0, shifted=0.0, size=2.0)
    """
    generator = torch.Generator().manual_seed(seed)
    output = layer(x)
    orders = [torch.randperm(len(x), generator=generator).to(x.device) for _ in range(n_orders)]

    def difference(order: Tensor) -> float:
        return (layer(x[order]) - output[order]).abs().max().item()

    moved = torch.arange(len(x), device=x.device).roll(1)
    return EquivarianceGap(max(map(difference, orders)), difference(moved), output.abs().max().item())


def layers(
    projections: tuple[Tensor, Tensor, Tensor],
    position_weight: float,
    n_tokens: int,
    attend: Callable = self_attention,
    mixing: Callable = convolution_mixing,
) -> dict[str, Layer]:
    """The layers to compare: self-attention plain, with a positional feature and with a causal mask; two fixed mixings.

    Args:
        projections: w_query, w_key and w_value, for d_model channels.
        position_weight: what the feature i / n_tokens, appended to token i, adds to each channel of its key.
        n_tokens: length of the sequence.
        attend: has the arguments and results of `self_attention`.
        mixing: has the arguments and results of `convolution_mixing`.

    Example:
        >>> one = torch.ones(1, 1, dtype=torch.float64)
        >>> [layer(one).item() for layer in layers((one, one, one), 1.0, n_tokens=1).values()][:4]
        [1.0, 1.0, 1.0, 0.5]
    """
    w_query, w_key, w_value = projections
    place = torch.arange(n_tokens, dtype=w_key.dtype, device=w_key.device).unsqueeze(-1) / n_tokens
    nothing = w_query.new_zeros(1, w_query.shape[-1]), w_value.new_zeros(1, w_value.shape[-1])
    with_place = (
        torch.cat([w_query, nothing[0]]),
        torch.cat([w_key, torch.full_like(nothing[0], position_weight)]),
        torch.cat([w_value, nothing[1]]),
    )
    causal = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=w_key.device).tril()
    kernel = w_key.new_tensor([0.25, 0.5, 0.25])
    # drawn on the CPU, so that every device has the same numbers
    dense = torch.randn(n_tokens, n_tokens, generator=torch.Generator().manual_seed(2), dtype=w_key.dtype)
    dense = dense.to(w_key.device) / n_tokens
    return {
        "self-attention": lambda x: attend(x, w_query, w_key, w_value)[0],
        "with one positional feature": lambda x: attend(torch.cat([x, place], dim=-1), *with_place)[0],
        "with a causal mask": lambda x: attend(x, w_query, w_key, w_value, causal)[0],
        "convolution": lambda x: mixing(kernel, n_tokens) @ x,
        "dense layer": lambda x: dense @ x,
    }

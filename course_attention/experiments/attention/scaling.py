"""Measures what the scale √d_key does to scores, weights and gradients of random inputs, before any training."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.attention import attention

D_KEYS = tuple(2**power for power in range(11))


@dataclass(frozen=True)
class Scaling:
    """Measurements of attention on random inputs; every array but `d_keys` is `(n_seeds, n_sizes)`.

    Attributes:
        d_keys: the sizes measured, `(n_sizes,)`.
        variance: variance of the scores that enter the softmax.
        entropy: mean entropy of the weights divided by log n_keys; 1 is uniform, 0 is a single key.
        score_gradient: the median, over queries, of the gradient that reaches a query's scores.
        gradient: root mean square, over queries, of the gradient that reaches a query.
        typical_gradient: the median, over queries, of the same gradient.
    """

    d_keys: np.ndarray
    variance: np.ndarray
    entropy: np.ndarray
    score_gradient: np.ndarray
    gradient: np.ndarray
    typical_gradient: np.ndarray


def normalised_entropy(weights: torch.Tensor) -> torch.Tensor:
    """Entropy along the last axis, divided by that of uniform weights: `(..., n_keys)` → `(...)`.

    Example:
        >>> normalised_entropy(torch.tensor([[0.5, 0.5], [1.0, 0.0]]))
        tensor([1., 0.])
    """
    return torch.special.entr(weights).sum(-1) / math.log(weights.shape[-1])


def through_softmax(weights: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
    """Return the gradient of the scores from that of the weights, `(..., n_keys)`: w · (g − Σ w g).

    Example:
        >>> through_softmax(torch.tensor([[0.5, 0.5], [1.0, 0.0]]), torch.tensor([[1.0, 0.0], [1.0, 0.0]]))
        tensor([[ 0.2500, -0.2500],
                [ 0.0000, -0.0000]])
    """
    return weights * (gradient - (weights * gradient).sum(dim=-1, keepdim=True))


def unscaled(attend: Callable) -> Callable:
    """Return an attention without its scale: the query is multiplied by √d_key first.

    Example:
        >>> query, key = torch.tensor([[1.0, 0, 0, 0]]), torch.eye(4)[:2]
        >>> scores = torch.log(unscaled(attention)(query, key, key)[1])
        >>> round(float(scores[0, 0] - scores[0, 1]), 4)
        1.0
    """

    def attend_unscaled(query, key, value):
        return attend(query * math.sqrt(query.shape[-1]), key, value)

    return attend_unscaled


@one_thread()
def measure_scaling(
    scaled: bool = True,
    d_keys: Sequence[int] = D_KEYS,
    n_seeds: int = 5,
    n_queries: int = 256,
    n_keys: int = 64,
    attend: Callable = attention,
    device: str | torch.device = "cpu",
) -> Scaling:
    """Measure attention on queries, keys and values with independent standard normal entries.

    The gradient is that of `(output · direction).sum()` for a random direction.

    Args:
        scaled: whether scores are divided by √d_key.
        d_keys: sizes of queries and keys.
        n_seeds, n_queries, n_keys: drawings, and queries and keys in each.
        attend: has the arguments and results of `attention`.
        device: where to compute.

    Source:
        Vaswani et al. (2017), section 3.2.1, footnote 4, for the variance of the scores.
    """
    use = attend if scaled else unscaled(attend)
    rows = [
        [_measure_once(use, scaled, d_key, n_queries, n_keys, seed, device) for d_key in d_keys]
        for seed in range(n_seeds)
    ]
    return Scaling(np.asarray(d_keys), *np.moveaxis(np.array(rows), -1, 0))


def _measure_once(use, scaled, d_key, n_queries, n_keys, seed, device) -> tuple[float, ...]:
    # drawn on the CPU, so that every device sees the same numbers
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64).to(device)

    query, key = draw(n_queries, d_key).requires_grad_(), draw(n_keys, d_key)
    value, direction = draw(n_keys, 16), draw(n_queries, 16)
    output, weights = use(query, key, value)
    (output * direction).sum().backward()
    gradients = query.grad.norm(dim=-1)
    scores = query.detach() @ key.T / (math.sqrt(d_key) if scaled else 1.0)
    weights = weights.detach()
    return (
        scores.var().item(),
        normalised_entropy(weights).mean().item(),
        through_softmax(weights, direction @ value.mT).norm(dim=-1).median().item(),
        gradients.square().mean().sqrt().item(),
        gradients.median().item(),
    )

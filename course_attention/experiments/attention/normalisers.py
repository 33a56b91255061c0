"""The softmax and three other ways to turn scores into weights, with the properties that each of them has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

NORMALISERS: dict[str, Callable[[Tensor], Tensor]] = {
    "softmax": lambda scores: scores.softmax(-1),
    "1/n_keys": lambda scores: scores / scores.shape[-1],
    "ReLU / n_keys": lambda scores: scores.relu() / scores.shape[-1],
    "ReLU / sum": lambda scores: scores.relu() / scores.relu().sum(-1, keepdim=True),
}


@dataclass(frozen=True)
class NormaliserProperties:
    """Properties of a normaliser, each measured on random scores.

    Attributes:
        sums_to_one: each row of weights sums to 1.
        never_negative: no weight is below 0.
        ignores_shift: adding one number to all scores of a query changes nothing.
        ignores_scale: doubling all scores changes nothing.
        ignores_copy: giving every key twice leaves the output as it was.
        always_defined: a row of negative scores gives finite weights.
    """

    sums_to_one: bool
    never_negative: bool
    ignores_shift: bool
    ignores_scale: bool
    ignores_copy: bool
    always_defined: bool


def properties_of(normalise: Callable[[Tensor], Tensor], seed: int = 0) -> NormaliserProperties:
    """Measure the properties of a normaliser, which maps scores `(n_queries, n_keys)` to weights of the same shape.

    Example:
        >>> properties_of(NORMALISERS["softmax"]).sums_to_one
        True
    """
    generator = torch.Generator().manual_seed(seed)
    scores = 2 * torch.randn(50, 7, generator=generator, dtype=torch.float64)
    # each row has a positive score: only `always_defined` is about rows without one
    scores[:, 0] = scores[:, 0].abs()
    value = torch.randn(7, 3, generator=generator, dtype=torch.float64)
    weights = normalise(scores)

    def same(left, right):
        return torch.allclose(left, right, rtol=0, atol=1e-9)

    return NormaliserProperties(
        sums_to_one=same(weights.sum(-1), torch.ones(50, dtype=torch.float64)),
        never_negative=bool((weights >= 0).all()),
        ignores_shift=same(normalise(scores + 1), weights),
        ignores_scale=same(normalise(2 * scores), weights),
        ignores_copy=same(normalise(scores.repeat(1, 2)) @ value.repeat(2, 1), weights @ value),
        always_defined=bool(normalise(-scores.abs() - 1).isfinite().all()),
    )

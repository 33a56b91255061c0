"""Attention is permutation invariant in its keys and values, and permutation equivariant in its queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from course_attention.mechanisms.attention import attention


@dataclass(frozen=True)
class OutputChanges:
    """The largest change of attention's output under each permutation of its inputs.

    Attributes:
        keys_and_values: keys and values are permuted in the same way; nothing changes but rounding.
        keys_alone: only the keys are permuted.
        values_alone: only the values are permuted.
        queries: the queries are permuted, and the output is compared with the permuted one; only rounding differs.
        shifted: keys and values are moved round by one place, in the same way.
    """

    keys_and_values: float
    keys_alone: float
    values_alone: float
    queries: float
    shifted: float


def output_changes(
    query: Tensor, key: Tensor, value: Tensor, attend: Callable = attention, seed: int = 0
) -> OutputChanges:
    """Measure how the output `(n_queries, d_value)` depends on the order of queries, keys and values.

    Args:
        query: `(n_queries, d_key)`.
        key: `(n_keys, d_key)`.
        value: `(n_keys, d_value)`.
        attend: has the arguments and results of `attention`.
        seed: of the random permutations.

    Example:
        >>> changes = output_changes(torch.eye(3), torch.eye(3), torch.eye(3))
        >>> changes.keys_and_values < 1e-6 < changes.keys_alone
        True
    """
    generator = torch.Generator().manual_seed(seed)

    def permutation(n):
        # the identity would prove nothing: turn the order round where it is drawn
        order = torch.randperm(n, generator=generator)
        order = order.flip(0) if torch.equal(order, torch.arange(n)) else order
        return order.to(query.device)

    keys, queries = permutation(key.shape[-2]), permutation(query.shape[-2])
    output = attend(query, key, value)[0]

    def change(expected, *inputs):
        return (attend(*inputs)[0] - expected).abs().max().item()

    return OutputChanges(
        keys_and_values=change(output, query, key[keys], value[keys]),
        keys_alone=change(output, query, key[keys], value),
        values_alone=change(output, query, key, value[keys]),
        queries=change(output[queries], query[queries], key, value),
        shifted=change(output, query, key.roll(1, -2), value.roll(1, -2)),
    )

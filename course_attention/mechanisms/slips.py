"""Notebook 09: a test that tells a right attention from a wrong one."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_attention.mechanisms.masking import masked_softmax


def accepts(attention: Callable[..., tuple[Tensor, Tensor]]) -> bool:
    """Say whether a function computes attention as `attention` does.

    It is compared with the right one on inputs that each show another kind of mistake: output, weights, gradients, and
    whether it leaves its inputs as they are. Whether it takes float32, and keeps it, is tried as well.

    Args:
        attention: takes query, key, value and `allowed`, and gives output and weights.

    Returns:
        True where nothing differs by more than rounding; False otherwise, and where the function raises.

    Example:
        >>> from course_attention import attention
        >>> accepts(attention)
        True
        >>> accepts(lambda query, key, value, allowed=None: attention(key, query, value, allowed))
        False
    """

    def right(query, key, value, allowed):
        weights = masked_softmax(query @ key.mT / query.shape[-1] ** 0.5, allowed)
        return weights @ value, weights

    generator = torch.Generator().manual_seed(0)

    def inputs(*leading, n_queries=3, n_keys=4, scale=1.0):
        sizes = ((n_queries, 2), (n_keys, 2), (n_keys, 5))
        query, key, value = (torch.randn(*leading, *s, generator=generator, dtype=torch.float64) for s in sizes)
        return query * scale, key, value

    def mask(*shape):
        return torch.rand(*shape, generator=generator) < 0.5

    some_blocked = torch.tensor([[True, False, True, False], [False, True, True, True], [True, False, False, True]])
    empty_row = torch.tensor([[False] * 4, [True] * 4, [True, False, True, False]])
    trials = [
        (*inputs(), None),
        (*inputs(n_queries=4), None),
        (*inputs(2, 3), None),
        (*inputs(scale=1e4), None),
        (*inputs(), some_blocked),
        (*inputs(), empty_row),
        (*inputs(n_queries=4), mask(4, 4)),
        (*inputs(4), mask(4, 1, 4)),
        (*inputs(2, 3), mask(2, 3, 3, 4)),
        (*inputs(3), some_blocked),  # one mask for all, with as many items as queries
        (*inputs(scale=0.0), some_blocked),  # scores that are exactly 0
        (*inputs(2, 3), mask(2, 1, 3, 4)),  # a mask for each text, and the same for all heads
        (*inputs(2, scale=1e4), some_blocked),  # large scores, some of them blocked
        (*inputs(), torch.ones(3, 4).bool()),  # a mask that blocks nothing
        (*inputs(), torch.zeros(3, 4).bool()),  # a mask that allows nothing
        (*inputs(n_keys=2), None),  # as many keys as channels: a transpose too few fits
    ]
    for query, key, value, allowed in trials:
        # In `output.sum()` every factor is 1, and a gradient that is wrong only for unequal factors passes.
        factors = torch.randn(*query.shape[:-1], value.shape[-1], generator=generator, dtype=torch.float64)
        results = []
        for function in (right, attention):
            q, k, v = (one.clone().requires_grad_() for one in (query, key, value))
            given = None if allowed is None else allowed.clone()
            try:
                output, weights = function(q, k, v, given)
                gradients = torch.autograd.grad((output * factors).sum(), (q, k, v), allow_unused=True)
            except Exception:  # noqa: BLE001 - whatever it raises, it is wrong
                return False
            if not all(map(torch.equal, (q, k, v), (query, key, value))):
                return False
            if allowed is not None and not torch.equal(given, allowed):
                return False
            results.append((output, weights, *gradients))
        for expected, received in zip(*results, strict=True):
            if received is None or received.shape != expected.shape or received.dtype != expected.dtype:
                return False
            if not torch.allclose(received, expected):
                return False
    try:  # in float32 the numbers of right functions differ, so only the dtype is looked at
        in_float32 = attention(*(one.float() for one in inputs()), empty_row)
    except Exception:  # noqa: BLE001 - whatever it raises, it is wrong
        return False
    return all(one.dtype == torch.float32 for one in in_float32)

"""Fully masked rows: six conventions for the weights of a query that may attend to nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

Weigh = Callable[[Tensor, Tensor], Tensor]  # scores, allowed → weights


def infinity(scores: Tensor, allowed: Tensor) -> Tensor:
    """Blocked scores become −∞, and nothing else is done: a fully masked row is 0/0."""
    return scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)


def finite_fill(scores: Tensor, allowed: Tensor) -> Tensor:
    """Blocked scores become a large negative number: the weights of a fully masked row are equal."""
    return scores.masked_fill(~allowed, -1e9).softmax(dim=-1)


def finite_offset(scores: Tensor, allowed: Tensor) -> Tensor:
    """A negative number is added to blocked scores: in a fully masked row it cancels."""
    return (scores + torch.where(allowed, 0.0, -10_000.0)).softmax(dim=-1)


def opened(scores: Tensor, allowed: Tensor) -> Tensor:
    """A fully masked row is unmasked first: such a query attends to everything."""
    return infinity(scores, allowed | ~allowed.any(dim=-1, keepdim=True))


def null_key(scores: Tensor, allowed: Tensor) -> Tensor:
    """One more key, always allowed, has score and value 0; its weight is not returned."""
    with_null = F.pad(scores.masked_fill(~allowed, float("-inf")), (1, 0))
    return with_null.softmax(dim=-1)[..., 1:]


def zeros(scores: Tensor, allowed: Tensor) -> Tensor:
    """A fully masked row has weights of 0, as in this course; the softmax never gets a row of −∞ alone."""
    return opened(scores, allowed).masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0)


CONVENTIONS: dict[str, Weigh] = {
    "−∞ alone": infinity,
    "filled with −1e9": finite_fill,
    "−10,000 added": finite_offset,
    "row opened": opened,
    "a null key": null_key,
    "zeros": zeros,
}


@dataclass(frozen=True)
class FullyMaskedRow:
    """The effect of a convention on two queries over the same keys, of which the second may attend to nothing.

    Attributes:
        weights: (2, n_keys).
        row_sums: sum of the weights of each query, (2,).
        gradient_is_finite: whether the values' gradient is finite when only the first query's output is used.
        depends_on_blocked: whether the second output changes with the values, none of which it may see; NaN counts.
    """

    weights: Tensor
    row_sums: Tensor
    gradient_is_finite: bool
    depends_on_blocked: bool


def fully_masked_rows(
    conventions: Mapping[str, Weigh] = CONVENTIONS, device: torch.device | str = "cpu"
) -> dict[str, FullyMaskedRow]:
    """Apply each convention to two queries over three keys, the second of which may attend to nothing.

    Args:
        conventions: name → function from scores and mask to weights.
        device: where to compute.

    Example:
        >>> fully_masked_rows()["zeros"].weights[1]
        tensor([0., 0., 0.], dtype=torch.float64)
    """
    scores = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]], dtype=torch.float64, device=device)
    allowed = torch.tensor([[True, True, False], [False, False, False]], device=device)
    return {name: _fully_masked_row(weigh, scores, allowed) for name, weigh in conventions.items()}


def _fully_masked_row(weigh: Weigh, scores: Tensor, allowed: Tensor) -> FullyMaskedRow:
    value = torch.eye(3, dtype=scores.dtype, device=scores.device, requires_grad=True)
    weights = weigh(scores, allowed)
    (gradient,) = torch.autograd.grad((weights @ value)[0].sum(), value)
    weights, value = weights.detach(), value.detach()
    before, after = (weights @ value)[1], (weights @ (2 * value))[1]
    return FullyMaskedRow(
        weights,
        weights.sum(dim=-1),
        gradient_is_finite=bool(gradient.isfinite().all()),
        depends_on_blocked=not torch.equal(before, after),
    )

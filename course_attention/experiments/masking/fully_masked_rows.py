"""What becomes of a query that may attend to nothing: six conventions that are in use, each in a few lines of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

Weigh = Callable[[Tensor, Tensor], Tensor]  # scores, allowed → weights


def infinity(scores: Tensor, allowed: Tensor) -> Tensor:
    """−∞ in blocked places, and nothing else: 0/0 where all are blocked."""
    return scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)


def finite_fill(scores: Tensor, allowed: Tensor) -> Tensor:
    """A large negative number in blocked places: where all are blocked, all are equal."""
    return scores.masked_fill(~allowed, -1e9).softmax(dim=-1)


def finite_offset(scores: Tensor, allowed: Tensor) -> Tensor:
    """A negative number added to blocked scores: added to all of a row, it changes nothing."""
    return (scores + torch.where(allowed, 0.0, -10_000.0)).softmax(dim=-1)


def opened(scores: Tensor, allowed: Tensor) -> Tensor:
    """A row of nothing is opened beforehand: such a query attends to everything."""
    return infinity(scores, allowed | ~allowed.any(dim=-1, keepdim=True))


def null_key(scores: Tensor, allowed: Tensor) -> Tensor:
    """One more key with score and value 0, always allowed; its weight is left out of what is returned."""
    with_null = F.pad(scores.masked_fill(~allowed, float("-inf")), (1, 0))
    return with_null.softmax(dim=-1)[..., 1:]


def zeros(scores: Tensor, allowed: Tensor) -> Tensor:
    """Weights of 0, as in this course; the softmax never sees a row of nothing but −∞."""
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
    """What a convention does to two queries over the same keys, of which the second may attend to nothing.

    Attributes:
        weights: (2, n_keys).
        row_sums: of each query.
        gradient_is_finite: of the values, where only the first query's output is used.
        sees_blocked: whether the second output changes with the values, none of which it may see; NaN does.
    """

    weights: Tensor
    row_sums: Tensor
    gradient_is_finite: bool
    depends_on_blocked: bool


def fully_masked_rows(
    conventions: Mapping[str, Weigh] = CONVENTIONS, device: torch.device | str = "cpu"
) -> dict[str, FullyMaskedRow]:
    """Two queries over three keys, the second allowed nothing, weighed by each convention.

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

"""The course's own test of attention refuses what shows with heads, in float32, or with masked large scores alone."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.slips import accepts


def folds_heads(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Fold the heads into the batch, and repeat the texts' masks in the wrong order."""
    if query.ndim != 4:
        return attention(query, key, value, allowed)
    n_texts, n_heads = query.shape[:2]
    if allowed is not None and allowed.ndim == 4:
        one_for_all = allowed.shape[1] == 1
        allowed = allowed[:, 0].repeat(n_heads, 1, 1) if one_for_all else allowed.flatten(0, 1)
    output, weights = attention(query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1), allowed)
    return output.unflatten(0, (n_texts, n_heads)), weights.unflatten(0, (n_texts, n_heads))


def lowest_of_float64(
    query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Block with a number that float32 does not have, which raises there."""
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(torch.float64).min)
    weights = scores.softmax(dim=-1)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return weights @ value, weights


def adds_float64(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Add a mask in float64, which makes float32 float64."""
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores + torch.zeros(allowed.shape, dtype=torch.float64).masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(dim=-1).nan_to_num()
    return weights @ value.to(weights.dtype), weights


def blocks_with(number: float) -> Callable[..., tuple[Tensor, Tensor]]:
    """Return an attention that sets blocked scores to a number, and gives zeros where nothing is allowed."""

    def function(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None) -> tuple[Tensor, Tensor]:
        scores = query @ key.mT / query.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, number)
        weights = scores.softmax(dim=-1)
        if allowed is not None:
            weights = weights * allowed.any(dim=-1, keepdim=True)
        return weights @ value, weights

    return function


def test_mask_for_each_text() -> None:
    """Masks that all heads of a text share are given to the right text."""
    assert accepts(attention)
    assert not accepts(folds_heads)


def test_float32() -> None:
    """A function that raises in float32, or gives float64 for it, is refused."""
    assert not accepts(lowest_of_float64)
    assert not accepts(adds_float64)


@pytest.mark.parametrize("number", [-30.0, -1000.0])
def test_mask_and_large_scores(number: float) -> None:
    """A blocked score that is only low is seen where all allowed scores of a query are lower."""
    assert not accepts(blocks_with(number))


def test_what_notebook_09_leaves() -> None:
    """The bug of TransformerLens is left to the student: no query of an input has only scores below −100,000."""
    assert accepts(blocks_with(-1e5))

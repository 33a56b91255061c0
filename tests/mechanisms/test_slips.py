"""The course's own test of attention refuses what shows with heads, in float32, or with one kind of input alone."""

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


def zeros_at_full_mask(
    query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Give zeros where the mask blocks nothing."""
    output, weights = attention(query, key, value, allowed)
    full = allowed is not None and bool(allowed.all())
    return (0 * output, 0 * weights) if full else (output, weights)


def doubles_at_full_mask(
    query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Double the scores where the mask blocks nothing."""
    full = allowed is not None and bool(allowed.all())
    return attention(2 * query if full else query, key, value, allowed)


def forgets_empty_mask(
    query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Take a mask that allows nothing for no mask."""
    empty = allowed is not None and not bool(allowed.any())
    return attention(query, key, value, None if empty else allowed)


def forgets_transpose(
    query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Multiply queries and keys without a transpose where that fits, too."""
    fits = key.shape[-2] == key.shape[-1]
    return attention(query, key.mT if fits else key, value, allowed)


def averages_gradient(
    query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Give all channels of a value the same gradient, which is right where each has the same factor."""
    mean = value.mean(dim=-1, keepdim=True).expand_as(value)
    return attention(query, key, value.detach() + mean - mean.detach(), allowed)


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


@pytest.mark.parametrize("function", [zeros_at_full_mask, doubles_at_full_mask, forgets_empty_mask])
def test_full_and_empty_masks(function: Callable[..., tuple[Tensor, Tensor]]) -> None:
    """What goes wrong at a mask that blocks nothing, or allows nothing, is refused."""
    assert not accepts(function)


def test_as_many_keys_as_channels() -> None:
    """A missing transpose is seen although it fits wherever the keys are as many as their channels."""
    assert not accepts(forgets_transpose)


def test_gradients_for_unequal_factors() -> None:
    """A gradient that is right for the sum of the output alone is refused."""
    assert not accepts(averages_gradient)


def test_what_notebook_09_leaves() -> None:
    """The bug of TransformerLens is left to the student: no query of an input has only scores below −100,000."""
    assert accepts(blocks_with(-1e5))

"""Three functions of notebook 09 that random inputs do not tell from attention. Its cell has the same code."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_attention.mechanisms.masking import masked_softmax


def blocks_by_product(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores * allowed
        scores = scores.masked_fill(scores == 0, -torch.inf)
    weights = scores.softmax(dim=-1).nan_to_num()  # 0 where nothing is allowed
    return weights @ value, weights


def without_overflow(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    parts = (scores - scores.max()).exp()  # at most 1
    weights = (parts / parts.sum(dim=-1, keepdim=True)).nan_to_num()  # 0 where nothing is allowed
    return weights @ value, weights


def takes_padding(query, key, value, allowed=None):
    if allowed is not None and query.ndim == 3 and allowed.shape == (query.shape[0], key.shape[1]):
        allowed = allowed[:, None, :]  # a padding mask (batch, n_keys): a row for each text
    weights = masked_softmax(query @ key.mT / query.shape[-1] ** 0.5, allowed)
    return weights @ value, weights


PLAUSIBLE: Mapping[str, Callable[..., Any]] = {
    one.__name__: one for one in (blocks_by_product, without_overflow, takes_padding)
}
"""The functions by name, in the order of the notebook."""
